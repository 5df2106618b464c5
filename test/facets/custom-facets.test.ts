import { describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import type { Answer } from '../support/integration-app.ts'
import { sectionOrder } from '../support/reference-facets.ts'
import { type FacetTenant, rangeOf, sharedFacetApp } from './facet-tenant.ts'

type Facet = components['schemas']['Facet']
type FacetPage = components['schemas']['FacetPage']

const shop = sharedFacetApp()

const pathOf = (slug: string) => `/service-facets/${encodeURIComponent(slug)}`
const create = ({ ask }: FacetTenant, name: string): Promise<Answer<Facet>> =>
  ask('POST', '/service-facets', { body: { name } })
const slugsOf = async ({ ask }: FacetTenant) =>
  (await ask<FacetPage>('GET', '/service-facets?limit=200')).body.items
    .filter(({ built_in }) => !built_in)
    .map(({ slug }) => slug)

describe('the slug of a custom facet', () => {
  it.each([
    ['Billing jobs', 'billing-jobs'],
    ['  Spaces & signs!  ', 'spaces-signs'],
    ['ÄÖÜ straße', 'äöü-straße'],
    ['e\u0301clair', 'éclair'],
    ['ﬁle №5', 'file-no5'],
    ['支払い', '支払い'],
    ['हिन्दी', 'हिन्दी'],
    ['İstanbul', 'i̇stanbul'],
    ['a/b%2F..?#', 'a-b-2f'],
    ["'; DROP TABLE custom_facets; --", 'drop-table-custom-facets'],
    ['x'.repeat(200), 'x'.repeat(100)],
    [`${'x'.repeat(99)} y`, 'x'.repeat(99)],
    ['😀 a', 'a'],
  ])('of %j is %j, and names it in its path', async (name, slug) => {
    const tenant = await shop()
    const { status, location, body } = await create(tenant, name)
    expect([status, body.slug, body.name]).toEqual([201, slug, name])
    const { services: _, ...read } = (await tenant.ask<object & { services: [] }>('GET', `${location?.slice(7)}`)).body
    expect(read).toEqual(body)
  })

  it.each(['!?', '😀', '—', ' '])('cannot be made from %j', async (name) => {
    const { status, refusal } = await create(await shop(), name)
    expect([status, ...refusal]).toEqual([400, 'invalid_request', '/name'])
  })

  it('is unique among custom and built-in facets', async () => {
    const tenant = await shop()
    expect((await create(tenant, 'Billing jobs')).status).toBe(201)
    for (const name of ['billing  JOBS', 'billing-jobs', 'HTTP input', 'Core', ...sectionOrder])
      expect((await create(tenant, name)).refusal, name).toEqual(['conflict'])
    expect(await slugsOf(tenant)).toEqual(['billing-jobs'])
  })

  it('is assigned to one of 20 concurrent requests', async () => {
    const tenant = await shop()
    const made = await Promise.all(Array.from({ length: 20 }, () => create(tenant, 'Billing jobs')))
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  it('is immutable: renaming keeps it, and one that is sent is ignored', async () => {
    const tenant = await shop()
    await create(tenant, 'Billing jobs')
    const renamed = await tenant.ask<Facet>('PUT', pathOf('billing-jobs'), { body: { name: 'Invoices' } })
    expect(renamed.body).toMatchObject({ slug: 'billing-jobs', name: 'Invoices', version: 2 })
    const sent = await tenant.ask<Facet>('PUT', pathOf('billing-jobs'), { body: { name: 'Bills', slug: 'invoices' } })
    expect(sent.body).toMatchObject({ slug: 'billing-jobs', name: 'Bills', version: 3 })
    expect((await create(tenant, 'Invoices')).status).toBe(201)
    expect(await slugsOf(tenant)).toEqual(['billing-jobs', 'invoices'])
  })
})

describe('a built-in facet', () => {
  it.each(sectionOrder)('%s cannot be changed or deleted (403) by any role or with any condition', async (slug) => {
    const { ask } = await shop()
    for (const ifMatch of ['"0"', '"1"', '*'])
      for (const [method, sent] of [
        ['PUT', { body: { name: 'x' } }],
        ['DELETE', {}],
      ] as const) {
        const { status, refusal } = await ask(method, pathOf(slug), { ...sent, ifMatch })
        expect([method, status, ...refusal]).toEqual([method, 403, 'forbidden'])
      }
    expect((await ask<Facet>('GET', `${pathOf(slug)}?${rangeOf()}`)).body).toMatchObject({ slug, built_in: true })
  })
})

describe('a custom facet', () => {
  it('changes in the fields that are sent, and every change increments the version', async () => {
    const tenant = await shop()
    const { body: made, etag } = await create(tenant, 'Billing')
    expect([made.description, made.version, etag]).toEqual(['', 1, '"1"'])
    const described = await tenant.ask<Facet>('PUT', pathOf('billing'), { body: { description: 'two\nlines' } })
    expect([described.status, described.etag]).toEqual([200, '"2"'])
    expect(described.body).toMatchObject({ name: 'Billing', description: 'two\nlines', version: 2 })
    expect(described.body.created_at).toBe(made.created_at)
    expect((await tenant.ask('GET', pathOf('billing'))).etag).toBe('"2"')
  })

  it.each([
    ['the current tag', '"1"', 200],
    ['any tag', '*', 200],
    ['an old tag', '"0"', 412],
    ['a bare number', '1', 400],
  ])('honours If-Match with %s (%s: %i)', async (_, ifMatch, status) => {
    const tenant = await shop()
    await create(tenant, 'Billing')
    const changed = await tenant.ask('PUT', pathOf('billing'), { body: { name: 'x' }, ifMatch })
    expect(changed.status).toBe(status)
    const deleted = await tenant.ask('DELETE', pathOf('billing'), { ifMatch: '"9"' })
    expect([deleted.status, ...deleted.refusal]).toEqual([412, 'version_mismatch'])
  })

  it('that does not exist cannot be read, changed or deleted (404)', async () => {
    const { ask } = await shop()
    for (const [method, sent] of [
      ['GET', {}],
      ['PUT', { body: {} }],
      ['DELETE', {}],
    ] as const) {
      const { status, refusal } = await ask(method, pathOf('nowhere'), sent)
      expect([method, status, ...refusal]).toEqual([method, 404, 'not_found'])
    }
  })

  it('of another organization is not visible, and does not occupy its slug', async () => {
    const [one, other] = [await shop(), await shop()]
    await create(one, 'Billing')
    for (const [method, sent] of [
      ['GET', {}],
      ['PUT', { body: { name: 'x' } }],
      ['DELETE', {}],
    ] as const)
      expect((await other.ask(method, pathOf('billing'), sent)).status).toBe(404)
    expect([await slugsOf(other), (await create(other, 'Billing')).status]).toEqual([[], 201])
    expect((await other.ask('DELETE', pathOf('billing'))).status).toBe(204)
    expect(await slugsOf(one)).toEqual(['billing'])
  })

  it('that is deleted leaves overrides without effect; created again, it makes them effective', async () => {
    const tenant = await shop('shop:step  [server]')
    const { createFacet, override, facetsOf, ask } = tenant
    await createFacet('Billing')
    await override('shop', { include: ['billing'] })
    expect((await ask('DELETE', pathOf('billing'))).status).toBe(204)
    expect(await facetsOf('shop')).toEqual(['core'])
    expect(await tenant.read('shop', 'facet-overrides')).toMatchObject({ include: ['billing'], version: 1 })
    const refused = await override('bank', { include: ['billing'] })
    expect([refused.status, ...refused.refusal]).toEqual([422, 'refused', '/include/0'])
    await createFacet('Billing')
    expect(await facetsOf('shop')).toEqual(['core', 'billing'])
  })
})

describe('the list of facets', () => {
  it('has pages over built-in and custom facets, even when the last facet of a page is deleted', async () => {
    const tenant = await shop()
    for (const name of ['c', 'a', 'd', 'b']) await create(tenant, name)
    const pageAfter = async (cursor: string | null) =>
      (await tenant.ask<FacetPage>('GET', `/service-facets?limit=7${cursor ? `&cursor=${cursor}` : ''}`)).body
    const first = await pageAfter(null)
    const second = await pageAfter(first.next_cursor)
    expect(second.items.at(-1)?.slug).toBe('b')
    await tenant.ask('DELETE', pathOf('b'))
    const third = await pageAfter(second.next_cursor)
    const slugs = [first, second, third].flatMap(({ items }) => items.map(({ slug }) => slug))
    expect([slugs, third.next_cursor]).toEqual([[...sectionOrder, 'a', 'b', 'c', 'd'], null])
  })

  it('rejects the cursor of another list', async () => {
    const [one, other] = [await shop(), await shop()]
    const { body } = await one.ask<FacetPage>('GET', '/service-facets?limit=1')
    const { status, refusal } = await other.ask('GET', `/service-facets?limit=1&cursor=${body.next_cursor}`)
    expect([status, ...refusal.slice(1)]).toEqual([400, '#/query/cursor'])
  })

  it('contains at most a thousand custom facets, and one service may have all of them', async () => {
    const tenant = await shop('shop:step  [server]')
    const facets = Array.from({ length: 1_000 }, (_, n) => ({ slug: `f${n}`, name: `F${n}` }))
    const imported = await tenant.ask('POST', '/config/import', { body: { format_version: 1, facets } })
    expect(imported.status).toBe(200)
    expect((await create(tenant, 'one more')).refusal).toEqual(['refused'])
    const include = facets.map(({ slug }) => slug)
    expect((await tenant.override('shop', { include: [...include, ...sectionOrder] })).status).toBe(200)
    expect(await tenant.facetsOf('shop')).toHaveLength(1_012)
    const { body } = await tenant.ask<{ items: { facets: object[] }[] }>('GET', `/services?${rangeOf()}`)
    expect(body.items[0]?.facets).toHaveLength(1_012)
  })
})
