import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { shardsCluster } from '../support/shards.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { QUERY_SECONDS_MAX: '300' } })
})
afterAll(() => app.close())

const rowCount = 3_000_000
/**
 * Reading every name takes two minutes on one thread. ClickHouse checks for cancellation after each block: every 3 s.
 */
const secondsPerRow = 0.00004

const isSharded = inject('shards').length > 0
/** Number of engines that take part in the query. */
const engineCount = Math.max(inject('shards').length, 1)

/** Makes reading the names of spans slow, in place of a query over a large amount of telemetry. */
async function makeNamesSlow(): Promise<void> {
  const { clickhouse } = app.app
  const stored = isSharded ? `${clickhouse.database}_shard.spans` : 'spans'
  for (const table of new Set([stored, 'spans'])) await clickhouse.command(`ALTER TABLE ${table} DROP COLUMN name`)
  await clickhouse.command(
    `ALTER TABLE ${stored} ADD COLUMN name String ALIAS if(sleepEachRow(${secondsPerRow}) = 0, scope_name, '')`,
  )
  if (isSharded) await clickhouse.command('ALTER TABLE spans ADD COLUMN name String')
  await clickhouse.command(
    `INSERT INTO ${stored} (org, trace_id, span_id, start)
     SELECT {p0:String}, number + 1, number + 1, now64(9) FROM numbers(${rowCount})`,
    { p0: app.org },
  )
}

/**
 * Counts reads on all engines that have been running for `secondsMin` seconds. A read from one engine to another names
 * the database in its text. Only reads, because ClickHouse answers an INSERT a moment before it calls it ended.
 */
async function runningReads(secondsMin = 0): Promise<number> {
  const { clickhouse } = app.app
  const processes = isSharded ? `cluster('${shardsCluster}', system.processes)` : 'system.processes'
  const text = `SELECT count() AS running FROM ${processes}
    WHERE query_kind = 'Select' AND query NOT LIKE '%system%processes%' AND elapsed >= {p1:Float64}
      AND (current_database = {p0:String} OR position(query, {p0:String}) > 0)`
  const query = { text, params: { p0: clickhouse.database, p1: String(secondsMin) } }
  const { rows } = await clickhouse.read<{ running: string }>(query, { for: 'system', label: 'test' })
  return Number(rows[0]?.running)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50)
}

it('a client that disconnects cancels its query in ClickHouse', async () => {
  await makeNamesSlow()
  const client = new AbortController()
  const response = app.send('/api/v1/messages/count', {
    json: { rows: [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'x' }] },
    signal: client.signal,
  })
  const left = expect(response).rejects.toThrow('aborted')
  // The queries that the count sends first, such as that for the number of stored spans, end in milliseconds.
  await until(async () => (await runningReads(1)) === engineCount)
  client.abort()
  await left
  await until(async () => (await runningReads()) === 0)
  const metrics = async () => (await fetch(`${app.url}/metrics`)).text()
  // Background work of the server may be reading at this moment.
  await expect.poll(metrics).toContain('tracefold_queries_in_flight 0')
  expect(await metrics()).toMatch(/tracefold_queries_total\{label="[^"]+",outcome="aborted"\} 1/)
})
