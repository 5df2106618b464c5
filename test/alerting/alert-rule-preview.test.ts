import { describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { nowhere } from '../support/alert-rule-requests.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

type Preview = components['schemas']['AlertRulePreview']

const newTenant = sharedApp()

const startMs = Number(drawnStartNs / 1_000_000n)
const at = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString()

const rule = { kind: 'trace', measure: 'span_count', comparator: 'gt', threshold: 0, window_s: 10 }

async function preview(tenant: Tenant, change: object): Promise<Preview> {
  const { status, body } = await tenant.ask<Preview>('POST', '/alerting/rules/preview', {
    body: { ...rule, ...change },
  })
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}

let spans = 0

/** Makes a span that starts `seconds` after the start, in a new trace unless `change` names one. */
function spanAt(seconds: number, change: Partial<SpanModel> = {}): SpanModel {
  spans += 1
  const id = spans.toString(16)
  const startNs = drawnStartNs + BigInt(Math.round(seconds * 1e9))
  return makeSpan({
    traceId: id.padStart(32, '0'),
    spanId: id.padStart(16, '0'),
    service: 'checkout',
    startNs,
    ...change,
  })
}

async function send(tenant: Tenant, ...sent: SpanModel[]): Promise<void> {
  await tenant.app.sendSpans(toOtlpJson(sent), { org: tenant.org, role: 'ingest' })
}

const valuesOf = ({ points }: Preview) => points.map(({ value }) => value)

it('a preview has every evaluation and notification of the window', async () => {
  const tenant = newTenant()
  await send(tenant, ...[31, 32, 46, 47, 62].map((seconds) => spanAt(seconds, { status: 'error' })), spanAt(63))
  const request = { from: at(0), to: at(120), measure: 'error_count', threshold: 1, window_s: 20, for_s: 15 }
  expect(await preview(tenant, { ...request, service: 'checkout' })).toEqual({
    value: 0,
    summary: 'The number of failed spans of service "checkout" over 20 seconds is 0, which is not above 1.',
    step_s: 15,
    points: [
      { at: at(0), value: 0, status: 'ok' },
      { at: at(15), value: 0, status: 'ok' },
      { at: at(30), value: 0, status: 'ok' },
      { at: at(45), value: 2, status: 'pending' },
      { at: at(60), value: 2, status: 'firing' },
      { at: at(75), value: 1, status: 'ok' },
      ...[90, 105, 120].map((seconds) => ({ at: at(seconds), value: 0, status: 'ok' })),
    ],
    notifications: [
      { at: at(60), state: 'firing' },
      { at: at(75), state: 'resolved' },
    ],
  })
  expect((await tenant.ask<{ items: unknown[] }>('GET', '/alerting/alerts')).body.items).toEqual([])
  expect((await tenant.ask<{ items: unknown[] }>('GET', '/alerting/rules')).body.items).toEqual([])
})

it('without spans, counts are 0 and rates and percentiles have no data, which does not resolve an alert', async () => {
  const tenant = newTenant()
  const request = { from: at(0), to: at(30), window_s: 10 }
  for (const measure of ['span_count', 'error_count', 'message_count']) {
    const { value, points } = await preview(tenant, { ...request, measure, comparator: 'lt', threshold: 1 })
    expect([value, points.map((point) => [point.value, point.status])]).toEqual([0, Array(3).fill([0, 'firing'])])
  }
  await send(tenant, spanAt(14, { durationNs: 5_000_000n, status: 'error' }))
  for (const [measure, found, words] of [
    ['error_rate', 1, 'share of failed spans among the spans'],
    ['p95_ms', 5, '95th percentile duration in milliseconds of the spans'],
  ] as const) {
    const { value, summary, points, notifications } = await preview(tenant, { ...request, measure, threshold: 0 })
    expect([value, summary]).toEqual([null, `The ${words} over 10 seconds has no data.`])
    expect(points.map((point) => [point.value, point.status])).toEqual([
      [null, 'no_data'],
      [found, 'firing'],
      [null, 'firing'],
    ])
    expect(notifications).toEqual([{ at: at(15), state: 'firing' }])
  }
})

it('a window includes its start and excludes its end', async () => {
  const tenant = newTenant()
  const [first, end] = [5, 15]
  const nanosecond = 1e-9
  await send(tenant, spanAt(first), spanAt(first - nanosecond), spanAt(end - nanosecond), spanAt(end))
  expect(valuesOf(await preview(tenant, { from: at(0), to: at(30) }))).toEqual([0, 2, 0])
})

describe('the 95th percentile is the smallest value that at least 95 % of the values do not exceed', () => {
  it.each([
    [1, 1],
    [19, 19],
    [20, 19],
    [21, 20],
    [40, 38],
    [100, 95],
    [101, 96],
  ])('of %i spans of 1 ms, 2 ms, … it is %i ms', async (count, expected) => {
    const tenant = newTenant()
    const { id } = await tenant.create({ matchers: [{ service: 'checkout' }] })
    const walked = await tenant.create({
      matchers: [{ service: 'checkout', attribute_key: 'none', operator: 'not_exists', include_descendants: true }],
    })
    const durations = Array.from({ length: count }, (_, n) => ((n * 37) % count) + 1)
    // 37 shares no factor with any of the counts, so that each duration occurs once.
    expect(new Set(durations).size).toBe(count)
    await send(tenant, ...durations.map((ms) => spanAt(5, { durationNs: BigInt(ms) * 1_000_000n })))
    const request = { from: at(0), to: at(10), measure: 'p95_ms' }
    for (const scope of [{}, { service: 'checkout' }, { integration_id: id }, { integration_id: walked.id }])
      expect(valuesOf(await preview(tenant, { ...request, ...scope }))).toEqual([expected])
  })
})

describe('the evaluation times of a preview', () => {
  const timesOf = async (tenant: Tenant, window: object, change: object = {}) => {
    const { step_s, points } = await preview(tenant, { ...window, ...change })
    return [step_s, points.length, points[0]?.at, points.at(-1)?.at]
  }

  it.each([
    ['a second', 1, 15, 1, at(1)],
    ['a period', 15, 15, 2, at(0)],
    ['an hour less a second', 3_585, 15, 240, at(0)],
    ['an hour', 3_600, 16, 226, at(0)],
    ['a day', 86_400, 362, 239, at(244)],
  ])('over %s are those of the schedule, or at most 240', async (_, length, step, points, first) => {
    expect(await timesOf(newTenant(), { from: at(0), to: at(length) })).toEqual([step, points, first, at(length)])
  })

  it('are at most 24 if the slice depends on other spans of a trace', async () => {
    const tenant = newTenant()
    const { id } = await tenant.create({ matchers: [{ service: 'a', include_descendants: true }] })
    const all = await tenant.create({ rule_match: 'all', matchers: [{ service: 'a' }, { service: 'b' }] })
    for (const integration_id of [id, all.id])
      expect(await timesOf(tenant, { from: at(0), to: at(3_600) }, { integration_id })).toEqual([
        ...[157, 23, at(146), at(3_600)],
      ])
  })

  it('lie in any valid window', async () => {
    const tenant = newTenant()
    const all = await preview(tenant, { from: '1960-01-01T00:00:00Z', to: '2300-01-01T00:00:00Z' })
    expect([all.points.length, all.points.at(-1)?.at]).toEqual([239, '2262-04-11T23:47:16.854Z'])
    const [first] = (await preview(tenant, { to: '1970-01-01T00:00:00.000000001Z' })).points
    expect(first?.value).toBe(0)
    const sentMs = Date.now()
    const hour = await preview(tenant, {})
    expect(Date.parse(hour.points.at(-1)?.at ?? '')).toBeGreaterThan(sentMs - 60_000)
  })

  it('require a window that is not empty', async () => {
    const tenant = newTenant()
    for (const window of [
      { from: at(1), to: at(1) },
      { from: at(2), to: at(1) },
    ]) {
      const { refusal } = await tenant.ask('POST', '/alerting/rules/preview', { body: { ...rule, ...window } })
      expect(refusal).toEqual(['invalid_request', '/from'])
    }
    const body = { ...rule, from: '2026-02-30T00:00:00Z' }
    expect((await tenant.ask('POST', '/alerting/rules/preview', { body })).refusal[1]).toBe('/from')
  })
})

it('a preview accepts a complete rule, and requires neither name nor channels', async () => {
  const tenant = newTenant()
  const whole = { name: 'x', severity: 'info', channel_ids: [nowhere], include: { link: false }, enabled: false }
  expect(await preview(tenant, { from: at(0), to: at(1), ...whole })).toMatchObject({ points: [{ value: 0 }] })
})

it('the summary quotes any name of an integration', async () => {
  const tenant = newTenant()
  const name = 'Zahlung "schlägt" fehl — 支払い 💳'
  const { id } = await tenant.create({ name, matchers: [{ service: 'checkout' }] })
  const conditions = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ attribute_key: key, operator: 'exists' }))
  const { summary } = await preview(tenant, { integration_id: id, conditions, measure: 'message_count' })
  expect(summary).toBe(
    `The number of messages with spans of integration ${JSON.stringify(name)} ` +
      'where a exists and b exists and c exists and 2 more over 10 seconds is 0, which is not above 0.',
  )
})

it('the summary of a rule with a message filter spells out its first three conditions', async () => {
  const rows = ['a', 'b', 'c', 'd'].map((key) => ({ attribute_key: key, operator: 'exists' }))
  const relations = [{ kind: 'contains', from: [], to: [] }]
  const filter = { measure: 'message_count', relations }
  const tenant = newTenant()
  expect((await preview(tenant, { ...filter, rows })).summary).toBe(
    'The number of messages where a is present and b is present and c is present and 2 more over 10 seconds is 0, ' +
      'which is not above 0.',
  )
  expect((await preview(tenant, { ...filter, rows: rows.slice(2) })).summary).toContain(
    ' where c is present and d is present and a step contains a step over ',
  )
})

it.each(['\u0000', "'; DROP TABLE spans; --", '{p0:String}', '%_\\', '💥'.repeat(2_000)])(
  'conditions compare with any text: %.30j',
  async (value) => {
    const tenant = newTenant()
    await send(tenant, spanAt(5), spanAt(5, { attributes: [['tenant', { stringValue: value }]] }))
    const conditions = [{ attribute_key: 'tenant', operator: 'eq', value }]
    expect(valuesOf(await preview(tenant, { from: at(0), to: at(10), conditions }))).toEqual([1])
  },
)
