import { expect, it } from 'vitest'
import { type MetricQuery, metricData, metricStreams, renderInScope } from '../../sql/index.ts'
import { expectGolden } from './golden.ts'

const window = { fromNs: 3_600_000_000_000n, toNs: 7_200_000_000_000n }
const scope = { org: 'acme', window }
const requests: MetricQuery = {
  metric: 'http.requests',
  conditions: [{ attribute: { source: 'any', key: 'tenant' }, test: { kind: 'eq', value: 't-1' }, negated: true }],
  stream: { kind: 'sum', unit: '{request}' },
  aggregation: 'rate',
  groupBy: [{ source: 'point', key: 'http.route' }],
  groupsMax: 5,
  window,
  bucketNs: 60_000_000_000n,
}
const everything = { conditions: [], groupBy: [] }

it.each<[string, Partial<MetricQuery>]>([
  ['rate of counters by route', {}],
  ['average of gauges', { ...everything, stream: { kind: 'gauge', unit: '' }, aggregation: 'avg' }],
  ['p95 of histograms', { ...everything, stream: { kind: 'histogram', unit: 's' }, aggregation: 'p95' }],
  [
    'p95 of exponential histograms',
    { ...everything, stream: { kind: 'exponential_histogram', unit: 's' }, aggregation: 'p95' },
  ],
])('%s', (title, change) =>
  expectGolden(`metric-${title}`, renderInScope(metricData({ ...requests, ...change }), scope)),
)

it('the kinds and units of the selected series', () =>
  expectGolden('metric-streams', renderInScope(metricStreams(requests), scope)))

it('conditions select series without reading points', () => {
  const { text } = renderInScope(metricData(requests), scope)
  const ofPoints = text
    .split('FROM metric_points')
    .slice(1)
    .map((read) => read.slice(0, read.indexOf('FROM metric_series')))
  expect(ofPoints).toHaveLength(1)
  expect(ofPoints.join()).not.toContain('attributes')
})
