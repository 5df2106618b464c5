/** The series that conditions select, for every operator, including series without the key. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { metricPoints, parseConditions, renderInScope, seriesRecords, seriesWithIds } from '#sql'
import { type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'

let server: OtlpServer
const scope = { org: 'acme', window: { fromNs: 0n, toNs: 2n ** 63n - 1n } }
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const point = (asInt: string, attributes: object[], second = '1') => ({
  timeUnixNano: `179000000${second}000000000`,
  asInt,
  attributes,
})

beforeAll(async () => {
  server = await startOtlpServer()
  const ax = [text('a', 'x')]
  const dataPoints = [point('1', ax), point('2', ax, '2'), point('3', []), point('4', [text('k', 'own')])]
  const resource = { attributes: [text('service.name', 'shop'), text('k', 'res')] }
  const scopeMetrics = [{ metrics: [{ name: 'g', unit: 's', gauge: { dataPoints } }] }]
  await send(server, { resourceMetrics: [{ resource, scopeMetrics }] }, { path: '/v1/metrics' })
})
afterAll(() => server.close())

type Row = Record<string, string>

async function points(conditions: Parameters<typeof parseConditions>[0], after?: { ns: string; series: string }) {
  const query = { metric: 'g', conditions: parseConditions(conditions, seriesRecords) }
  const rendered = renderInScope(metricPoints(query, { limit: 10, ...(after && { after }) }), scope)
  return (await server.clickhouse.read<Row>(rendered, { for: 'system', label: 'points' })).rows
}

it.each([
  ['none', [], '1234'],
  ['eq', [{ attribute_key: 'a', operator: 'eq', value: 'x' }], '12'],
  ['neq', [{ attribute_key: 'a', operator: 'neq', value: 'x' }], '34'],
  ['not_exists', [{ attribute_key: 'a', operator: 'not_exists' }], '34'],
  ['not_contains', [{ attribute_key: 'a', operator: 'not_contains', value: 'y' }], '1234'],
  ['any, the point first', [{ attribute_key: 'k', operator: 'eq', value: 'own' }], '4'],
  ['any, else the resource', [{ attribute_key: 'k', operator: 'eq', value: 'res' }], '123'],
  ['point', [{ attribute_source: 'point', attribute_key: 'k', operator: 'exists' }], '4'],
  ['intrinsic', [{ attribute_source: 'intrinsic', attribute_key: 'unit', operator: 'eq', value: 's' }], '1234'],
])('%s', async (_, conditions, expected) => {
  const found = await points(conditions)
  expect(found.map(({ value_int: value }) => value).sort()).toEqual([...expected])
})

it('points are sorted newest first, continue after a point, and name their series', async () => {
  expect((await points([]))[0]).toMatchObject({ value_int: '2', ns: '1790000002000000000' })
  const ids = (await points([], { ns: '1790000002000000000', series: '0' })).map(({ series = '' }) => series)
  expect(ids).toHaveLength(3)
  const rendered = renderInScope(seriesWithIds('g', ids), scope)
  expect((await server.clickhouse.read<Row>(rendered, { for: 'system', label: 'series' })).rows).toHaveLength(3)
})
