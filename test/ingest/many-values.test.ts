import { afterAll, beforeAll, expect, it } from 'vitest'
import { readAttributeList } from '#sql'
import { requestOf, span } from '../support/otlp-json.ts'
import { type OtlpServer, send, startOtlpServer, storedSpans } from '../support/otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

const time = '1790000000123456789'
const valuesOf = (count: number) => ({ arrayValue: { values: Array.from({ length: count }, () => ({ intValue: 1 })) } })
const listOf = (count: number) => [{ key: 'list', value: valuesOf(count) }]
const gauge = (name: string, ...points: object[]) => ({ name, gauge: { dataPoints: points } })
const point = (content: object = {}) => ({ timeUnixNano: time, asInt: 1, ...content })
const resourceMetrics = (attributes: object[], ...metrics: object[]) => ({
  resource: { attributes },
  scopeMetrics: [{ metrics }],
})

async function sendMetrics(org: string, ...resources: object[]): Promise<unknown> {
  const { status, message } = await send(server, { resourceMetrics: resources }, { path: '/v1/metrics', org })
  expect(status).toBe(200)
  return message.partialSuccess
}

/** Reads the length of the attribute `list` of each stored series and of its resource, by metric. */
async function storedLists(org: string): Promise<unknown[]> {
  const { rows } = await server.clickhouse.read<Record<string, string>>(
    {
      text: `SELECT metric, resource_attributes, metadata, toString(attributes.list) AS list, count() AS points
        FROM metric_series JOIN metric_points USING (org, metric, series)
        WHERE org = {p0:String} GROUP BY ALL ORDER BY metric`,
      params: { p0: org },
    },
    { for: 'system', label: 'stored series' },
  )
  const lengthOf = (tagged: string | undefined) => (tagged ? JSON.parse(tagged.slice(1)).length : 0)
  const lengthIn = (list: string | undefined) => lengthOf(new Map(readAttributeList(list ?? '')).get('list'))
  return rows.map(({ metric, resource_attributes, metadata, list, points }) => ({
    metric,
    points: Number(points),
    lists: [lengthIn(resource_attributes), lengthIn(metadata), lengthOf(list)],
  }))
}

it('every span of a resource with more than 50,000 values is rejected', async () => {
  const body = requestOf(
    { list: valuesOf(50_001) },
    Array.from({ length: 3 }, () => span()),
  )
  const { message } = await send(server, body, { org: 'resource' })
  expect(message.partialSuccess).toMatchObject({ rejectedSpans: '3' })
  expect(await storedSpans(server.clickhouse, 'resource')).toEqual([])
})

it('every point of a resource or a metric with more than 50,000 values is rejected', async () => {
  const partial = await sendMetrics(
    'owner',
    resourceMetrics(listOf(50_001), gauge('a', point(), point()), gauge('b', point())),
    resourceMetrics([], { ...gauge('c', point(), point()), metadata: listOf(50_001) }, gauge('d', point())),
  )
  expect(partial).toMatchObject({ rejectedDataPoints: '5' })
  expect(await storedLists('owner')).toEqual([{ metric: 'd', points: 1, lists: [0, 0, 0] }])
})

it('a rejected point leaves neither its series nor its time behind', async () => {
  const exemplars = Array.from({ length: 50_001 }, () => ({ timeUnixNano: time, asInt: 1 }))
  const later = String(BigInt(time) + 1_000_000_000n)
  const partial = await sendMetrics(
    'left',
    resourceMetrics(
      [],
      gauge('a', point({ exemplars })),
      gauge('b', point(), point({ timeUnixNano: later, exemplars })),
    ),
  )
  expect(partial).toMatchObject({ rejectedDataPoints: '2' })
  const { rows } = await server.clickhouse.read(
    {
      text: `SELECT metric, toUnixTimestamp64Nano(last_seen) AS last FROM metric_series WHERE org = {p0:String}`,
      params: { p0: 'left' },
    },
    { for: 'system', label: 'stored series' },
  )
  expect(rows).toEqual([{ metric: 'b', last: time }])
})

it('a point with very many exemplars changes nothing of the resource and the metric after it', async () => {
  const exemplars = (count: number) => Array.from({ length: count }, () => ({ timeUnixNano: time, asInt: 1 }))
  const partial = await sendMetrics(
    'after',
    resourceMetrics([], gauge('a', point({ exemplars: exemplars(50_001) }))),
    resourceMetrics(listOf(5), { ...gauge('b', point({ exemplars: exemplars(50_000) })), metadata: listOf(4) }),
    resourceMetrics(listOf(5), { ...gauge('c', point()), metadata: listOf(4) }),
  )
  expect(partial).toMatchObject({ rejectedDataPoints: '1' })
  expect(await storedLists('after')).toEqual([
    { metric: 'b', points: 1, lists: [5, 4, 0] },
    { metric: 'c', points: 1, lists: [5, 4, 0] },
  ])
})

it('the values of a series are counted once, and a series with too many has no row', async () => {
  const partial = await sendMetrics(
    'series',
    resourceMetrics(
      [],
      gauge(
        'a',
        point({ attributes: listOf(40_000) }),
        point({ attributes: listOf(40_000), timeUnixNano: '1790000000123456790' }),
      ),
      gauge('b', point({ attributes: listOf(50_001) }), point()),
    ),
  )
  expect(partial).toMatchObject({ rejectedDataPoints: '1' })
  expect(await storedLists('series')).toEqual([
    { metric: 'a', points: 2, lists: [0, 0, 40_000] },
    { metric: 'b', points: 1, lists: [0, 0, 0] },
  ])
})
