/** Metric alert rules, from the points that are received to the notifications that are sent. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { makePoint, makeSeries, type SeriesModel, toOtlpMetrics } from '../support/metric-model.ts'
import { startReceiver } from '../support/receiver.ts'
import { createStoppedClock, type RuleCreate, untilReceived, type WatchedOrg, watchOrg } from './watched-org.ts'

const none: NonNullable<RuleCreate['conditions']> = []

const notifiedMsMax = 60_000
const nsPerMs = 1_000_000n
const periodS = 5

const { now, advance } = createStoppedClock()

let app: TestApp
let org: WatchedOrg
beforeAll(async () => {
  const env = { ALERT_PERIOD_SECONDS: `${periodS}`, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'error' }
  app = await startApp({ env, overrides: { now } })
  org = watchOrg({ url: app.url, token: await app.token(), now })
})
afterAll(() => app.close())

async function sendSeries(...series: SeriesModel[]): Promise<void> {
  await app.sendMetrics(toOtlpMetrics(series))
}

/** Returns the time `ms` milliseconds ago, in nanoseconds. */
const ago = (ms: number) => BigInt(now().getTime() - ms) * nsPerMs

const watched = {
  kind: 'metric',
  metric: 'queue.length',
  measure: 'max',
  comparator: 'gt',
  threshold: 10,
  window_s: 60,
  service: 'checkout',
  conditions: [{ attribute_source: 'point', attribute_key: 'queue', operator: 'neq', value: 'dead' }],
} as const satisfies Partial<RuleCreate>

const template = JSON.stringify({
  state: '$alert.state',
  metric: '$check.metric',
  value: '$check.value',
  over: '$check.threshold',
  unit: '$check.unit',
  text: 'It is $check.value$check.unit, $rule.measure',
  spans: '$service.span_count',
  resource: '$service.metadata',
})

it('notifications of a metric rule carry the check in every format, firing and resolved', async () => {
  const receivers = [await startReceiver(), await startReceiver()] as const
  const channels = [
    await org.addChannel(receivers[0], { format: 'template', body_template: template }),
    await org.addChannel(receivers[1]),
  ]
  const windowS = 15
  const channel_ids = channels.map(({ id }) => id)
  const rule = await org.addRule({ ...watched, name: 'Queue', window_s: windowS, channel_ids })
  const resourceAttributes: SeriesModel['resourceAttributes'] = [['host.name', { stringValue: 'a' }]]
  const queue = makeSeries({ metric: 'queue.length', unit: '{item}', service: 'checkout', resourceAttributes })
  const dead = makeSeries({ ...queue, attributes: [['queue', { stringValue: 'dead' }]] })
  await sendSeries(
    { ...queue, points: [makePoint({ timeNs: ago(1_000), value: 12n })] },
    { ...dead, points: [makePoint({ timeNs: ago(1_000), value: 99n })] },
  )
  advance(periodS)
  for (const receiver of receivers) await untilReceived(receiver, 1, notifiedMsMax)
  const [custom, canonical] = receivers.map(({ received }) => JSON.parse(received[0]?.body ?? ''))
  expect(custom).toEqual({
    state: 'firing',
    metric: 'queue.length',
    value: 12,
    over: 10,
    unit: '{item}',
    spans: 0,
    resource: { 'service.name': 'checkout', 'host.name': 'a' },
    text: 'It is 12{item}, max',
  })
  expect(canonical.data).toMatchObject({
    check: { metric: 'queue.length', value: 12, threshold: 10, unit: '{item}' },
    rule: { id: rule.id, kind: 'metric', measure: 'max' },
    alert: {
      summary:
        'Queue: the largest value of metric "queue.length" of service "checkout" ' +
        'where point attribute queue is not "dead" over 15 seconds is 12, which is above 10.',
    },
  })
  // Without points there is no data, which keeps the alert open. A low value resolves it.
  advance(windowS)
  await expect.poll(async () => (await org.rule(rule.id)).state.value, { timeout: notifiedMsMax }).toBeNull()
  expect((await org.rule(rule.id)).state.alert_id).not.toBeNull()
  await sendSeries({ ...queue, points: [makePoint({ timeNs: ago(0), value: 3n })] })
  advance(periodS)
  await untilReceived(receivers[0], 2, notifiedMsMax)
  expect(JSON.parse(receivers[0].received[1]?.body ?? '')).toMatchObject({
    state: 'resolved',
    value: 3,
    unit: '{item}',
  })
})

it('a notification has the resource of spans of the service or, without any, of the metric of the rule', async () => {
  const receiver = await startReceiver()
  const { id } = await org.addChannel(receiver)
  const subjects = [
    ['checkout', 'pool.size'],
    ['checkout', 'heap.used'],
    ['bank', 'heap.used'],
  ] as const
  for (const [service, metric] of subjects) {
    await org.addRule({ ...watched, service, metric, conditions: none, channel_ids: [id] })
    // All attributes together may have 16,384 characters. Those beyond are left out.
    const resourceAttributes: SeriesModel['resourceAttributes'] = [
      ['large', { stringValue: 'x'.repeat(16_384) }],
      ['fitting', { stringValue: 'x'.repeat(16_000) }],
      ['host.name', { stringValue: `${metric} host` }],
    ]
    const points = [makePoint({ timeNs: ago(1_000), value: 12n })]
    await sendSeries(makeSeries({ metric, service, resourceAttributes, points }))
  }
  await org.sendTraces('bank:pay @host.name=spans')
  advance(periodS)
  await untilReceived(receiver, subjects.length, notifiedMsMax)
  const found = receiver.received.map(({ body }) => {
    const { check, service } = JSON.parse(body).data
    return [service.name, check.metric, service.metadata['host.name'], Object.keys(service.metadata).sort().join()]
  })
  expect(found.sort()).toEqual([
    ['bank', 'heap.used', 'spans', 'host.name,service.name'],
    ['checkout', 'heap.used', 'heap.used host', 'fitting,host.name,service.name'],
    ['checkout', 'pool.size', 'pool.size host', 'fitting,host.name,service.name'],
  ])
})

it('a preview has the past values and the current value', async () => {
  const counter = makeSeries({ metric: 'requests', kind: 'sum', unit: '{request}' })
  const points = [180, 120, 60, 1].map((second) =>
    makePoint({ timeNs: ago(second * 1_000), startNs: ago(200_000), value: BigInt(600 - 3 * second) }),
  )
  const startNs = points[0]?.startNs ?? 0n
  await sendSeries({ ...counter, points: points.map((point) => ({ ...point, startNs })) })
  const body = {
    ...watched,
    metric: 'requests',
    measure: 'rate',
    threshold: 2,
    conditions: none,
    service: 'shop',
  } as const
  const from = new Date(now().getTime() - 120_000).toISOString()
  const { data } = await org.client.POST('/api/v1/alerting/rules/preview', { body: { ...body, from } })
  expect(data?.value).toBeCloseTo(3)
  expect(data?.summary).toMatch(
    /^The rate per second of metric "requests" of service "shop" over 1 minute is [\d.]+, which is above 2\.$/,
  )
  expect(data?.points.length).toBeGreaterThan(1)
  expect(data?.points.length).toBeLessThanOrEqual(24)
  for (const { value } of data?.points ?? []) expect(value).toBeCloseTo(3)
  const nothing = await org.client.POST('/api/v1/alerting/rules/preview', { body: { ...body, metric: 'nothing' } })
  expect([nothing.data?.value, nothing.data?.points.every(({ status }) => status === 'no_data')]).toEqual([null, true])
})

it('series of several units are refused by a preview and reported by an evaluation', async () => {
  const units = ['s', 'ms'].map((unit) => makeSeries({ metric: 'mixed', unit, service: 'checkout' }))
  await sendSeries(...units.map((one) => ({ ...one, points: [makePoint({ timeNs: ago(1_000), value: 1 })] })))
  const body = { ...watched, metric: 'mixed', conditions: none, window_s: 3_600 }
  const preview = await org.client.POST('/api/v1/alerting/rules/preview', { body })
  expect([preview.response.status, preview.error?.errors?.[0]?.pointer]).toEqual([422, '/metric'])
  const rule = await org.addRule(body)
  advance(periodS)
  const lastError = async () => (await org.rule(rule.id)).state.last_error
  await expect.poll(lastError, { timeout: notifiedMsMax }).toContain('(gauge in ms, gauge in s)')
  const one = { attribute_source: 'intrinsic', attribute_key: 'unit', operator: 'eq', value: 's' } as const
  const chosen = await org.client.POST('/api/v1/alerting/rules/preview', { body: { ...body, conditions: [one] } })
  expect(chosen.data?.value).toBe(1)
})

it('an aggregation that the kind of the series does not have is refused if there are such series', async () => {
  await sendSeries(makeSeries({ metric: 'level', service: 'checkout', points: [makePoint({ timeNs: ago(1_000) })] }))
  const body = { ...watched, metric: 'level', measure: 'rate', conditions: none } as const
  const preview = await org.client.POST('/api/v1/alerting/rules/preview', { body })
  expect([preview.response.status, preview.error?.errors?.[0]?.pointer]).toEqual([422, '/measure'])
})

it('metric rules are exported', async () => {
  const rule = await org.addRule({ ...watched, name: 'Travels' })
  const { data } = await org.client.GET('/api/v1/config/export')
  const exported = data?.alert_rules?.find(({ name }) => name === rule.name)
  expect(exported).toMatchObject({
    kind: 'metric',
    metric: 'queue.length',
    measure: 'max',
    conditions: watched.conditions,
  })
})
