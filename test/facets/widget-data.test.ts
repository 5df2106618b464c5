import { beforeAll, describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { widgetDefinitions } from '../../server/facets/widgets/definitions.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawTraces } from '../support/trace-text.ts'

type TimeSeries = components['schemas']['WidgetTimeSeries']
type Table = components['schemas']['WidgetTable']

const second = 1_000_000_000n
const newTenant = sharedApp()

const REQUEST = 'io.kind=http io.role=input http.method=GET'
/** A window of 100 seconds, with requests in the first ten and the last ten. */
const SHOP = `
shop:one    t+0s  ~10ms  ${REQUEST} http.route=/cart http.status_code=int:200
shop:two    t+1s  ~20ms  ${REQUEST} http.route=/cart http.status_code=int:204
shop:three  t+9s  ~30ms  ${REQUEST} http.route=/pay http.response.status_code=int:500 !
shop:four   t+90s ~40ms  ${REQUEST} http.status_code=teapot
shop:other  t+91s ~90ms  io.kind=db io.role=output db.system=mysql
quiet:none  t+0s
`

let tenant: Tenant
beforeAll(async () => {
  tenant = newTenant()
  await store(tenant, SHOP)
})

async function store({ app, org }: Tenant, drawn: string): Promise<void> {
  await app.sendSpans(toOtlpJson(drawTraces(drawn, { org })), { org })
}

const rangeOf = (seconds: bigint) => ({ from: at(0n), to: at(seconds) })
const at = (seconds: bigint) => toRfc3339(drawnStartNs + seconds * second)

async function dataOf<Data>(
  id: string,
  { of = tenant, service = 'shop', ...query }: { of?: Tenant; service?: string } & Record<string, unknown> = {},
): Promise<Data> {
  const request = new URLSearchParams({ ...rangeOf(100n), ...query })
  const { status, body } = await of.ask<Data>('GET', `/services/${service}/widgets/${id}/data?${request}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe('a time series', () => {
  it('has a point for every bucket with spans, each a rate per second', async () => {
    expect(await dataOf('http-input.throughput', { step_s: '10' })).toEqual({
      kind: 'timeseries',
      unit: '{request}/s',
      step_s: 10,
      series: [
        {
          name: 'rate',
          group: 'all',
          points: [
            [at(0n), 0.3],
            [at(90n), 0.1],
          ],
        },
      ],
    })
  })

  it('has zero where there were spans and none of them failed', async () => {
    const { series } = await dataOf<TimeSeries>('http-input.error-rate', { step_s: '10' })
    expect(series[0]?.points).toEqual([
      [at(0n), 1 / 3],
      [at(90n), 0],
    ])
  })

  it('has percentiles by nearest rank, in milliseconds', async () => {
    const { series, unit } = await dataOf<TimeSeries>('http-input.latency', { step_s: '100' })
    expect(unit).toBe('ms')
    expect(series.map(({ name, points }) => [name, points[0]?.[1]])).toEqual([
      ['p50', 20],
      ['p95', 40],
      ['p99', 40],
    ])
  })

  it('has one series for each group, including that of spans without the attribute', async () => {
    const { series } = await dataOf<TimeSeries>('http-input.status-classes', { step_s: '100' })
    expect(series.map(({ name, group }) => [name, group])).toEqual([
      ['2xx', 'value'],
      ['none', 'absent'],
      ['5xx', 'value'],
    ])
  })

  it('has the ten groups with the most spans and one for all others, distinct from a group named other', async () => {
    const of = newTenant()
    const publish = (topic: string, count: number) =>
      `jobs:send  io.kind=queue io.role=output messaging.destination.name=${topic}\n`.repeat(count)
    const topics = Array.from({ length: 11 }, (_, index) => `topic-${index}`)
    await store(of, publish('other', 5) + topics.map((topic) => publish(topic, 2)).join(''))
    const request = { of, service: 'jobs', step_s: '100' }
    const { series } = await dataOf<TimeSeries>('queue-output.destinations', request)
    expect(series.map(({ name, group, points }) => [name, group, points[0]?.[1]])).toEqual([
      ['other', 'value', 0.05],
      ...['topic-0', 'topic-1', 'topic-10', 'topic-2', 'topic-3', 'topic-4', 'topic-5', 'topic-6', 'topic-7'].map(
        (name) => [name, 'value', 0.02],
      ),
      ['other', 'other', 0.04],
    ])
  })

  it.each([
    [100n, 1],
    [500n, 1],
    [501n, 2],
    [3_600n, 10],
    [30n * 86_400n, 7_200],
  ])('over %i seconds has buckets of %i seconds by default', async (seconds, step) => {
    const { step_s } = await dataOf<TimeSeries>('core.throughput', rangeOf(seconds))
    expect(step_s).toBe(step)
  })

  it('counts the spans that the rules of a service classify', async () => {
    const of = newTenant()
    await store(of, 'odd:see  http.route=/a\nodd:own  http.route=/a io.kind=odd\nodd:nothing')
    const table = () => dataOf<Table>('http-input.routes', { of, service: 'odd' })
    expect((await table()).rows).toEqual([])
    const rule = { attribute_source: 'span', attribute_key: 'http.route', match_operator: 'exists' }
    await of.ask('POST', '/services/odd/facet-mappings', {
      body: { ...rule, set_io_kind: 'http', set_io_role: 'input' },
    })
    expect((await table()).rows).toEqual([[null, '/a', 1, 0, 1]])
  })
})

describe('a table', () => {
  it('has a row for each group, in descending order of spans', async () => {
    expect(await dataOf('http-input.routes')).toEqual({
      kind: 'table',
      columns: [
        { name: 'method' },
        { name: 'route' },
        { name: 'count', unit: '{request}' },
        { name: 'error_rate', unit: '1' },
        { name: 'p95', unit: 'ms' },
      ],
      rows: [
        ['GET', '/cart', 2, 0, 20],
        ['GET', null, 1, 0, 40],
        ['GET', '/pay', 1, 1, 30],
      ],
      row_groups: ['value', 'value', 'value'],
      row_filters: [filterOf('GET', '/cart'), [], filterOf('GET', '/pay')],
    })
  })

  it('of one number has one cell', async () => {
    expect(await dataOf('core.failures')).toEqual({
      kind: 'stat',
      columns: [{ name: 'error_rate', unit: '1' }],
      rows: [[0.2]],
      row_groups: ['all'],
      row_filters: [[{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'shop' }]],
    })
  })

  const filterOf = (method: string, route: string) => [
    { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'shop' },
    { attribute_key: 'io.kind', operator: 'eq', value: 'http' },
    { attribute_key: 'io.role', operator: 'eq', value: 'input' },
    { attribute_key: 'http.method', operator: 'eq', value: method },
    { attribute_key: 'http.route', operator: 'eq', value: route },
  ]

  it('has no filter for a row that no message filter can tell from another', async () => {
    const of = newTenant()
    const REQUEST = 'io.kind=http io.role=input'
    await store(
      of,
      `
      mixed:a  ${REQUEST} http.route=/a
      mixed:a  ${REQUEST} http.route=/a url.path=/a/1
      mixed:b  ${REQUEST} url.path=/b
      mixed:c  ${REQUEST} http.route=/c
      mixed:c  ${REQUEST} url.path=/c
      numbers:a  ${REQUEST} http.route=int:12
      numbers:b  ${REQUEST} http.route=012
      numbers:c  ${REQUEST} http.route=12.0
      numbers:d  ${REQUEST} http.route=int:9007199254740993
      new:a    ${REQUEST} url.path=/a
      new:b    ${REQUEST} url.path=/b http.method=GET
      rules:a  http.route=/a
      rules:b  ${REQUEST} http.route=/b
      `,
    )
    const body = { attribute_source: 'span', attribute_key: 'http.route', match_operator: 'exists' }
    await of.ask('POST', '/services/rules/facet-mappings', {
      body: { ...body, set_io_kind: 'http', set_io_role: 'input' },
    })
    const filters = async (service: string) => {
      const { rows, row_filters } = await dataOf<Table>('http-input.routes', { of, service })
      return rows.map(([, route], index) => {
        const last = row_filters[index]?.at(-1)
        return [route, last && 'value' in last ? `${last.attribute_key}=${last.value}` : null]
      })
    }
    // The spans of /b are read by the second attribute, which some span carries beside the first.
    expect(await filters('mixed')).toEqual([
      ['/a', 'http.route=/a'],
      ['/c', null],
      ['/b', null],
    ])
    expect(await filters('new')).toEqual([
      ['/a', 'url.path=/a'],
      ['/b', 'url.path=/b'],
    ])
    // A filter for a number in another spelling would also find the number.
    expect(await filters('numbers')).toEqual([
      ['012', null],
      ['12', 'http.route=12'],
      ['12.0', null],
      ['9007199254740993', 'http.route=9007199254740993'],
    ])
    expect(await filters('rules')).toEqual([
      ['/a', null],
      ['/b', 'http.route=/b'],
    ])
  })
})

it.each([...widgetDefinitions].flatMap(([, widgets]) => widgets.map(({ id, kind }) => [id, kind] as const)))(
  '%s shows nothing where there is no telemetry',
  async (id, kind) => {
    const data = await dataOf<TimeSeries | Table>(id, { service: 'nobody' })
    expect(data.kind).toBe(kind)
    expect(data.kind === 'timeseries' ? data.series : data.rows).toEqual([])
  },
)

describe('a request is rejected for', () => {
  const refused = async (path: string) => {
    const { status, refusal } = await tenant.ask('GET', `/services/shop/widgets/${path}`)
    return [status, ...refusal]
  }

  it('an unknown widget', async () => {
    for (const id of ['core.nothing', 'core', 'Core.spans', 'toString', 'a%2Fb'])
      expect([id, ...(await refused(`${id}/data`))]).toEqual([id, 404, 'not_found'])
  })

  it('an empty window', async () => {
    const empty = `core.spans/data?from=${at(1n)}&to=${at(1n)}`
    expect(await refused(empty)).toEqual([400, 'invalid_request', '#/query/from'])
  })

  it.each(['0', '-1', '1.5', 'x', '', '31536001'])('the step_s %j', async (step) => {
    expect(await refused(`core.throughput/data?step_s=${step}`)).toEqual([400, 'invalid_request', '#/query/step_s'])
  })

  it('a step_s that yields more than 500 points', async () => {
    const path = (to: bigint) =>
      `core.throughput/data?${new URLSearchParams({ from: at(0n), to: at(to), step_s: '2' })}`
    expect((await refused(path(1_000n)))[0]).toBe(200)
    expect(await refused(path(1_001n))).toEqual([400, 'invalid_request', '#/query/step_s'])
  })
})
