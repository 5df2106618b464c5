import { expect, it } from 'vitest'
import { makeSpan, type OtlpValue, type SpanModel } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId, drawTraces } from '../support/trace-text.ts'
import { type DataSource, sharedDataSources } from './grafana-app.ts'

const open = sharedDataSources()

const second = Number(drawnStartNs / 1_000_000_000n)
const window = { start: `${second}`, end: `${second + 600}` }

const orders = drawTraces(`
  shop:order      t+0s
    stock:reserve t+1s
      db:update   t+2s !
    mail:invoice  t+240s
  ---
  shop:order      t+10s
    stock:reserve t+11s
`)

interface Found {
  readonly traces: readonly {
    readonly traceID: string
    readonly spanSets: readonly [{ readonly matched: number; readonly spans: readonly FoundSpan[] }]
  }[]
}

interface FoundSpan {
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: OtlpValue }[]
}

const valueSpans = () =>
  [['absent', undefined] as const, ...values].map(([name, value], index) =>
    makeSpan({
      traceId: '1'.padStart(32, '0'),
      spanId: `${index + 1}`.padStart(16, '0'),
      name,
      startNs: drawnStartNs,
      attributes: value === undefined ? [] : [['k', value]],
    }),
  )

const stored = new Map<string, Promise<DataSource>>()

/** Returns a data source that all tests with the same spans share. */
function sourceWith(name: string, spans: () => readonly SpanModel[]): Promise<DataSource> {
  const opened = stored.get(name) ?? open().then((source) => source.store(spans()).then(() => source))
  stored.set(name, opened)
  return opened
}

const idOf = (trace: number) => drawnTraceId(trace).replace(/^0+/, '')

const withOrders = () => sourceWith('orders', () => orders)

const search = (source: DataSource, query: Record<string, string>) =>
  source.json<Found>('/api/search', { ...window, ...query })

/** Returns the names of the spans that a query selects, newest trace first. */
async function named(source: DataSource, query: Record<string, string>): Promise<string[][]> {
  const { traces } = await search(source, { spss: '100', ...query })
  return traces.map(({ spanSets: [{ spans }] }) => spans.map(({ name }) => name))
}

it('finds the newest traces first, with the first spans that the query selects', async () => {
  const source = await withOrders()
  const found = await search(source, { q: '{ resource.service.name =~ "shop|stock" }', spss: '1' })
  expect(found.traces.map(({ traceID, spanSets: [{ matched, spans }] }) => [traceID, matched, spans.length])).toEqual([
    [idOf(2), 2, 1],
    [idOf(1), 2, 1],
  ])
  expect(found.traces[1]).toMatchObject({
    rootServiceName: 'shop',
    rootTraceName: 'order',
    startTimeUnixNano: `${drawnStartNs}`,
    spanSets: [{ spans: [{ name: 'order', attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }] }],
  })
  expect((await search(source, { q: '{ }', limit: '1' })).traces.map(({ traceID }) => traceID)).toEqual([idOf(2)])
})

it.each([
  ['{ name = "order" } >> { status = error }', [['update']]],
  ['{ name = "order" } > { }', [['reserve'], ['reserve', 'invoice']]],
  ['{ name = "update" } << { }', [['order', 'reserve']]],
  ['{ name = "update" } < { }', [['reserve']]],
  ['{ name = "invoice" } && { name = "reserve" }', [['reserve', 'invoice']]],
  ['{ name = "invoice" } || { name = "reserve" }', [['reserve'], ['reserve', 'invoice']]],
  ['{ name = "invoice" && name = "reserve" }', []],
  ['{ } !< { }', [['reserve'], ['update', 'invoice']]],
  ['{ name = "nothing" } !>> { name = "reserve" }', [['reserve'], ['reserve']]],
  ['{ name = "order" } &>> { status = error }', [['order', 'update']]],
  ['{ } | count() > 2', [['order', 'reserve', 'update', 'invoice']]],
  ['{ traceDuration > 1m && name = "order" }', [['order']]],
  ['{ rootName = "order" && name = "order" }', [['order'], ['order']]],
  ['{ status != error } | count() = 2', [['order', 'reserve']]],
])('%s selects', async (q, expected) => {
  const source = await withOrders()
  expect(await named(source, { q })).toEqual(expected)
})

const everySpan = [
  ['order', 'reserve'],
  ['order', 'reserve', 'update', 'invoice'],
]

it.each([
  ['16 filters joined by &&', Array(16).fill('{ }').join(' && '), everySpan],
  ['16 filters joined by >>', Array(16).fill('{ }').join(' >> '), []],
  ['16 filters joined by &>>', Array(16).fill('{ }').join(' &>> '), everySpan],
  ['50 counts', `{ }${' | count() > 1'.repeat(50)}`, everySpan],
])('%s take a query that grows with them, not exponentially', async (_, q, expected) => {
  const source = await withOrders()
  expect(await named(source, { q })).toEqual(expected)
})

const values: readonly (readonly [name: string, value: OtlpValue])[] = [
  ['text', { stringValue: '500' }],
  ['int', { intValue: '500' }],
  ['double', { doubleValue: 500.5 }],
  ['true', { boolValue: true }],
  ['texts', { arrayValue: { values: [{ stringValue: 'a"\\\u0000é' }, { stringValue: '500' }] } }],
  ['ints', { arrayValue: { values: [{ intValue: '1' }, { intValue: '9007199254740993' }] } }],
  ['large', { arrayValue: { values: [{ doubleValue: 1e20 }, { doubleValue: 2 ** 63 }, { intValue: '7' }] } }],
  ['least', { arrayValue: { values: [{ doubleValue: -9.3e18 }, { intValue: '-9223372036854775807' }] } }],
  ['mixed', { arrayValue: { values: [{ boolValue: false }, { intValue: '500' }, { stringValue: 'x' }] } }],
  ['empty', { arrayValue: { values: [] } }],
  ['null', {}],
]

it.each([
  ['{ .k = "500" }', ['text', 'texts']],
  ['{ .k != "500" }', ['mixed']],
  ['{ .k = 500 }', ['int', 'mixed']],
  ['{ .k != 500 }', ['double', 'ints', 'large', 'least']],
  ['{ .k > 500 }', ['double', 'ints', 'large']],
  ['{ .k = 9007199254740993 }', ['ints']],
  ['{ .k = 9007199254740992 }', []],
  ['{ .k = 100000000000000000000 }', ['large']],
  ['{ .k = 7 }', ['large']],
  ['{ .k = 9223372036854775808 }', ['large']],
  ['{ .k < -9223372036854775808 }', ['least']],
  ['{ .k <= -9300000000000000000 }', ['least']],
  ['{ .k = -9300000000000000000 }', ['least']],
  ['{ .k = -9223372036854775807 }', ['least']],
  ['{ .k = -9223372036854775808 }', []],
  ['{ .k }', ['true']],
  ['{ .k = false }', ['mixed']],
  ['{ .k =~ "5.*" }', ['text', 'texts']],
  ['{ .k =~ "0" }', []],
  ['{ .k !~ "5.*" }', ['mixed']],
  ['{ .k =~ "a.*é" }', ['texts']],
  ['{ .k = nil }', ['absent', 'null']],
  ['{ .k != nil && .k != 500 }', ['double', 'ints', 'large', 'least']],
  ['{ span.k = nil && name != "null" }', ['absent']],
  ['{ resource.k != nil }', []],
])('%s selects the spans with values', async (q, expected) => {
  const source = await sourceWith('values', valueSpans)
  expect((await named(source, { q })).flat().sort()).toEqual([...expected].sort())
})

it('adds the fields of select to the spans', async () => {
  const source = await withOrders()
  const { traces } = await search(source, { q: '{ name = "update" } | select(status, resource.service.name, span.x)' })
  expect(traces[0]?.spanSets[0].spans[0]?.attributes).toEqual([
    { key: 'status', value: { stringValue: 'error' } },
    { key: 'service.name', value: { stringValue: 'db' } },
  ])
})

it('searches by tags, which one span carries, in either case, and by duration', async () => {
  const source = await withOrders()
  expect(await named(source, { tags: 'service.name=STO name=reserve' })).toEqual([['reserve'], ['reserve']])
  expect(await named(source, { tags: 'service.name="sto" name=invoice' })).toEqual([])
  for (const text of ['.', 'order|invoice', 'o*rder', '[order]'])
    expect(await named(source, { tags: `name=${text}` })).toEqual([])
  expect(await named(source, { tags: 'name=order', minDuration: '1m' })).toEqual([['order']])
  expect(await named(source, { q: '{ name = "order" }', maxDuration: '60s' })).toEqual([['order']])
  expect(await named(source, {})).toHaveLength(2)
})

it.each([
  [{ q: '{ nam = 1 }' }, '#/query/q', 'invalid_traceql'],
  [{ q: '{ } ~ { }' }, '#/query/q', 'unsupported_traceql'],
  [{ q: '{ }', tags: 'a=b' }, '#/query/tags', 'ambiguous'],
  [{ tags: 'a' }, '#/query/tags', 'format'],
  [{ minDuration: '5' }, '#/query/minDuration', 'format'],
  [{ limit: '0' }, '#/query/limit', 'out_of_range'],
  [{ limit: '1001' }, '#/query/limit', 'out_of_range'],
  [{ spss: '101' }, '#/query/spss', 'out_of_range'],
  [{ start: 'now' }, '#/query/start', 'format'],
])('%j is refused', async (query, pointer, code) => {
  const source = await withOrders()
  const response = await source.get('/api/search', query)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errors: [{ pointer, code }] })
})

it('sees only the organization of the key', async () => {
  const [one, other] = [await open(), await open()]
  await one.store(orders)
  expect(await named(other, { q: '{ }' })).toEqual([])
  expect(await other.json('/api/search/tags', window)).toMatchObject({ tagNames: [] })
})

it('completes the values of a tag with quotes and backslashes', async () => {
  const source = await open()
  const key = 'a "b\\c'
  const ids = { traceId: '1'.padStart(32, '0'), spanId: '1'.padStart(16, '0') }
  await source.store([makeSpan({ ...ids, startNs: drawnStartNs, attributes: [[key, { stringValue: 'd' }]] })])
  const path = `/api/search/tag/${encodeURIComponent(key)}/values`
  expect(await source.json(path, window)).toMatchObject({ tagValues: ['d'] })
})

it('completes tags and values, as an editor asks for them', async () => {
  const source = await open()
  await source.store([
    ...orders,
    makeSpan({
      traceId: '9'.padStart(32, '0'),
      spanId: '9'.padStart(16, '0'),
      parentId: '8'.padStart(16, '0'),
      service: 'web',
      name: 'lost',
      startNs: drawnStartNs,
      attributes: [
        ['a b', { intValue: '5' }],
        ['http.route', { stringValue: '/cart' }],
      ],
    }),
  ])
  const tags = await source.json<{ scopes: { name: string; tags: string[] }[] }>('/api/v2/search/tags', {
    ...window,
    limit: '5000',
  })
  expect(tags.scopes.map(({ name }) => name)).toEqual(['resource', 'span', 'intrinsic'])
  expect(tags.scopes.slice(0, 2)).toEqual([
    { name: 'resource', tags: ['service.name'] },
    { name: 'span', tags: ['a b', 'http.route'] },
  ])
  const of = async (tag: string, query: Record<string, string> = {}) => {
    const path = `/api/v2/search/tag/${encodeURIComponent(tag)}/values`
    const { tagValues } = await source.json<{ tagValues: { value: string }[] }>(path, { ...window, ...query })
    return tagValues
  }
  expect(await of('span."a b"')).toEqual([{ type: 'int', value: '5' }])
  expect(await of('status')).toEqual([
    { type: 'keyword', value: 'error' },
    { type: 'keyword', value: 'unset' },
  ])
  expect((await of('resource.service.name')).map(({ value }) => value)).toEqual(['db', 'mail', 'shop', 'stock', 'web'])
  expect(await of('resource.service.name', { q: '{ status = error }' })).toEqual([{ type: 'string', value: 'db' }])
  expect(await of('resource.service.name', { q: '{ status = }' })).toHaveLength(5)
  expect(await of('rootName')).toEqual([{ type: 'string', value: 'order' }])
  expect(await of('duration')).toEqual([])
  expect(await of('nothing')).toEqual([])
  expect(await of('resource.service.name', { limit: '2' })).toHaveLength(2)
  expect(await source.json('/api/search/tag/service.name/values', { ...window, limit: '1' })).toMatchObject({
    tagValues: ['db'],
  })
  expect(await source.json('/api/search/tags', { ...window, scope: 'span' })).toMatchObject({
    tagNames: ['a b', 'http.route'],
  })
  expect(await source.json('/api/v2/search/tags', { ...window, q: '{ name = "lost" }', scope: 'span' })).toMatchObject({
    scopes: [{ tags: ['a b', 'http.route'] }],
  })
  expect(await source.json('/api/v2/search/tags', { ...window, q: '{ name = "order" }', scope: 'span' })).toMatchObject(
    {
      scopes: [{ tags: [] }],
    },
  )
})
