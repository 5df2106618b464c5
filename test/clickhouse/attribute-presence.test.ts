import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { compileSpanCondition } from '../../sql/compile/condition.ts'
import { fromScoped, sql } from '../../sql/fragment.ts'
import { renderInScope, type Scope } from '../../sql/index.ts'
import { freshDatabase } from '../support/engine.ts'

const startNs = 1_790_000_000_000_000_000n
const scope: Scope = { org: 'acme', window: { fromNs: startNs, toNs: startNs + 3_600_000_000_000n } }
const rareKeys = 1_000

/**
 * The number of spans that carry each key so far. Some keys have a column of their own, some share one, one is typed,
 * and one is not carried by any span.
 */
const carried: Record<string, number> = { nobody: 0, often: 0, late: 0, k7: 0, k700: 0, 'http.route': 0 }
let clickhouse: ClickHouse
let traces = 0

beforeAll(async () => {
  clickhouse = await freshDatabase()
})
afterAll(() => clickhouse.close())

/** Inserts spans whose attributes are `json`, an SQL expression over `number`. */
async function insert(count: number, json: string, carriedByThem: Readonly<Record<string, number>>): Promise<void> {
  traces += 1
  await clickhouse.command(
    `INSERT INTO spans (org, trace_id, span_id, start, service, attributes)
     SELECT 'acme', ${traces}, number, fromUnixTimestamp64Nano(toInt64(${startNs} + number * 1000000)), 'web', ${json}
     FROM numbers(${count})`,
  )
  for (const [key, more] of Object.entries(carriedByThem)) carried[key] = (carried[key] ?? 0) + more
}

async function expectCounts(): Promise<void> {
  for (const [key, count] of Object.entries(carried)) {
    const present = compileSpanCondition({
      attribute: { source: 'span', key },
      test: { kind: 'exists' },
      negated: false,
    })
    const query = sql`
      SELECT countIf(${present}) AS present, countIf(NOT ${present}) AS absent
      FROM ${fromScoped('spans')}
    `
    const { rows } = await clickhouse.read<{ present: string; absent: string }>(renderInScope(query, scope), {
      for: 'system',
      label: 'presence',
    })
    const all = Number(rows[0]?.present) + Number(rows[0]?.absent)
    expect([key, rows]).toEqual([key, [{ present: String(count), absent: String(all - count) }]])
  }
}

const rare = `concat('{"late":"s2","k', toString(number % ${rareKeys}), '":"s1"}')`

it('detects presence in the parts of small inserts, for any set of keys in each', async () => {
  await expectCounts()
  await insert(100, `if(number % 3 = 0, '{}', '{"often":"s1","http%2Eroute":"s/"}')`, { often: 66, 'http.route': 66 })
  await expectCounts()
  await insert(5_000, rare, { late: 5_000, k7: 5, k700: 5 })
  await insert(50, `'{}'`, {})
  await expectCounts()
})

it('detects presence after they are merged', async () => {
  await clickhouse.command('OPTIMIZE TABLE spans FINAL')
  await expectCounts()
})

it('detects presence in parts with a file for every column, before and after they are merged', async () => {
  await clickhouse.command('ALTER TABLE spans MODIFY SETTING min_bytes_for_wide_part = 0, min_rows_for_wide_part = 0')
  await insert(3_000, rare, { late: 3_000, k7: 3, k700: 3 })
  await expectCounts()
  await clickhouse.command('OPTIMIZE TABLE spans FINAL')
  const { rows } = await clickhouse.read(
    {
      text: `SELECT DISTINCT part_type FROM system.parts
        WHERE active AND database = currentDatabase() AND table = 'spans'`,
      params: {},
    },
    { for: 'system', label: 'parts' },
  )
  expect(rows).toEqual([{ part_type: 'Wide' }])
  await expectCounts()
})
