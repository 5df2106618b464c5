/** Access to facets: reading requires access to the service, writing the role `contributor`. */
import { describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import type { Whom } from '../support/app.ts'
import { type FacetTenant, type Mapping, pathOf, rangeOf, sharedFacetApp } from './facet-tenant.ts'

type Schemas = components['schemas']

const shop = sharedFacetApp()
const grace: Whom = { role: 'restricted', subject: 'grace' }

const SHOP = `
  shop:order   [server]  tenant=a  io.kind=http io.role=input
    shop:save  [client]  tenant=b  io.kind=db io.role=output
    bank:pay   [server]  tenant=a  io.kind=queue io.role=input`

const rule = {
  attribute_source: 'span',
  attribute_key: 'tenant',
  match_operator: 'exists',
  set_io_kind: 'file',
  set_io_role: 'input',
}

const reads = [
  `/services?${rangeOf()}`,
  '/service-facets',
  `/service-facets/core?${rangeOf()}`,
  `${pathOf('shop', 'facet-overrides')}?${rangeOf()}`,
  `${pathOf('shop', 'facet-mappings')}?explain=true&${rangeOf()}`,
  `${pathOf('shop', 'widgets')}?${rangeOf()}`,
]

/** Every write operation. The last ones change what the first ones create. */
async function changesBy({ ask }: FacetTenant, whom: Whom, ruleId: string): Promise<number[]> {
  const overrides = { include: ['worker'], exclude: [] }
  const answers = [
    await ask('POST', '/service-facets', { body: { name: 'Made' }, whom }),
    await ask('PUT', '/service-facets/billing', { body: { name: 'Changed' }, whom }),
    await ask('DELETE', '/service-facets/billing', { whom }),
    await ask('PUT', pathOf('shop', 'facet-overrides'), { body: overrides, whom }),
    await ask('POST', pathOf('shop', 'facet-mappings'), { body: rule, whom }),
    await ask('DELETE', pathOf('shop', `facet-mappings/${ruleId}`), { whom }),
  ]
  return answers.map(({ status }) => status)
}

async function withRecords(): Promise<{ tenant: FacetTenant; ruleId: string }> {
  const tenant = await shop(SHOP)
  await tenant.createFacet('Billing')
  return { tenant, ruleId: (await tenant.addRule('shop', rule as Partial<Mapping>)).body.id }
}

const everything = [201, 200, 204, 200, 201, 204]
const forbidden = everything.map(() => 403)

it.each([
  ['viewer', forbidden],
  ['contributor', everything],
  ['admin', everything],
] as const)('a %s reads all about facets, and of changes is answered %j', async (role, expected) => {
  const { tenant, ruleId } = await withRecords()
  for (const path of reads) expect((await tenant.ask('GET', path, { whom: { role } })).status, path).toBe(200)
  const before = await tenant.ask('GET', '/config/export')
  expect(await changesBy(tenant, { role }, ruleId)).toEqual(expected)
  if (expected === forbidden) expect((await tenant.ask('GET', '/config/export')).body).toEqual(before.body)
})

it('the role `ingest` can neither read nor write facets', async () => {
  const { tenant, ruleId } = await withRecords()
  for (const path of reads) expect((await tenant.ask('GET', path, { whom: { role: 'ingest' } })).status).toBe(403)
  expect(await changesBy(tenant, { role: 'ingest' }, ruleId)).toEqual(forbidden)
})

it('a caller without credentials can neither read nor write facets', async () => {
  const { tenant } = await withRecords()
  for (const path of reads) {
    const answer = await fetch(`${tenant.tenant.app.url}/api/v1${path}`)
    expect([path, answer.status]).toEqual([path, 401])
  }
})

describe('a restricted caller', () => {
  async function granted() {
    const { tenant, ruleId } = await withRecords()
    const matchers = [{ service: 'shop', attribute_key: 'tenant', operator: 'equals' as const, value: 'a' }]
    const { id } = await tenant.tenant.create({ matchers })
    await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['grace'] } })
    const read = async <Body>(path: string) =>
      (await tenant.ask<Body>('GET', `${path}${rangeOf()}`, { whom: grace })).body
    return { tenant, ruleId, read }
  }

  it('reads the facets that visible spans show for services of a granted integration, and cannot write', async () => {
    const { tenant, ruleId, read } = await granted()
    const core = { slug: 'core', state: ['detected'] }
    expect((await read<Schemas['ServicePage']>('/services?')).items).toMatchObject([
      { name: 'shop', span_count: 1, facets: [core, { slug: 'http-input' }] },
    ])
    const { explain } = await read<Schemas['FacetMappingPage']>('/services/shop/facet-mappings?explain=true&')
    expect(explain).toMatchObject({ sampled_span_count: 1, carried_span_count: 1 })
    expect(await changesBy(tenant, grace, ruleId)).toEqual(forbidden)
  })

  it('gets 404 for any other service, whether it exists or not', async () => {
    const { tenant } = await granted()
    await tenant.override('bank', { include: ['worker'] })
    for (const place of ['facet-overrides', 'facet-mappings', 'facet-mappings?explain=true', 'widgets']) {
      const answers = await Promise.all(
        ['bank', 'nowhere'].map(async (service) => {
          const { status, body } = await tenant.ask('GET', pathOf(service, place), { whom: grace })
          return [
            status,
            JSON.stringify(body)
              .replaceAll(service, '?')
              .replace(/"instance":"[^"]*"/, ''),
          ]
        }),
      )
      expect(answers[0]?.[0], place).toBe(404)
      expect(answers[0], place).toEqual(answers[1])
    }
  })

  it('reads a facet with the services that it can see', async () => {
    const { tenant, read } = await granted()
    await tenant.override('bank', { include: ['worker'] })
    await tenant.override('shop', { include: ['worker'] })
    const carriersOf = async (slug: string) =>
      (await read<Schemas['FacetCarriers']>(`/service-facets/${slug}?`)).services.map(({ name }) => name)
    expect(await Promise.all(['core', 'worker', 'queue-input', 'db-output', 'http-input'].map(carriersOf))).toEqual([
      ...[['shop'], ['shop'], [], [], ['shop']],
    ])
  })

  it.each([
    ['the spans of no service', 'nobody'],
    ['spans of another service', 'a'],
  ])('with a pattern that covers %s sees settings only of services whose spans it sees', async (_, value) => {
    const { tenant } = await withRecords()
    const matchers = [{ service: '*', service_match: 'pattern' as const, attribute_key: 'tenant', value }]
    const { id } = await tenant.tenant.create({ matchers: matchers.map((one) => ({ ...one, operator: 'equals' })) })
    await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['grace'] } })
    const services = ['shop', 'unseen', 'only in rules']
    for (const service of services) {
      await tenant.override(service, { include: ['worker'] })
      await tenant.addRule(service, rule as Partial<Mapping>)
    }
    const ofGrace = async <Body>(path: string) => (await tenant.ask<Body>('GET', path, { whom: grace })).body
    const { services: carriers } = await ofGrace<Schemas['FacetCarriers']>(`/service-facets/worker?${rangeOf()}`)
    const seen = await Promise.all(
      services.map(async (service) => {
        const ask = <Body>(place: string) => ofGrace<Body>(`${pathOf(service, place)}?${rangeOf()}`)
        const overrides = await ask<Schemas['FacetOverrides']>('facet-overrides')
        const { items } = await ask<Schemas['FacetMappingPage']>('facet-mappings')
        const dashboard = await ask<{ facets: Schemas['DashboardSection'][] }>('widgets')
        const slugs = dashboard.facets.map(({ slug }) => slug)
        return [overrides.include, overrides.version > 0, items.length > 0, slugs.includes('worker')]
      }),
    )
    const nothing = [[], false, false, false]
    const ofShop = value === 'a' ? [['worker'], true, true, true] : nothing
    expect(carriers.map(({ name }) => name)).toEqual(value === 'a' ? ['shop'] : [])
    expect(seen).toEqual([ofShop, nothing, nothing])
  })

  it('with a rule that names a service sees its settings although it has no spans', async () => {
    const { tenant } = await withRecords()
    const { id } = await tenant.tenant.create({ matchers: [{ service: 'planned' }] })
    await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['grace'] } })
    await tenant.override('planned', { include: ['worker'] })
    const carriers = await tenant.ask<Schemas['FacetCarriers']>('GET', `/service-facets/worker?${rangeOf()}`, {
      whom: grace,
    })
    expect(carriers.body.services.map(({ name }) => name)).toEqual(['planned'])
  })

  it('without grants sees no service', async () => {
    const { tenant } = await granted()
    const whom: Whom = { role: 'restricted', subject: 'eve' }
    const listed = await tenant.ask<Schemas['ServicePage']>('GET', `/services?${rangeOf()}`, { whom })
    const core = await tenant.ask<Schemas['FacetCarriers']>('GET', `/service-facets/core?${rangeOf()}`, { whom })
    expect([listed.body.items, core.body.services]).toEqual([[], []])
    expect((await tenant.ask('GET', pathOf('shop', 'facet-overrides'), { whom })).status).toBe(404)
  })
})

describe('another organization', () => {
  it('gets 404 when it deletes rules, under their own service or another', async () => {
    const { tenant, ruleId } = await withRecords()
    const other = await shop(SHOP)
    for (const service of ['shop', 'bank']) {
      const { status, refusal } = await other.ask('DELETE', pathOf(service, `facet-mappings/${ruleId}`))
      expect([status, ...refusal]).toEqual([404, 'not_found'])
    }
    expect((await tenant.ask('DELETE', pathOf('bank', `facet-mappings/${ruleId}`))).status).toBe(404)
    expect((await tenant.read<{ items: object[] }>('shop', 'facet-mappings')).items).toHaveLength(1)
    expect((await other.read<{ items: object[] }>('shop', 'facet-mappings')).items).toEqual([])
  })

  it('has its own services, rules and pages', async () => {
    const { tenant } = await withRecords()
    const other = await shop('web:home  [server]')
    const names = async ({ ask }: FacetTenant, query = '') =>
      (await ask<Schemas['ServicePage']>('GET', `/services?${rangeOf()}${query}`)).body
    expect((await names(other)).items.map(({ name }) => name)).toEqual(['web'])
    const { next_cursor } = await names(tenant, '&limit=1')
    const { status, refusal } = await other.ask('GET', `/services?${rangeOf()}&limit=1&cursor=${next_cursor}`)
    expect([status, ...refusal.slice(1)]).toEqual([400, '#/query/cursor'])
  })
})
