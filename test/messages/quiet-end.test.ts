/** Senders deliver with a delay, so a window that ends now ends in seconds without spans. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rfc3339OfNs } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { insertSelected } from '../support/engine.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const second = 1_000_000_000n
const spansPerSecond = 400
const secondsWithSpans = 300

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  await insertSelected(
    app.app.clickhouse,
    'spans (org, trace_id, span_id, start, duration_ns)',
    `SELECT '${app.org}', 1 + cityHash64(number), 1,
       fromUnixTimestamp64Nano(toInt64(${drawnStartNs} - number * ${second / BigInt(spansPerSecond)}), 'UTC'), 1
     FROM numbers(${spansPerSecond * secondsWithSpans})`,
  )
})
afterAll(() => app.close())

/** Counts the rows that the queries of the server read meanwhile. */
async function rowsReadBy(work: () => Promise<void>): Promise<number> {
  const { clickhouse } = app.app
  const original = clickhouse.read.bind(clickhouse)
  let rows = 0
  clickhouse.read = async (query, options) => {
    const result = await original<never>(query, options)
    rows += result.rowsRead
    return result
  }
  try {
    await work()
    return rows
  } finally {
    clickhouse.read = original
  }
}

it('the first search of an hour that ends in three quiet seconds reads less than 256 seconds of spans', async () => {
  const toNs = drawnStartNs + 3n * second
  const window = { from: rfc3339OfNs(toNs - 3_600n * second), to: rfc3339OfNs(toNs) }
  const client = await app.client({ role: 'viewer' })
  const rows = await rowsReadBy(async () => {
    const { data } = await client.POST('/api/v1/messages/search', { body: { ...window, rows: [] } })
    expect(data?.messages).toHaveLength(50)
  })
  // 64 seconds, and some granules of each shard.
  expect(rows).toBeLessThan(225 * spansPerSecond)
})
