import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import { toOtlpAttribute, toOtlpPoint } from '../support/points-as-otlp.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const example = 'conformance/otlp/opentelemetry-proto-examples/metrics.json'

describeOver([example], 'the official example of OTLP metrics, sent as it is', () => {
  it('is stored without loss', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await app.send('/v1/metrics', { method: 'POST', headers, body: readShared(example) })
    expect([answer.status, await answer.text()]).toEqual([200, '{}'])
    const { rows } = await app.app.clickhouse.read(
      {
        text: `SELECT metric, toUnixTimestamp64Nano(time) AS ns, toUnixTimestamp64Nano(start_time) AS start_ns,
          value_type, value_double, count, sum, min, max, bounds, bucket_counts,
          scale, zero_count, positive_offset, positive_counts, negative_counts
          FROM metric_points FINAL ORDER BY metric`,
        params: {},
      },
      { for: 'system', label: 'the example' },
    )
    const ns = '1544712660300000000'
    expect(rows).toMatchObject([
      { metric: 'my.counter', ns, start_ns: ns, value_type: 2, value_double: 5 },
      {
        metric: 'my.exponential.histogram',
        ns,
        start_ns: ns,
        count: '3',
        sum: 10,
        min: 0,
        max: 5,
        scale: 0,
        zero_count: '1',
        positive_offset: 1,
        positive_counts: ['0', '2'],
        negative_counts: [],
      },
      { metric: 'my.gauge', ns, start_ns: '0', value_type: 2, value_double: 10 },
      {
        metric: 'my.histogram',
        ns,
        start_ns: ns,
        count: '2',
        sum: 2,
        min: 0,
        max: 2,
        bounds: [1],
        bucket_counts: ['1', '1'],
      },
    ])
  })

  it('is returned completely by the API', async () => {
    const sent = JSON.parse(readShared(example))
    const { scope, metrics } = sent.resourceMetrics[0].scopeMetrics[0]
    const client = await app.client({ role: 'viewer' })
    const window = { from: '2018-12-13T00:00:00Z', to: '2018-12-14T00:00:00Z' }
    for (const { name, unit, description, ...data } of metrics) {
      const { data: page } = await client.POST('/api/v1/metrics/points/search', { body: { ...window, metric: name } })
      const [kind, of] = Object.entries(data)[0] as [string, { dataPoints: object[] }]
      expect(page?.items.map(toOtlpPoint), name).toEqual(of.dataPoints)
      const { series } = page?.items[0] ?? {}
      expect(series).toMatchObject({ metric: name, unit, description, kind: kind.replace('lH', 'l_h') })
      const attributes = series?.scope.attributes.map(toOtlpAttribute)
      expect({ ...series?.scope, attributes }).toEqual(scope)
      expect(series?.resource_attributes.map(toOtlpAttribute)).toEqual(sent.resourceMetrics[0].resource.attributes)
    }
    expect(metrics).toHaveLength(4)
  })

  it('has series with all their properties', async () => {
    const { rows: series } = await app.app.clickhouse.read(
      {
        text: `SELECT metric, kind, temporality, monotonic, unit, description, service, scope_name, scope_version,
          attributes.\`my%2Egauge%2Eattr\`.:String AS own
          FROM metric_series ORDER BY metric`,
        params: {},
      },
      { for: 'system', label: 'the series of the example' },
    )
    const common = { unit: '1', service: 'my.service', scope_name: 'my.library', scope_version: '1.0.0' }
    expect(series).toEqual([
      {
        ...common,
        metric: 'my.counter',
        kind: 2,
        temporality: 1,
        monotonic: 1,
        description: 'I am a Counter',
        own: null,
      },
      {
        ...common,
        metric: 'my.exponential.histogram',
        kind: 4,
        temporality: 1,
        monotonic: 0,
        description: 'I am an Exponential Histogram',
        own: null,
      },
      {
        ...common,
        metric: 'my.gauge',
        kind: 1,
        temporality: 0,
        monotonic: 0,
        description: 'I am a Gauge',
        own: 'ssome value',
      },
      {
        ...common,
        metric: 'my.histogram',
        kind: 3,
        temporality: 1,
        monotonic: 0,
        description: 'I am a Histogram',
        own: null,
      },
    ])
  })
})
