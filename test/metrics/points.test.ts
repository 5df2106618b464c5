/** Points of every kind are returned as they were sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { toOtlpPoint } from '../support/points-as-otlp.ts'
import { type MetricSubject, openMetricSubject } from './metric-subject.ts'

type Page = components['schemas']['MetricPointPage']

let subject: MetricSubject
beforeAll(async () => {
  subject = await openMetricSubject()
})
afterAll(() => subject.close())

const time = '1790000000123456789'
const start = '1790000000000000001'
const window = { from: '2026-09-21T00:00:00Z', to: '2026-09-22T00:00:00Z' }
const path = '/api/v1/metrics/points/search'
const at = { timeUnixNano: time, startTimeUnixNano: start }
const attributes = [
  { key: 'a.b', value: { stringValue: '😀' } },
  { key: 'number', value: { intValue: '9007199254740993' } },
]
const exemplar = {
  timeUnixNano: time,
  asInt: '-9007199254740993',
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  filteredAttributes: [{ key: 'user', value: { stringValue: 'ada' } }],
}
const bare = { timeUnixNano: '1', asDouble: 0.1 }

const aggregationTemporality = 2
const kinds: Record<string, { metric: object; point: object }> = {
  int: of('gauge', { timeUnixNano: time, asInt: '-9223372036854775808', exemplars: [exemplar, bare] }),
  double: of('sum', { ...at, asDouble: 5e-324 }, { aggregationTemporality, isMonotonic: true }),
  'not a number': of('gauge', { timeUnixNano: time, asDouble: 'NaN' }),
  'minus infinity': of('gauge', { timeUnixNano: time, asDouble: '-Infinity' }),
  'no recorded value': of('gauge', { timeUnixNano: time, flags: 1 }),
  histogram: of(
    'histogram',
    {
      ...at,
      count: '18446744073709551615',
      sum: -1.5,
      min: -3,
      max: 'Infinity',
      explicitBounds: [-1, 0.5],
      bucketCounts: ['18446744073709551612', '2', '1'],
      exemplars: [exemplar],
    },
    { aggregationTemporality },
  ),
  'histogram without buckets or sum': of(
    'histogram',
    { ...at, count: '2', explicitBounds: [], bucketCounts: [] },
    { aggregationTemporality },
  ),
  'exponential histogram': of(
    'exponentialHistogram',
    {
      ...at,
      count: '10',
      sum: 12,
      min: 0,
      max: 4,
      scale: -3,
      zeroCount: '1',
      zeroThreshold: 1e-9,
      positive: { offset: -7, bucketCounts: ['0', '3'] },
      negative: { offset: 4, bucketCounts: ['6'] },
    },
    { aggregationTemporality: 1 },
  ),
  summary: of('summary', {
    ...at,
    count: '3',
    sum: 7.5,
    quantileValues: [
      { quantile: 0.5, value: 2 },
      { quantile: 1, value: 'NaN' },
    ],
  }),
}

function of(kind: string, given: object, more: object = {}) {
  const point = { attributes, ...given }
  return { metric: { [kind]: { ...more, dataPoints: [point] } }, point }
}

async function sendMetrics(org: string, metrics: object[]) {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
  const scope = { name: 'meter', version: '2', attributes }
  const body = { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }
  expect(await subject.send(org, '/v1/metrics', body, { role: 'ingest' })).toEqual({ status: 200, body: {} })
}

async function search(org: string, body: object): Promise<Page> {
  const answer = await subject.send<Page>(org, path, { ...window, ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

describe('a point with', () => {
  beforeAll(() =>
    sendMetrics(
      'kinds',
      Object.entries(kinds).map(([name, { metric }]) => ({ name, ...metric })),
    ),
  )

  it.each(Object.entries(kinds))('%s is read back whole', async (metric, { point }) => {
    const { items } = await search('kinds', { metric })
    expect(items.map(toOtlpPoint)).toEqual([point])
  })
})

it('an exemplar without ids has none, also if its sender wrote zeros', async () => {
  const zeros = { traceId: '0'.repeat(32), spanId: '0'.repeat(16) }
  const exemplars = [zeros, {}, exemplar].map((each) => ({ timeUnixNano: time, ...each }))
  await sendMetrics('zeros', [{ name: 'm', gauge: { dataPoints: [{ timeUnixNano: time, asInt: '1', exemplars }] } }])
  const [point] = (await search('zeros', { metric: 'm' })).items
  expect(point?.exemplars.map(({ trace_id, span_id }) => [trace_id, span_id])).toEqual([
    [null, null],
    [null, null],
    [exemplar.traceId, exemplar.spanId],
  ])
})

it('an exemplar whose ids have a wrong length is stored without them, and the partial success says so', async () => {
  const exemplars = [{ ...bare, traceId: 'abcd', spanId: '0'.repeat(18) }]
  const metric = { name: 'm', gauge: { dataPoints: [{ timeUnixNano: time, asInt: '1', exemplars }] } }
  const body = { resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] }
  const sent = await subject.send('wrong ids', '/v1/metrics', body, { role: 'ingest' })
  const errorMessage = '2 exemplar ids dropped: a trace id must have 16 bytes, a span id 8 bytes.'
  expect(sent).toEqual({ status: 200, body: { partialSuccess: { rejectedDataPoints: '0', errorMessage } } })
  const [point] = (await search('wrong ids', { metric: 'm' })).items
  expect(point?.exemplars).toMatchObject([{ trace_id: null, span_id: null }])
})

it('the sum of a summary is 0 if it is absent, as protobuf sends it', async () => {
  await sendMetrics('zero sum', [{ name: 'm', summary: { dataPoints: [{ ...at, count: '4' }] } }])
  const body = { ...window, metric: 'm', aggregation: 'avg' }
  const answer = await subject.send<{ series: { points: unknown[][] }[] }>('zero sum', '/api/v1/metrics/query', body)
  expect(answer.body.series.map(({ points }) => points.map(([, value]) => value))).toEqual([[0]])
})

it('a point contains its series with all properties', async () => {
  const metadata = [{ key: 'origin', value: { stringValue: 'test' } }]
  const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints: [{ ...at, asInt: '1', attributes }] }
  await sendMetrics('described', [{ name: 'm', unit: 'By', description: 'Bytes', metadata, sum }])
  const own = [
    { key: 'a.b', type: 'string', value: '😀' },
    { key: 'number', type: 'int', value: '9007199254740993' },
  ]
  expect((await search('described', { metric: 'm' })).items[0]?.series).toEqual({
    metric: 'm',
    kind: 'sum',
    unit: 'By',
    description: 'Bytes',
    temporality: 'delta',
    monotonic: true,
    service: 'shop',
    scope: { name: 'meter', version: '2', attributes: own },
    attributes: own,
    resource_attributes: [{ key: 'service.name', type: 'string', value: 'shop' }],
    metadata: [{ key: 'origin', type: 'string', value: 'test' }],
  })
})

it('pages contain every point of the selected series once, newest first', async () => {
  const series = ['x', 'y', 'z'].map((name) => [{ key: 'name', value: { stringValue: name } }])
  const dataPoints = series.flatMap((own) =>
    [3, 1, 2].map((second) => ({ timeUnixNano: `179000000${second}000000000`, asInt: '1', attributes: own })),
  )
  await sendMetrics('paged', [{ name: 'm', gauge: { dataPoints } }])
  const conditions = [{ attribute_source: 'point', attribute_key: 'name', operator: 'neq', value: 'y' }]
  const whole = (await search('paged', { metric: 'm', conditions })).items
  expect(whole.map((point) => point.time.slice(-4, -1))).toEqual([':23', ':23', ':22', ':22', ':21', ':21'])
  const paged = []
  let cursor: string | null = null
  do {
    const page: Page = await search('paged', { metric: 'm', conditions, limit: 1, cursor })
    paged.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  expect(paged).toEqual(whole)
})

it('restricted callers are rejected, other organizations see nothing, and cursors belong to their query', async () => {
  const body = { ...window, metric: 'int' }
  expect((await subject.send('kinds', path, body, { role: 'restricted' })).status).toBe(403)
  expect((await search('another', { metric: 'int' })).items).toEqual([])
  expect((await subject.send('kinds', path, { ...body, cursor: 'x' })).status).toBe(400)
})
