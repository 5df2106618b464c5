import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { signals } from '../../server/ingest/otlp-router.ts'
import { telemetryTableNames, telemetryTables } from '../../sql/index.ts'
import { freshDatabase } from '../support/engine.ts'
import { query } from '../support/own-engine.ts'

let clickhouse: ClickHouse
beforeAll(async () => {
  clickhouse = await freshDatabase()
})
afterAll(() => clickhouse.close())

interface Column {
  readonly name: string
  readonly type: string
}

/** Reads the columns of a table, with the types that ingest writes. */
async function readColumns(table: string): Promise<Map<string, string>> {
  const text = 'SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {p0:String}'
  const { rows } = await clickhouse.read<Column>(query(text, { p0: table }), { for: 'system', label: 'columns' })
  return new Map(rows.map(({ name, type }) => [name, withoutStorage(type)]))
}

function withoutStorage(type: string): string {
  const aggregated = /^SimpleAggregateFunction\(\w+, (.*)\)$/.exec(type)?.[1] ?? type
  return aggregated.startsWith('JSON(') ? 'JSON' : aggregated
}

const cases = telemetryTableNames.map((name) => [name, telemetryTables[name]] as const)

it('the migrations create a table for every entry, and no other', async () => {
  const text = `SELECT name FROM system.tables WHERE database = currentDatabase() AND name NOT LIKE 'schema_%'`
  const { rows } = await clickhouse.read<Column>(query(text), { for: 'system', label: 'tables' })
  expect(rows.map(({ name }) => name).sort()).toEqual([...telemetryTableNames].sort())
})

it.each(cases)('the migrations declare every column that ingest writes to %s, with its type', async (name, table) => {
  const declared = await readColumns(name)
  for (const [column, type] of Object.entries(table.columns))
    expect([column, declared.get(column)]).toEqual([column, type])
})

it.each(cases)('the time columns and the sharding key of %s are expressions over its columns', async (name, table) => {
  const expressions = [table.time, 'begin' in table ? table.begin : table.time, table.shardingKey]
  await expect(
    clickhouse.read(query(`SELECT ${expressions.join(', ')} FROM ${name}`), { for: 'system', label: 'expressions' }),
  ).resolves.toBeDefined()
})

it.each(cases)('%s is declared as replacing exactly when its engine replaces rows', async (name, table) => {
  const text = 'SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = {p0:String}'
  const { rows } = await clickhouse.read<{ engine: string }>(query(text, { p0: name }), {
    for: 'system',
    label: 'engine',
  })
  expect(rows[0]?.engine.includes('Replacing')).toBe(table.isReplacing)
})

/** Written along with `spans` (server/ingest/inserts/repeated-spans.ts). */
const besideSpans = ['trace_intervals', 'repeated_spans']

it('ingest writes every table', () => {
  const bySignals = new Set(signals.flatMap(({ tables }) => tables.map(({ name }): string => name)))
  const written = [...bySignals, ...besideSpans]
  expect(written.sort()).toEqual([...telemetryTableNames].sort())
})

it('skip indexes of replacing tables leave out no row that may replace another one', async () => {
  const text = 'SELECT table AS name, expr AS type FROM system.data_skipping_indices WHERE database = currentDatabase()'
  const { rows } = await clickhouse.read<Column>(query(text), { for: 'system', label: 'skip indexes' })
  const ofReplacing = rows.filter(
    ({ name }) => telemetryTables[name as (typeof telemetryTableNames)[number]].isReplacing,
  )
  // Reads do not check that (`readSettings` in server/clickhouse/query-limits.ts). The trace id is part of the key, of
  // equal rows the one with the largest rank counts, and nothing reads `is_indexed` or the expression of the filter of
  // links with FINAL (test/compile/scope.test.ts).
  const [ofLinks, ...others] = ofReplacing.map(({ type }) => type).sort()
  expect(ofLinks).toMatch(/^extractAll\(links,/)
  expect(others).toEqual(['is_indexed', 'stored_rank', 'trace_id'])
})
