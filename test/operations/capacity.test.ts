import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { createCapacityMonitor } from '../../server/observability/capacity-monitor.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { problem } from '../../server/problem/problem.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { request, span } from '../support/otlp-json.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { DISK_FREE_MIN: `${2 ** 46}` } })
  await app.sendSpans(request(span({ startTimeUnixNano: now(), endTimeUnixNano: now() })))
})
afterAll(() => app.close())

const now = () => `${Date.now()}000000`

it('the server is not ready below DISK_FREE_MIN, and says which disk', async () => {
  const missing = async () => {
    const response = await fetch(`${app.url}/readyz`)
    const { checks } = (await response.json()) as { checks: { name: string; detail?: string }[] }
    return [response.status, ...checks.filter(({ detail }) => detail !== undefined)]
  }
  const detail = /^the disk default of ClickHouse has \d+ MiB of \d+ MiB free, less than DISK_FREE_MIN/
  const capacity = expect.objectContaining({ name: 'capacity', detail: expect.stringMatching(detail) })
  await expect.poll(missing).toEqual([503, capacity])
})

it('the metrics report parts, their limits, disk space and queues', async () => {
  // A scrape shares a reading of the last seconds, which may precede the insert.
  const metrics = async () => (await fetch(`${app.url}/metrics`)).text()
  await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^tracefold_clickhouse_parts\{table="spans"\} [1-9]/m)
  const text = await metrics()
  expect(text).toMatch(/^tracefold_clickhouse_partitions\{table="spans"\} [1-9]/m)
  expect(text).toMatch(/^tracefold_clickhouse_parts_max\{table="spans"\} [1-9]/m)
  expect(text).toMatch(/^tracefold_clickhouse_partition_parts_max\{table="spans"\} [1-9]/m)
  expect(text).toMatch(/^tracefold_clickhouse_disk_free_bytes\{disk="default"\} [1-9]/m)
  for (const queue of ['reads', 'backgroundReads', 'inserts'])
    expect(text).toMatch(new RegExp(`^tracefold_turns_waiting\\{queue="${queue}"\\} 0`, 'm'))
})

describe('near the limit on parts', () => {
  let crowded: TestApp
  const table = 'repeated_spans'
  beforeAll(async () => {
    crowded = await startApp({ env: { DISK_FREE_MIN: '1' } })
    const { clickhouse } = crowded.app
    await clickhouse.command(`SYSTEM STOP MERGES ${table}`)
    // Otherwise ClickHouse delays inserts into a table with many parts, and waits for the disk at each of them.
    const settings = 'parts_to_delay_insert = 100000, fsync_after_insert = 0, fsync_part_directory = 0'
    await clickhouse.command(`ALTER TABLE ${table} MODIFY SETTING ${settings}`)
    for (let first = 0; first < 2_710; first += 271)
      await clickhouse.command(`
        INSERT INTO ${table} SELECT 'acme', number, number, toDateTime64('2026-01-01', 9) FROM numbers(${first}, 271)
        SETTINGS max_block_size = 1, min_insert_block_size_rows = 1, max_threads = 1, max_insert_threads = 1`)
  })
  afterAll(() => crowded.close())

  it('the server is not ready, and says which table has too many parts', async () => {
    const readiness = async () => (await fetch(`${crowded.url}/readyz`)).text()
    await expect
      .poll(readiness, { timeout: 60_000 })
      .toContain(`a partition of the table ${table} has 2710 parts; at 3000 ClickHouse rejects inserts`)
    expect((await fetch(`${crowded.url}/readyz`)).status).toBe(503)
  })

  it('the server is ready again when the parts are merged', async () => {
    await crowded.app.clickhouse.command(`SYSTEM START MERGES ${table}`)
    await crowded.app.clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`)
    await expect.poll(async () => (await fetch(`${crowded.url}/readyz`)).status, { timeout: 60_000 }).toBe(200)
  })
})

it('the failure of capacity readings is logged once, except while the server starts, and so is its end', async () => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const { clickhouse } = app.app
  let isBroken = true
  let failure: Error = problem('unavailable', 'The telemetry store is starting. Retry later.')
  const node: ClickHouse = {
    ...clickhouse,
    nodes: [],
    queues: clickhouse.queues,
    read: (...query) => (isBroken ? Promise.reject(failure) : clickhouse.read(...query)),
  }
  const metrics = createPrometheus({ collectProcess: false }).store
  const monitor = createCapacityMonitor({
    clickhouse: { ...node, nodes: [node] },
    logger,
    metrics,
    diskFreeBytesMin: 1,
  })
  const messages = () => lines.map((line) => JSON.parse(line).msg)
  await monitor.refresh()
  expect(messages()).toEqual([])
  failure = new Error('no access')
  for (let n = 0; n < 3; n++) await monitor.refresh()
  expect(messages()).toEqual(['Could not read the capacity of ClickHouse'])
  isBroken = false
  await expect.poll(async () => [await monitor.refresh(), messages().length][1]).toBe(2)
  expect(messages()[1]).toBe('The capacity of ClickHouse is known again')
})
