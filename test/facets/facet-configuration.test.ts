import { describe, expect, it } from 'vitest'
import { exportOf, importInto } from '../support/integration-app.ts'
import { type FacetTenant, type Mapping, type Overrides, sharedFacetApp } from './facet-tenant.ts'

const shop = sharedFacetApp()

const rulesOf = async ({ read }: FacetTenant, service: string) =>
  (await read<{ items: Mapping[] }>(service, 'facet-mappings')).items

const rule = (attribute_key: string, change: object = {}) => ({
  attribute_source: 'span',
  attribute_key,
  match_operator: 'exists',
  set_io_kind: 'http',
  set_io_role: 'input',
  ...change,
})

/** Every operator, source, kind and role, and texts that need escaping. */
const rich = {
  facets: [
    { slug: 'billing-jobs', name: 'Renamed since', description: 'two\nlines' },
    { slug: '支払い', name: '支払い 😀', description: '' },
  ],
  facet_overrides: [
    { service: "a'b/c%2F", include: ['billing-jobs', 'gone', 'worker'], exclude: [] },
    { service: 'ключ', include: [], exclude: ['http-input', '支払い'] },
  ],
  facet_mappings: [
    {
      service: 'line\nbreak',
      mappings: [
        rule('k', { match_operator: 'equals', match_value: '' }),
        rule('', { match_operator: 'prefix', match_value: 'nul\u0000byte', attribute_source: 'resource' }),
        rule('k'.repeat(256), { match_operator: 'suffix', match_value: 'x'.repeat(4_096), set_io_kind: 'email' }),
        rule('nul\u0000', { match_operator: 'contains', match_value: '%_\\', set_io_role: 'output' }),
      ],
    },
    { service: 'shop', mappings: [rule('b'), rule('a'), rule('c'), rule('a')] },
  ],
}

it('another organization that imports an export has the same facets, overrides and ordered rules', async () => {
  const [one, other] = [await shop(), await shop()]
  for (const section of Object.values((await importInto(one, rich)).body).slice(2, 5))
    expect(section).toMatchObject({ created: 2, updated: 0, unchanged: 0, deleted: 0 })
  const exported = await exportOf(one)
  expect(exported).toMatchObject(rich)
  expect((await importInto(other, exported)).status).toBe(200)
  expect(await exportOf(other)).toEqual(exported)
})

it('an import of the existing settings changes neither versions nor ids of rules', async () => {
  const tenant = await shop()
  await importInto(tenant, rich)
  const before = [await rulesOf(tenant, 'shop'), await tenant.read<Overrides>('ключ', 'facet-overrides')]
  for (const mode of ['merge', 'replace']) {
    const { body } = await importInto(tenant, rich, mode)
    for (const name of ['facets', 'facet_overrides', 'facet_mappings'] as const)
      expect(body[name], name).toEqual({ created: 0, updated: 0, unchanged: 2, deleted: 0, changes: [] })
  }
  expect([await rulesOf(tenant, 'shop'), await tenant.read<Overrides>('ключ', 'facet-overrides')]).toEqual(before)
})

it.each(['merge', 'replace'])(
  'empty settings of a service clear those that it has, and change nothing else: %s',
  async (mode) => {
    const tenant = await shop()
    const emptied = {
      facet_overrides: [{ service: 'ключ', include: [], exclude: [] }],
      facet_mappings: [{ service: 'shop', mappings: [] }],
    }
    const sections = ['facet_overrides', 'facet_mappings'] as const
    const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, changes: [] }
    const expectEach = async (expected: object) => {
      const { body } = await importInto(tenant, emptied, mode)
      for (const name of sections) expect(body[name], name).toEqual({ ...counts, ...expected })
    }
    await expectEach({ unchanged: 1 })
    await importInto(tenant, { facet_overrides: [rich.facet_overrides[1]], facet_mappings: [rich.facet_mappings[1]] })
    await expectEach({ updated: 1, changes: [{ action: 'updated', name: expect.stringMatching(/^(ключ|shop)$/) }] })
    await expectEach({ unchanged: 1 })
    expect(await exportOf(tenant)).toMatchObject({ facet_overrides: [], facet_mappings: [] })
  },
)

it('imported rules share one timestamp and apply in the order of their list', async () => {
  const tenant = await shop('shop:step  [server]  a=1 b=1 c=1')
  const mappings = ['b', 'c', 'a'].map((key, n) => rule(key, { set_io_kind: ['queue', 'stream', 'file'][n] }))
  await importInto(tenant, { facet_mappings: [{ service: 'shop', mappings }] })
  const stored = await rulesOf(tenant, 'shop')
  expect(new Set(stored.map(({ created_at }) => created_at)).size).toBe(1)
  expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).sort())
  expect(await tenant.facetsOf('shop')).toEqual(['core', 'queue-input'])
  await importInto(tenant, { facet_mappings: [{ service: 'shop', mappings: mappings.toReversed() }] })
  expect(await tenant.facetsOf('shop')).toEqual(['core', 'file-input'])
})

it('a merge that changes the name or the description of a facet updates the facet', async () => {
  const tenant = await shop()
  const stored = { slug: 'billing-jobs', name: 'Billing', description: 'd' }
  await importInto(tenant, { facets: [stored] })
  for (const imported of [{ ...stored, name: 'Jobs' }, stored, { ...stored, description: '' }]) {
    expect((await importInto(tenant, { facets: [imported] })).body.facets).toMatchObject({ updated: 1, unchanged: 0 })
    expect((await exportOf(tenant)).facets).toEqual([imported])
  }
})

it('a merge keeps records that the import lacks; a replace deletes them in the imported sections', async () => {
  const tenant = await shop()
  await importInto(tenant, rich)
  const change = {
    facets: [{ slug: 'billing-jobs', name: 'Billing' }],
    facet_overrides: [{ service: 'new', include: ['worker'], exclude: [] }],
    facet_mappings: [{ service: 'shop', mappings: [rule('z')] }],
  }
  const merged = (await importInto(tenant, change)).body
  expect([merged.facets, merged.facet_overrides, merged.facet_mappings]).toMatchObject([
    { updated: 1 },
    { created: 1 },
    { updated: 1 },
  ])
  const { facets, facet_overrides, facet_mappings } = await exportOf(tenant)
  expect([facets.length, facet_overrides.length, facet_mappings.length]).toEqual([2, 3, 2])
  const replaced = (await importInto(tenant, { facet_overrides: change.facet_overrides }, 'replace')).body
  expect(replaced.facet_overrides).toMatchObject({ created: 0, updated: 0, unchanged: 1, deleted: 2 })
  expect(await exportOf(tenant)).toMatchObject({ facets, facet_overrides: change.facet_overrides, facet_mappings })
})

describe('an import with one fault changes nothing:', () => {
  const overrides = (change: object) => ({ facet_overrides: [{ service: 's', include: [], exclude: [], ...change }] })
  const mappings = (...all: object[]) => ({ facet_mappings: [{ service: 's', mappings: all }] })
  it.each<[string, object, string]>([
    ['a facet that is built in', { facets: [{ slug: 'core', name: 'x' }] }, '/facets/0/slug'],
    ['a slug that no name gives', { facets: [{ slug: 'A b', name: 'x' }] }, '/facets/0/slug'],
    [
      'a slug twice',
      {
        facets: [
          { slug: 'a', name: 'x' },
          { slug: 'a', name: 'y' },
        ],
      },
      '/facets/1/slug',
    ],
    ['a facet whose name has no letter or digit', { facets: [{ slug: 'a', name: '!?' }] }, '/facets/0/name'],
    [
      'a service twice',
      { facet_mappings: [...mappings().facet_mappings, ...mappings().facet_mappings] },
      '/facet_mappings/1/service',
    ],
    [
      'a rule without its value',
      mappings(rule('a'), rule('b', { match_operator: 'equals' })),
      '/facet_mappings/0/mappings/1/match_value',
    ],
    [
      'an operator that rules do not have',
      mappings(rule('a', { match_operator: 'regex', match_value: '.' })),
      '/facet_mappings/0/mappings/0/match_operator',
    ],
    [
      'a kind that there is not',
      mappings(rule('a', { set_io_kind: 'grpc' })),
      '/facet_mappings/0/mappings/0/set_io_kind',
    ],
    ['a rule too many', mappings(...Array(101).fill(rule('a'))), '/facet_mappings/0/mappings'],
    ['a service without a name', overrides({ service: '' }), '/facet_overrides/0/service'],
  ])('%s', async (_, change, pointer) => {
    const tenant = await shop()
    await importInto(tenant, rich)
    const before = await exportOf(tenant)
    for (const mode of ['merge', 'replace']) {
      const { status, refusal } = await importInto(tenant, { integrations: [{ name: 'new' }], ...change }, mode)
      expect([status, ...refusal]).toEqual([400, 'invalid_request', pointer])
      expect(await exportOf(tenant)).toEqual(before)
    }
  })

  it('more rules than an organization can have', async () => {
    const tenant = await shop()
    const services = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ service: `s${n}`, mappings: Array(100).fill(rule('a')) }))
    expect((await importInto(tenant, { facet_mappings: services(20) })).status).toBe(200)
    const before = await exportOf(tenant)
    expect((await importInto(tenant, { facet_mappings: [{ service: 't', mappings: [rule('a')] }] })).refusal).toEqual([
      'refused',
    ])
    expect((await importInto(tenant, { facet_mappings: services(21) }, 'replace')).refusal).toEqual(['refused'])
    expect((await tenant.addRule('t', {})).refusal).toEqual(['refused'])
    expect(await exportOf(tenant)).toEqual(before)
    expect((await importInto(tenant, { facet_mappings: [] }, 'replace')).status).toBe(200)
    expect((await tenant.addRule('t', {})).status).toBe(201)
  })
})
