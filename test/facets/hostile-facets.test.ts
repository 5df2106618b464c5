/** Names, values and sizes that break careless quoting, escaping, counting or lookups. */
import { describe, expect, it } from 'vitest'
import { profileSettings, renderInScope, serviceProfiles } from '#sql'
import type { components } from '../../openapi/types.ts'
import { makeSpan, type SpanModel } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId } from '../support/trace-text.ts'
import { type Mapping, pathOf, rangeOf, seconds, sharedFacetApp } from './facet-tenant.ts'

interface ProfiledService {
  readonly service: string
  readonly profile: number
}

type ServicePage = components['schemas']['ServicePage']

const shop = sharedFacetApp()

const spanOf = (change: Partial<SpanModel>, n = 1): SpanModel =>
  makeSpan({
    traceId: drawnTraceId(n),
    spanId: n.toString(16).padStart(16, '0'),
    startNs: drawnStartNs,
    kind: 'server',
    ...change,
  })

const names = [
  ...[
    "o'brien",
    'a"b',
    'a`b',
    'a\\b',
    "' OR 1=1 --",
    "\\' OR 1=1 --",
    'a.b',
    '...',
    '.a',
    'a/b',
    '/',
    '//',
    '%',
    '%2F',
    '%00',
  ],
  ...[
    '?a=b',
    '#',
    'a b',
    ' a',
    'a ',
    '+',
    'ключ',
    'Zürich 😀',
    'e\u0301',
    '\u00e9',
    '\u202eabc',
    'line\nbreak',
    'tab\t',
  ],
  ...['{p0:String}', '{name}', '$1', '__proto__', 'constructor', 'toString', 'core', 'null', '0', 'x'.repeat(512), '['],
]

describe('services with names such as quotes, slashes, dots, Unicode and signs of other languages', () => {
  it('are listed, and have facets, overrides and rules of their own', async () => {
    const tenant = await shop()
    await tenant.store(names.map((service, n) => spanOf({ service }, n + 1)))
    for (const [n, service] of names.entries()) {
      const slug = n % 2 === 0 ? 'db-output' : 'email-output'
      expect((await tenant.override(service, { include: [slug] })).status, service).toBe(200)
      const made = await tenant.addRule(service, { attribute_key: 'service.name', attribute_source: 'resource' })
      expect([made.status, made.location], service).toEqual([
        ...[201, `/api/v1${pathOf(service, `facet-mappings/${made.body.id}`)}`],
      ])
    }
    for (const [n, service] of names.entries()) {
      const slug = n % 2 === 0 ? 'db-output' : 'email-output'
      expect(await tenant.facetsOf(service), service).toEqual(['core', 'http-input', slug])
      expect((await tenant.explain(service)).rules, service).toMatchObject([{ decided_span_count: 1 }])
    }
    const { body } = await tenant.ask<ServicePage>('GET', `/services?limit=200&${rangeOf()}`)
    const sorted = [...names].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    expect(body.items.map(({ name }) => name)).toEqual(sorted)
  })

  it('occur once in the pages of the list', async () => {
    const tenant = await shop()
    await tenant.store(names.map((service, n) => spanOf({ service }, n + 1)))
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const path: string = `/services?limit=4&${rangeOf()}${cursor && `&cursor=${cursor}`}`
      const { body } = await tenant.ask<ServicePage>('GET', path)
      found.push(...body.items.map(({ name }) => name))
      cursor = body.next_cursor
    }
    expect([found.length, new Set(found)]).toEqual([names.length, new Set(names)])
  })

  it.each([
    ['half a percent sign', '/services/%/facet-overrides', 400],
    ['half a character', '/services/%ED%A0%80/facet-overrides', 400],
    ['no name', '/services//facet-overrides', 404],
    ['a name that is too long', `/services/${'x'.repeat(1_001)}/facet-overrides`, 400],
  ])('%s in the path is an error of the request', async (_, path, status) => {
    const { ask } = await shop()
    expect((await ask('GET', path)).status).toBe(status)
    const body = { include: [], exclude: [] }
    expect((await ask('PUT', path, { body })).status).toBe(status)
  })

  it('can be read with up to 1,000 characters, and have settings of their own with up to 512', async () => {
    const service = '😀'.repeat(1_000)
    const { ask, store, facetsOf, override } = await shop()
    await store([spanOf({ service })])
    expect(await facetsOf(service)).toEqual(['core'])
    expect((await ask('GET', `${pathOf(service, 'widgets')}?${rangeOf()}`)).status).toBe(200)
    expect((await override('😀'.repeat(513), { include: [] })).status).toBe(400)
    expect((await override('😀'.repeat(512), { include: [] })).status).toBe(200)
  })

  it('can be read with the null character, but have no settings of their own with it', async () => {
    const { ask, store, facetsOf, override, addRule, read } = await shop()
    for (const service of ['\0', 'sh\0p']) {
      await store([spanOf({ service })])
      expect(await facetsOf(service)).toEqual(['core'])
      const widgets = `${pathOf(service, 'widgets')}?${rangeOf()}`
      expect((await ask('GET', widgets)).body).toMatchObject({ service })
      expect((await ask('GET', `${pathOf(service, 'widgets/core.spans/data')}?${rangeOf()}`)).status).toBe(200)
      expect(await read(service, 'facet-mappings')).toEqual({ items: [], next_cursor: null })
      expect((await override(service, { include: [] })).refusal).toEqual(['invalid_request', '#/path/name'])
      expect((await addRule(service, {})).refusal).toEqual(['invalid_request', '#/path/name'])
    }
  })
})

describe('rules', () => {
  it.each<[string, object, string]>([
    ['without a value', { match_operator: 'contains' }, '/match_value'],
    ['with a number as value', { match_operator: 'equals', match_value: 1 }, '/match_value'],
    ['with null as value', { match_operator: 'equals', match_value: null }, '/match_value'],
    ['with a value that is too long', { match_operator: 'equals', match_value: 'x'.repeat(4_097) }, '/match_value'],
    ['with a key that is too long', { attribute_key: 'x'.repeat(257) }, '/attribute_key'],
    ['of an operator of other surfaces', { match_operator: 'neq', match_value: 'x' }, '/match_operator'],
    ['of the source any', { attribute_source: 'any' }, '/attribute_source'],
    ['of the source intrinsic', { attribute_source: 'intrinsic', attribute_key: 'name' }, '/attribute_source'],
    ['that set another role', { set_io_role: 'both' }, '/set_io_role'],
  ])('%s are refused', async (_, change, pointer) => {
    const { addRule, read } = await shop()
    const { status, refusal } = await addRule('shop', change)
    expect([status, ...refusal]).toEqual([400, 'invalid_request', pointer])
    expect(await read<{ items: Mapping[] }>('shop', 'facet-mappings')).toEqual({ items: [], next_cursor: null })
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['a number', 1],
    ['an object', { a: 1 }],
    ['a text that is too long', 'x'.repeat(4_097)],
  ])('of the operator exists ignore %s as value', async (_, match_value) => {
    const { addRule, facetsOf, store } = await shop()
    await store([spanOf({ attributes: [['k', { stringValue: '' }]] })])
    const { status, body } = await addRule('shop', { attribute_key: 'k', match_operator: 'exists', match_value })
    expect([status, body]).toEqual([201, expect.not.objectContaining({ match_value: expect.anything() })])
    expect(await facetsOf('shop')).toEqual(['core', 'http-input'])
  })

  it('of 4,096 characters outside the basic plane are measured in characters, not bytes', async () => {
    const match_value = '😀'.repeat(4_096)
    const { addRule, facetsOf, store } = await shop()
    await store([spanOf({ attributes: [['k', { stringValue: `a${match_value}b` }]] })])
    expect((await addRule('shop', { attribute_key: 'k', match_operator: 'contains', match_value })).status).toBe(201)
    expect(await facetsOf('shop')).toEqual(['core', 'http-input'])
  })

  it('of the maximum number and length apply to all services in one request', async () => {
    const tenant = await shop()
    const services = Array.from({ length: 20 }, (_, n) => `s${n}`)
    await tenant.store(
      services.map((service, n) => spanOf({ service, attributes: [['k', { stringValue: 'last' }]] }, n + 1)),
    )
    const facet_mappings = services.map((service, n) => ({
      service,
      mappings: Array.from({ length: 100 }, (_, place) => ({
        attribute_source: 'span',
        attribute_key: 'k',
        match_operator: place === 99 ? 'equals' : 'contains',
        match_value: place === 99 ? 'last' : `${n}.${place}.${'x'.repeat(1_700)}`,
        set_io_kind: 'file',
        set_io_role: place === 99 ? 'output' : 'input',
      })),
    }))
    const imported = await tenant.ask('POST', '/config/import', { body: { format_version: 1, facet_mappings } })
    expect(imported.status, JSON.stringify(imported.body)).toBe(200)
    const listed = await tenant.ask<ServicePage>('GET', `/services?${rangeOf()}`)
    expect(listed.status, JSON.stringify(listed.body)).toBe(200)
    expect(listed.body.items.map(({ facets }) => facets.map(({ slug }) => slug))).toEqual(
      services.map(() => ['core', 'file-output']),
    )
    expect((await tenant.explain('s3')).rules.at(-1)).toMatchObject({ decided_span_count: 1 })
    expect((await tenant.addRule('s3', {})).refusal).toEqual(['refused'])
  })
})

it('a service with more than 100,000 spans is classified by its newest spans only', async () => {
  const tenant = await shop()
  const { app, org } = tenant.tenant
  const insert = (service: string, start: string) =>
    app.app.clickhouse.command(
      `INSERT INTO spans (org, trace_id, span_id, start, duration_ns, kind, status, service, attributes)
       SELECT {org:String}, {trace:UInt128}, number + 1, fromUnixTimestamp64Nano({from:Int64} + ${start}, 'UTC'),
       1, 2, 2, {service:String},
       multiIf(
         number < 3, '{"io%2Ekind":"sfile","io%2Erole":"sinput"}',
         number = 3, '{"io%2Ekind":"sdb","io%2Erole":"soutput"}',
         '{"k":"s"}')
       FROM numbers(100003)`,
      { org, service, trace: service.length, from: String(drawnStartNs) },
    )
  await insert('one by one', 'number')
  await insert('one by one', 'number')
  await insert('all at once', '0')
  await insert('over a minute', 'number * 500000')
  await tenant.store([
    spanOf({
      service: 'quiet',
      attributes: [
        ['io.kind', { stringValue: 'queue' }],
        ['io.role', { stringValue: 'input' }],
      ],
    }),
  ])
  for (const service of ['one by one', 'all at once', 'over a minute']) {
    await tenant.addRule(service, { attribute_key: 'k' })
    expect(await tenant.facetsOf(service), service).toEqual(['core', 'http-input', 'db-output'])
    expect(await tenant.explain(service), service).toMatchObject({
      sampled_span_count: 100_000,
      carried_span_count: 1,
      undecided_span_count: 0,
      rules: [{ decided_span_count: 99_999 }],
    })
  }
  await expectEqualProfiles(tenant.tenant)
  const { body } = await tenant.ask<ServicePage>('GET', `/services?${rangeOf()}`)
  expect(
    body.items.map(({ name, span_count, error_count, facets }) => [name, span_count, error_count, facets.length]),
  ).toEqual([
    ['all at once', 100_003, 100_003, 3],
    ['one by one', 100_003, 100_003, 3],
    ['over a minute', 100_003, 100_003, 3],
    ['quiet', 1, 0, 2],
  ])
  const { fromNs } = seconds(0, 1)
  const shorter = { fromNs, toNs: fromNs + 100_002n }
  expect(await tenant.facetsOf('one by one', shorter)).toEqual(['core', 'http-input', 'file-input', 'db-output'])
})

/** Checks that the profiles of services do not depend on whether their counts are selected too. */
async function expectEqualProfiles({ app, org }: Awaited<ReturnType<typeof shop>>['tenant']): Promise<void> {
  const scope = { org, window: seconds(0, 3_600) }
  for (const services of [
    ['one by one', 'all at once'],
    ['over a minute', 'one by one'],
    ['all at once', 'quiet'],
  ]) {
    const profiles = async (isProfileOnly: boolean) => {
      const query = serviceProfiles({ services, rules: [], countedNs: 1_000_000_000n, isProfileOnly })
      const how = { for: 'system', label: 'test', settings: profileSettings } as const
      const { rows } = await app.app.clickhouse.read<ProfiledService>(renderInScope(query, scope), how)
      return rows.map(({ service, profile }) => [service, profile])
    }
    expect(await profiles(true)).toEqual(await profiles(false))
  }
}
