import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readAttributeList } from '#sql'
import { encode } from '../support/otlp-protobuf.ts'
import { type Answer, type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'

let server: OtlpServer
let org = ''
let orgs = 0
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())
beforeEach(() => {
  org = `org${orgs++}`
})

type Plain = Record<string, unknown>

const time = '1790000000123456789'
const start = '1790000000000000001'
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

function body(metrics: readonly Plain[], service = 'shop'): Plain {
  const resource = { attributes: [text('service.name', service), text('host', 'h1')] }
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: 'meter', version: '2' }, metrics }] }] }
}

function gauge(points: readonly Plain[], name = 'g'): Plain {
  return { name, unit: 's', description: 'd', gauge: { dataPoints: points } }
}

function sendMetrics(request: Plain | Buffer, options: Parameters<typeof send>[2] = {}): Promise<Answer> {
  return send(server, request, { path: '/v1/metrics', org, ...options })
}

async function read(query: string): Promise<Record<string, unknown>[]> {
  const { rows } = await server.clickhouse.read<Record<string, unknown>>(
    { text: query, params: { p0: org } },
    { for: 'system', label: 'stored metrics' },
  )
  return rows
}

const points = () =>
  read(
    `SELECT * EXCEPT (stored_rank, time, start_time, org),
       toUnixTimestamp64Nano(time) AS ns, toUnixTimestamp64Nano(start_time) AS start_ns
     FROM metric_points FINAL WHERE org = {p0:String} ORDER BY metric, series, metric_points.time`,
  )

const series = () =>
  read(
    `SELECT metric, series, kind, temporality, monotonic, unit, description, metadata, service, scope_name,
       scope_version, resource_attributes, toUnixTimestamp64Nano(min(first_seen)) AS first_ns,
       toUnixTimestamp64Nano(max(last_seen)) AS last_ns, count() AS rows
     FROM metric_series WHERE org = {p0:String} GROUP BY ALL ORDER BY metric, series`,
  )

const exemplar = {
  timeUnixNano: time,
  asInt: '-9007199254740993',
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  filteredAttributes: [text('user', 'ada')],
}

const fiveKinds = [
  gauge([{ timeUnixNano: time, asInt: '9007199254740993', attributes: [text('k', 'v')], exemplars: [exemplar] }], 'a'),
  {
    name: 'b',
    metadata: [text('origin', 'test')],
    sum: {
      aggregationTemporality: 1,
      isMonotonic: true,
      dataPoints: [{ timeUnixNano: time, startTimeUnixNano: start, asDouble: 0.1, flags: 0 }],
    },
  },
  {
    name: 'c',
    histogram: {
      aggregationTemporality: 2,
      dataPoints: [
        {
          timeUnixNano: time,
          startTimeUnixNano: start,
          count: '18446744073709551615',
          sum: -1.5,
          min: -3,
          max: 7,

          explicitBounds: [-1, 0.5],
          bucketCounts: ['18446744073709551612', '2', '1'],
        },
      ],
    },
  },
  {
    name: 'd',
    exponentialHistogram: {
      aggregationTemporality: 2,
      dataPoints: [
        {
          timeUnixNano: time,
          startTimeUnixNano: start,
          count: '10',
          scale: -3,
          zeroCount: '1',
          zeroThreshold: 1e-9,

          positive: { offset: -7, bucketCounts: ['0', '3'] },
          negative: { offset: 4, bucketCounts: ['6'] },
        },
      ],
    },
  },
  {
    name: 'e',
    summary: {
      dataPoints: [
        {
          timeUnixNano: time,
          count: '4',
          sum: 9.25,
          quantileValues: [{}, { quantile: 0.5, value: 2 }, { quantile: 1, value: 4 }],
        },
      ],
    },
  },
]

it('all five kinds are stored with their values, types and fields', async () => {
  expect((await sendMetrics(body(fiveKinds))).message).toEqual({})
  const stored = await points()
  const common = { start_ns: start, ns: time, flags: 0 }
  expect(stored).toMatchObject([
    { metric: 'a', ns: time, start_ns: '0', value_type: 1, value_int: '9007199254740993', value_double: 0 },
    { metric: 'b', ...common, value_type: 2, value_double: 0.1, exemplars: '' },
    { metric: 'c', ...common, count: '18446744073709551615', sum: -1.5, min: -3, max: 7, bounds: [-1, 0.5] },
    { metric: 'd', ...common, count: '10', sum: null, min: null, max: null, scale: -3, zero_count: '1' },
    { metric: 'e', count: '4', sum: 9.25, quantiles: [0, 0.5, 1], quantile_values: [0, 2, 4] },
  ])
  expect(stored[2]).toMatchObject({ bucket_counts: ['18446744073709551612', '2', '1'] })
  expect(stored[3]).toMatchObject({ positive_offset: -7, positive_counts: ['0', '3'], zero_threshold: 1e-9 })
  expect(stored[3]).toMatchObject({ negative_offset: 4, negative_counts: ['6'] })
  expect(JSON.parse(String(stored[0]?.exemplars))).toEqual([
    { t: time, v: 'i-9007199254740993', x: exemplar.traceId, s: exemplar.spanId, a: [['user', 'sada']] },
  ])
})

it('series carry kind, temporality, monotonicity, unit, resource and scope', async () => {
  await sendMetrics(body(fiveKinds))
  const stored = await series()
  expect(stored.map(({ kind, temporality, monotonic }) => [kind, temporality, monotonic])).toEqual([
    [1, 0, 0],
    [2, 1, 1],
    [3, 2, 0],
    [4, 2, 0],
    [5, 0, 0],
  ])
  expect(stored[0]).toMatchObject({
    unit: 's',
    description: 'd',
    service: 'shop',
    scope_name: 'meter',
    scope_version: '2',
  })
  expect(readAttributeList(String(stored[0]?.resource_attributes))).toContainEqual(['host', 'sh1'])
  expect(readAttributeList(String(stored[1]?.metadata))).toEqual([['origin', 'stest']])
  expect(stored).toMatchObject([{ first_ns: time, last_ns: time }, {}, {}, {}, {}])
})

it('protobuf and JSON store the same rows, and a body sent again in the other encoding is stored once', async () => {
  await sendMetrics(body(fiveKinds))
  const [before, seriesBefore] = [await points(), await series()]
  const inProtobuf = body(fiveKinds.map((metric) => JSON.parse(JSON.stringify(metric), idsAsBytes)))
  const request = encode('collector.metrics.v1.ExportMetricsServiceRequest', inProtobuf)
  expect((await sendMetrics(request, { gzip: true })).message).toEqual({})
  const rows = await read('SELECT count() AS points FROM metric_points WHERE org = {p0:String}')
  expect(rows).toEqual([{ points: '5' }])
  expect([await points(), await series()]).toEqual([before, seriesBefore])
})

function idsAsBytes(key: string, value: unknown): unknown {
  return key === 'traceId' || key === 'spanId' ? Buffer.from(String(value), 'hex') : value
}

it('a point that is sent again in another body is stored once, as it was first sent', async () => {
  await sendMetrics(body([gauge([{ timeUnixNano: time, asInt: '1' }])]))
  await sendMetrics(
    body([
      gauge([
        { timeUnixNano: time, asInt: '2' },
        { timeUnixNano: start, asInt: '3' },
      ]),
    ]),
  )
  expect((await points()).map(({ value_int }) => value_int)).toEqual(['3', '1'])
})

it('keys, unit, temporality, scope and resource identify a series; the order of attributes does not', async () => {
  const [a, b] = [text('a', '1'), text('b', '2')]
  const at = (attributes: Plain[], timeUnixNano = time) => ({ timeUnixNano, asInt: '1', attributes })
  await sendMetrics(
    body([gauge([at([a, b]), at([b, a], start)]), gauge([at([a])]), { ...gauge([at([a, b])]), unit: 'm' }]),
  )
  await sendMetrics(body([gauge([at([a, b])])], 'other'))
  const stored = await series()
  expect(stored).toHaveLength(4)
  expect(stored.filter(({ first_ns, last_ns }) => first_ns === start && last_ns === time)).toHaveLength(1)
})

it('a series has a row for each day with points, with the first and last time', async () => {
  const day = 86_400_000_000_000n
  const moments = [5n, 3n, 9n, day + 1n, 4n].map((offset) => String(1_789_948_800_000_000_000n + offset))
  await sendMetrics(body([gauge(moments.map((timeUnixNano) => ({ timeUnixNano, asInt: '1' })))]))
  const rows = await read(
    `SELECT toUnixTimestamp64Nano(first_seen) % 86400000000000 AS first,
       toUnixTimestamp64Nano(last_seen) % 86400000000000 AS last
     FROM metric_series WHERE org = {p0:String} ORDER BY first_seen`,
  )
  expect(rows).toEqual([
    { first: '3', last: '9' },
    { first: '1', last: '1' },
  ])
})

const histogram = (point: Plain): Plain => ({
  name: 'h',
  histogram: { aggregationTemporality: 2, dataPoints: [{ timeUnixNano: time, ...point }] },
})
const pointOf = (quantile: number | string): Plain => ({ timeUnixNano: time, quantileValues: [{ quantile }] })
const good = gauge([{ timeUnixNano: time, asInt: '1' }], 'é'.repeat(1_000))
const faulty: readonly (readonly [string, Plain])[] = [
  ['has no name', gauge([{ timeUnixNano: time, asInt: '1' }], '')],
  ['longer than 1,000 characters', gauge([{ timeUnixNano: time, asInt: '1' }], 'é'.repeat(1_001))],
  ['neither delta nor cumulative', { name: 's', sum: { dataPoints: [{ timeUnixNano: time, asInt: '1' }] } }],
  ['the time is unset', gauge([{ asInt: '1' }])],
  ['the start time is after', gauge([{ timeUnixNano: time, startTimeUnixNano: '18446744073709551615', asInt: '1' }])],
  ['the point has neither a value nor the flag', gauge([{ timeUnixNano: time }])],
  ['bounds are not strictly', histogram({ count: '3', explicitBounds: [2, 2], bucketCounts: ['1', '1', '1'] })],
  ['explicit bounds plus one', histogram({ count: '2', explicitBounds: [1, 2], bucketCounts: ['1', '1'] })],
  ['not the sum of the bucket counts', histogram({ count: '4', explicitBounds: [1], bucketCounts: ['1', '1'] })],
  ['not between 0 and 1', { name: 'q', summary: { dataPoints: [pointOf(1.5)] } }],
  ['a quantile is not between', { name: 'q', summary: { dataPoints: [pointOf('NaN')] } }],
]

it.each(faulty)('only the invalid point is rejected, with the reason: %s', async (reason, metric) => {
  const { status, message } = await sendMetrics(body([metric, good]))
  expect(status).toBe(200)
  expect(message).toMatchObject({ partialSuccess: { rejectedDataPoints: '1' } })
  const { errorMessage } = message.partialSuccess as { errorMessage: string }
  expect(errorMessage).toContain('1 of 2 data points rejected.')
  expect(errorMessage).toContain(reason)
  expect(errorMessage).toContain('first at resource_metrics[0].scope_metrics[0].metrics[0].data_points[0]')
  expect((await points()).map(({ metric: name }) => name)).toEqual(['é'.repeat(1_000)])
})

it('a point with the flag NO_RECORDED_VALUE is stored without a value', async () => {
  expect((await sendMetrics(body([gauge([{ timeUnixNano: time, flags: 1 }])]))).message).toEqual({})
  expect(await points()).toMatchObject([{ flags: 1, value_type: 0 }])
})

it('a metric without data of a known kind is skipped, and the partial success says so', async () => {
  const { message } = await sendMetrics(body([{ name: 'nothing' }, good]))
  expect(message).toEqual({
    partialSuccess: { rejectedDataPoints: '0', errorMessage: expect.stringContaining('1 metric skipped') },
  })
})

it('an empty request succeeds, and an invalid message is rejected', async () => {
  expect(await sendMetrics({})).toMatchObject({ status: 200, message: {} })
  expect((await sendMetrics(Buffer.from([0x0a, 0x7f]))).status).toBe(400)
})

it('only roles that may send telemetry can send', async () => {
  expect((await sendMetrics({}, { role: 'viewer' })).status).toBe(403)
})

it('a body whose points could not be stored is stored once when it is sent again', async () => {
  let failures = 1
  const failing = await startOtlpServer({
    sink: (clickhouse) => ({
      insert: async (table, ...rest) => {
        if (table === 'metric_points' && failures-- > 0) throw new Error('the disk is full')
        await clickhouse.insert(table, ...rest)
      },
    }),
  })
  try {
    const again = () => send(failing, body(fiveKinds), { path: '/v1/metrics' })
    expect((await again()).status).toBe(503)
    expect(await again()).toMatchObject({ status: 200, message: {} })
    const query = 'SELECT (SELECT count() FROM metric_points) AS points, (SELECT count() FROM metric_series) AS series'
    const { rows } = await failing.clickhouse.read({ text: query, params: {} }, { for: 'system', label: 'rows' })
    expect(rows).toEqual([{ points: '5', series: '5' }])
  } finally {
    await failing.close()
  }
})
