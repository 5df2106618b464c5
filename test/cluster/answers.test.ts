import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse, SentTable } from '../../server/clickhouse/client.ts'
import { renderInScope, type Scope, type Slice, type Sql } from '../../sql/index.ts'
import { everyQuery, type QuerySubject, slices } from '../compile/every-query.ts'
import { sentTables } from '../compile/sent-tables.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { fuzzSettings } from '../support/fuzz-settings.ts'
import { openSpreadApp, type SpreadApp } from './spread-app.ts'
import { storeTelemetry, telemetryWindow } from './telemetry.ts'

const { seed } = fuzzSettings
const org = `spread-${randomUUID()}`
const scope: Scope = { org, window: telemetryWindow }
const tables = ['spans', 'value_index', 'metric_series', 'metric_points', 'log_records']

let spread: SpreadApp
let single: TestApp
/** The subject of the queries, with the ids that each store has assigned. */
let subjects: { readonly spread: QuerySubject; readonly single: QuerySubject }

beforeAll(async () => {
  spread = await openSpreadApp({ VALUE_INDEX: 'always' })
  single = await startApp({ env: { LOG_LEVEL: 'error', VALUE_INDEX: 'always' } })
  await storeTelemetry(spread.app, org, seed)
  // Rows in many parts are read in another order than rows in one, on which no answer may depend.
  for (const table of tables) await single.app.clickhouse.command(`SYSTEM STOP MERGES ${table}`)
  await storeTelemetry(single, org, seed, { piecesOfBody: 10 })
  subjects = { spread: await subjectOf(spread.app), single: await subjectOf(single) }
})
afterAll(() => Promise.all([spread?.close(), single?.close()]))

async function subjectOf({ app }: TestApp): Promise<QuerySubject> {
  const [traceIds, seriesIds, logIds] = await Promise.all([
    ids(app.clickhouse, 'trace_id', 'spans ORDER BY trace_id'),
    ids(app.clickhouse, 'series', 'metric_series ORDER BY series'),
    ids(app.clickhouse, 'id', 'log_records ORDER BY time LIMIT 50'),
  ])
  return { window: telemetryWindow, traceIds: traceIds as [string, ...string[]], seriesIds, logIds }
}

async function ids(clickhouse: ClickHouse, column: string, from: string): Promise<string[]> {
  const query = { text: `SELECT DISTINCT toString(${column}) AS id FROM ${from}`, params: {} }
  return (await clickhouse.read<{ id: string }>(query, { for: 'system', label: 'ids' })).rows.map(({ id }) => id)
}

it.each(tables)('both shards have rows of %s', async (table) => {
  for (const count of await spread.rowsByShard(table)) expect(count).toBeGreaterThan(0)
})

it('rows of one trace are on one shard', async () => {
  const text =
    'SELECT count() AS torn FROM (SELECT trace_id FROM spans GROUP BY trace_id HAVING uniqExact(_shard_num) > 1)'
  const { rows } = await spread.app.app.clickhouse.read({ text, params: {} }, { for: 'system', label: 'torn traces' })
  expect(rows).toEqual([{ torn: '0' }])
})

const names = Object.keys(everyQuery({ window: telemetryWindow, traceIds: ['1'], seriesIds: [], logIds: [] }))
const callers: Record<string, (slice: Slice) => readonly Slice[] | undefined> = {
  everything: () => undefined,
  'one slice': (slice) => [slice],
  'all slices': () => Object.values(slices),
}
/** Ingest has listed the repeated spans of the telemetry, so that nothing is left to find. */
const alreadyListed = 'repeatsOfTraces'
const widest = Object.keys(slices).at(-1)
const cases = names.flatMap((name) => Object.keys(slices).map((title) => [name, title] as const))

it.each(cases)(`%s over %s returns the same on a cluster as on one server (seed ${seed})`, async (name, title) => {
  for (const [caller, grantedTo] of Object.entries(callers)) {
    // What a caller may see is added to the query in the same way for every slice, so the widest one is enough.
    if (caller !== 'everything' && title !== widest) continue
    const slice = slices[title] as Slice
    const granted = grantedTo(slice)
    const sides = (
      [
        [spread.app, subjects.spread],
        [single, subjects.single],
      ] as const
    ).map(([app, about]) => {
      const query = everyQuery(about)[name]?.(slice) as Sql
      const tables = sentTables(about.traceIds)
      return answer(app.app.clickhouse, query, { ...scope, ...(granted && { granted }) }, tables)
    })
    const [fromShards, fromOneNode] = await Promise.all(sides)
    expect(fromShards, caller).toEqual(fromOneNode)
    if (granted === undefined && name !== alreadyListed)
      expect(fromShards?.length, 'it finds something').toBeGreaterThan(0)
  }
})

/** Columns that differ from store to store: ids of log records, and the time of the query. */
const ownColumns = new Set(['id', 'asked_micros'])

/**
 * Returns the rows in a canonical order, because neither every query nor every list of distinct values has an order.
 */
async function answer(clickhouse: ClickHouse, query: Sql, within: Scope, tables: SentTable[]): Promise<string[]> {
  const rendered = renderInScope(query, within)
  const { rows } = await clickhouse.read<Record<string, unknown>>(rendered, {
    for: 'system',
    label: 'a test',
    tables,
  })
  return rows.map((row) => JSON.stringify(Object.entries(row).map(readColumn))).sort()
}

const unordered = new Set([
  ...['hashes', 'services', 'paths', 'rare_paths', 'resource_lists', 'tags'],
  ...['step_ids', 'places_0', 'places_1'],
])

/** Digits that are compared: doubles are summed in an undefined order, even on one server. */
const digitsAlike = 12

function readColumn([name, value]: readonly [string, unknown]): unknown {
  if (typeof value === 'number') return [name, value.toPrecision(digitsAlike)]
  if (ownColumns.has(name)) return [name]
  if (name === 'tags') return [name, (value as string[][]).map((tags) => [...tags].sort())]
  return [name, unordered.has(name) && Array.isArray(value) ? [...value].sort() : value]
}
