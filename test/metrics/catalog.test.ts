import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
const from = '2026-09-21T00:00:00Z'
const to = '2026-09-22T00:00:00Z'
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const point = (attributes: object[]) => ({ timeUnixNano: '1789990000000000000', asInt: '1', attributes })

beforeAll(async () => {
  app = await startApp()
  const metrics = [
    { name: 'cpu', unit: '1', description: 'Load', gauge: { dataPoints: [point([text('core', '0')]), point([])] } },
    {
      name: 'requests',
      sum: {
        aggregationTemporality: 2,
        isMonotonic: true,
        dataPoints: [point([text('http.route', '/'), text('a.b', '')])],
      },
    },
    { name: 'requests', unit: 's', sum: { aggregationTemporality: 1, dataPoints: [point([])] } },
    ...['x.1', 'x.2', 'x.3'].map((name) => ({ name, gauge: { dataPoints: [point([text('key', name)])] } })),
  ]
  const resource = { attributes: [text('service.name', 'shop'), text('host', 'h')] }
  await app.sendMetrics({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })
})
afterAll(() => app.close())

async function list(query: object) {
  const client = await app.client({ role: 'viewer' })
  return (await client.GET('/api/v1/metrics-catalog', { params: { query: { from, to, ...query } } })).data
}

it('metrics are listed by name with their metadata, once for each kind, unit and temporality', async () => {
  const found = await list({})
  const resource = { services: ['shop'], resource_attribute_keys: ['host', 'service.name'] }
  expect(found?.items.slice(0, 3)).toEqual([
    {
      ...resource,
      name: 'cpu',
      kind: 'gauge',
      unit: '1',
      description: 'Load',
      temporality: 'unspecified',
      monotonic: false,
      series_count: 2,
      attribute_keys: ['core'],
    },
    {
      ...resource,
      name: 'requests',
      kind: 'sum',
      unit: '',
      description: '',
      temporality: 'cumulative',
      monotonic: true,
      series_count: 1,
      attribute_keys: ['a.b', 'http.route'],
    },
    {
      ...resource,
      name: 'requests',
      kind: 'sum',
      unit: 's',
      description: '',
      temporality: 'delta',
      monotonic: false,
      series_count: 1,
      attribute_keys: [],
    },
  ])
})

it('pages contain every metric once, in order', async () => {
  const all = (await list({}))?.items
  const paged = []
  let cursor: string | null | undefined
  do {
    const page = await list({ limit: 1, ...(cursor ? { cursor } : {}) })
    paged.push(...(page?.items ?? []))
    cursor = page?.next_cursor
  } while (cursor)
  expect(paged).toEqual(all)
})

it('a prefix and a window limit the list', async () => {
  expect((await list({ prefix: 'req' }))?.items.map(({ name }) => name)).toEqual(['requests', 'requests'])
  expect((await list({ from: '2026-09-22T00:00:00Z', to: '2026-09-23T00:00:00Z' }))?.items).toEqual([])
})

it('restricted callers are rejected, and other organizations see nothing', async () => {
  const restricted = await app.client({ role: 'restricted' })
  expect((await restricted.GET('/api/v1/metrics-catalog')).response.status).toBe(403)
  const other = await app.client({ org: 'another' })
  expect((await other.GET('/api/v1/metrics-catalog', { params: { query: { from, to } } })).data?.items).toEqual([])
})
