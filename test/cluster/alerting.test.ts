import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventsOf, untilReceived, type WatchedOrg, watchOrg } from '../alerting/watched-org.ts'
import { makePoint, makeSeries, toOtlpMetrics } from '../support/metric-model.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSpreadApp, type SpreadApp } from './spread-app.ts'

const msMax = 60_000
const failedCount = 20

let spread: SpreadApp
let org: WatchedOrg

beforeAll(async () => {
  spread = await openSpreadApp({ ALERT_PERIOD_SECONDS: '1', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' })
  org = watchOrg({ url: spread.app.url, token: await spread.app.token() })
})
afterAll(() => spread?.close())

/** Stores failures, each in a separate trace or series, so that both shards have some. */
async function storeFailures(): Promise<void> {
  await org.sendTraces(Array(failedCount).fill('checkout:pay !declined').join('\n---\n'))
  const points = [makePoint({ timeNs: BigInt(Date.now() - 1_000) * 1_000_000n, value: 1n })]
  const series = Array.from({ length: failedCount }, (_, index) =>
    makeSeries({ metric: 'queue.length', attributes: [['queue', { stringValue: `q-${index}` }]], points }),
  )
  await spread.app.sendMetrics(toOtlpMetrics(series))
  for (const table of ['spans', 'metric_points'])
    for (const count of await spread.rowsByShard(table)) expect(count).toBeGreaterThan(0)
}

/** Returns the states of the rules after each has been evaluated `evaluations` more times. */
async function statesAfter(ids: readonly string[], evaluations: number) {
  for (let times = 0; times < evaluations; times++) {
    const after = Date.now()
    for (const id of ids) {
      const evaluatedMs = async () => Date.parse((await org.rule(id)).state.evaluated_at ?? '1970-01-01T00:00:00Z')
      await expect.poll(evaluatedMs, { timeout: msMax }).toBeGreaterThan(after)
    }
  }
  const rules = await Promise.all(ids.map((id) => org.rule(id)))
  return rules.map(({ state: { status, value, alert_id } }) => ({ status, value, alert_id }))
}

const errors = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await org.rule(id)).state.last_error))

it('alert rules keep their states while a shard is unavailable, and continue when it is back', async () => {
  const receiver = await startReceiver()
  const { id: channel } = await org.addChannel(receiver)
  await storeFailures()
  // Neither shard alone reaches the threshold.
  const traceRule = { threshold: failedCount - 1, window_s: 3_600, channel_ids: [channel] }
  const ids = [
    (await org.addRule(traceRule)).id,
    (await org.addRule({ ...traceRule, kind: 'metric', metric: 'queue.length', measure: 'sum' })).id,
    (await org.addRule({ ...traceRule, threshold: 2 * failedCount - 1 })).id,
  ]
  await untilReceived(receiver, 2, msMax)
  const before = await statesAfter(ids, 1)
  expect(before.map(({ status, value }) => [status, value])).toEqual([
    ['firing', failedCount],
    ['firing', failedCount],
    ['ok', failedCount],
  ])

  for (const shard of [0, 1]) {
    await spread.crash(shard)
    const away = expect.stringContaining('telemetry store')
    await expect.poll(() => errors(ids), { timeout: msMax }).toEqual([away, away, away])
    expect(await statesAfter(ids, 3)).toEqual(before)
    expect(await errors(ids)).toEqual([away, away, away])
    await spread.restart(shard)
    await expect.poll(() => errors(ids), { timeout: msMax }).toEqual([null, null, null])
    expect(await statesAfter(ids, 1)).toEqual(before)
  }

  expect(eventsOf(receiver.received)).toEqual(['alert.firing', 'alert.firing'])
  await storeFailures()
  await untilReceived(receiver, 3, msMax)
  expect((await statesAfter(ids, 1)).map(({ status, value }) => [status, value])).toEqual([
    ['firing', 2 * failedCount],
    ['firing', 2 * failedCount],
    ['firing', 2 * failedCount],
  ])
  expect((await org.alerts()).map(({ state }) => state)).toEqual(['firing', 'firing', 'firing'])
})
