import { afterAll, beforeAll, expect, it } from 'vitest'
import { request, span } from '../ingest/otlp-json.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { DISK_FREE_MIN: `${2 ** 46}` } })
  await app.sendSpans(request(span({ startTimeUnixNano: now(), endTimeUnixNano: now() })))
})
afterAll(() => app.close())

const now = () => `${Date.now()}000000`

it('the server is not ready below DISK_FREE_MIN, and says which disk', async () => {
  const response = await fetch(`${app.url}/readyz`)
  expect(response.status).toBe(503)
  const { checks } = (await response.json()) as { checks: { name: string; detail?: string }[] }
  const [capacity, ...others] = checks.filter(({ detail }) => detail !== undefined)
  expect(others).toEqual([])
  expect(capacity?.name).toBe('capacity')
  expect(capacity?.detail).toMatch(
    /^the disk default of ClickHouse has \d+ MiB of \d+ MiB free, less than DISK_FREE_MIN/,
  )
})

it('the metrics report parts, their limits, disk space and queues', async () => {
  // A scrape shares a reading of the last seconds, which may precede the insert.
  const metrics = async () => (await fetch(`${app.url}/metrics`)).text()
  await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^tracefold_clickhouse_parts\{table="spans"\} [1-9]/m)
  const text = await metrics()
  expect(text).toMatch(/^tracefold_clickhouse_parts_max\{table="spans"\} [1-9]/m)
  expect(text).toMatch(/^tracefold_clickhouse_partition_parts_max\{table="spans"\} [1-9]/m)
  expect(text).toMatch(/^tracefold_clickhouse_disk_free_bytes\{disk="default"\} [1-9]/m)
  for (const queue of ['reads', 'backgroundReads', 'inserts'])
    expect(text).toMatch(new RegExp(`^tracefold_turns_waiting\\{queue="${queue}"\\} 0`, 'm'))
})
