import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { QUERY_SECONDS_MAX: '300' } })
})
afterAll(() => app.close())

const rowCount = 3_000_000
/** Reading every name takes two minutes on one thread. ClickHouse looks for a cancellation after each block, so within 3 s. */
const secondsPerRow = 0.00004

/** The names of spans take their time to be read: a stand-in for a query over very much telemetry. */
async function makeNamesSlow(): Promise<void> {
  const { clickhouse } = app.app
  await clickhouse.command('ALTER TABLE spans RENAME COLUMN name TO stored_name')
  await clickhouse.command(
    `ALTER TABLE spans ADD COLUMN name String ALIAS if(sleepEachRow(${secondsPerRow}) = 0, stored_name, '')`,
  )
  await clickhouse.command(
    `INSERT INTO spans (org, trace_id, span_id, start) SELECT {p0:String}, number + 1, number + 1, now64(9) FROM numbers(${rowCount})`,
    { p0: app.org },
  )
}

async function runningQueries(): Promise<number> {
  const text =
    "SELECT count() AS running FROM system.processes WHERE current_database = {p0:String} AND query NOT LIKE '%system.processes%'"
  const { rows } = await app.app.clickhouse.read<{ running: string }>(
    { text, params: { p0: app.app.clickhouse.database } },
    { label: 'test' },
  )
  return Number(rows[0]?.running)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50)
}

it('a client that goes away ends its query in ClickHouse', async () => {
  await makeNamesSlow()
  const client = new AbortController()
  const asked = app.send('/api/v1/messages/count', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      rows: [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'x' }],
    }),
    signal: client.signal,
  })
  const left = expect(asked).rejects.toThrow('aborted')
  await until(async () => (await runningQueries()) === 1)
  client.abort()
  await left
  await until(async () => (await runningQueries()) === 0)
  const metrics = await (await fetch(`${app.url}/metrics`)).text()
  expect(metrics).toMatch(/tracefold_query_duration_seconds_count\{label="[^"]+",outcome="aborted"\} 1/)
  expect(metrics).toContain('tracefold_queries_in_flight 0')
})
