/** Facet detection rules 7, 8, 9 and 13, and the states and transitions of overrides. */
import { describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { drawTraces } from '../support/trace-text.ts'
import { type Dashboard, type FacetTenant, rangeOf, seconds, sharedFacetApp } from './facet-tenant.ts'

type Schemas = components['schemas']

const shop = sharedFacetApp()

const ORDER = 'shop:order  [server]  io.kind=http io.role=input'

const sectionsOf = async ({ read }: FacetTenant, window = seconds(0, 60)) =>
  (await read<Dashboard>('shop', 'widgets', window)).facets.map(({ slug }) => slug)

/** Reads the data of every widget of a facet. */
async function widgetDataOf({ ask, read }: FacetTenant, slug: string) {
  const { facets } = await read<Dashboard>('shop', 'widgets')
  const widgets = facets.find((facet) => facet.slug === slug)?.widgets ?? []
  return Promise.all(
    widgets.map(async ({ id }) => (await ask('GET', `/services/shop/widgets/${id}/data?${rangeOf()}`)).body),
  )
}

const isEmpty = (data: unknown) => {
  const { series, rows } = data as { series?: unknown[]; rows?: unknown[] }
  return (series ?? rows)?.length === 0
}

it('7. The effective facets of a service are (detected UNION included) MINUS excluded', async () => {
  const { facetsOf, override, createFacet } = await shop(`${ORDER}\nshop:save  io.kind=db io.role=output`)
  const custom = await createFacet('Billing jobs')
  await override('shop', { include: ['db-output', custom, 'file-input', 'worker'], exclude: ['http-input', 'worker'] })
  expect(await facetsOf('shop')).toEqual(['core', 'file-input', 'db-output', custom])
})

describe('8. Overrides', () => {
  it('are deltas, not snapshots: facets detected later are added, and excluded facets stay excluded', async () => {
    const { facetsOf, override, store, tenant } = await shop(ORDER)
    await override('shop', { include: ['queue-output'], exclude: ['db-output'] })
    expect(await facetsOf('shop')).toEqual(['core', 'http-input', 'queue-output'])
    const more = 'shop:a  io.kind=file io.role=input\nshop:b  io.kind=db io.role=output'
    await store(drawTraces(more, { org: tenant.org, firstTrace: 2 }))
    expect(await facetsOf('shop')).toEqual(['core', 'http-input', 'queue-output', 'file-input'])
  })

  it('keep applying on top of whatever detection yields later; nothing needs cleaning up', async () => {
    const { facetsOf, override, addRule } = await shop('shop:order  [server]  http.route=/order')
    await override('shop', { include: ['http-input', 'email-output'] })
    const before = seconds(-60, 0)
    expect([await facetsOf('shop', before), await facetsOf('shop')]).toEqual(
      Array(2).fill(['core', 'http-input', 'email-output']),
    )
    await addRule('shop', {})
    await override('shop', {})
    expect([await facetsOf('shop', before), await facetsOf('shop')]).toEqual([['core'], ['core', 'http-input']])
  })

  it('of a deleted facet can be sent back or removed, but not added', async () => {
    const { ask, createFacet, override } = await shop(ORDER)
    const slug = await createFacet('Billing jobs')
    await override('shop', { include: [slug] })
    await ask('DELETE', `/service-facets/${slug}`)
    const kept = { include: [slug, 'db-output'], exclude: [] }
    expect(await override('shop', kept)).toMatchObject({ status: 200, body: kept })
    expect(await override('bank', kept)).toMatchObject({ status: 422, refusal: ['refused', '/include/0'] })
    expect((await override('shop', { include: ['never'] })).refusal).toEqual(['refused', '/include/0'])
    expect((await override('shop', {})).status).toBe(200)
    expect((await override('shop', kept)).status).toBe(422)
  })
})

it('9. A facet that is included but has no matching telemetry shows empty widgets; no data is invented', async () => {
  const tenant = await shop(ORDER)
  await tenant.override('shop', { include: ['queue-input', 'email-output', 'worker', 'db-output'] })
  for (const slug of ['queue-input', 'email-output', 'worker', 'db-output']) {
    const data = await widgetDataOf(tenant, slug)
    expect(data.length, slug).toBeGreaterThanOrEqual(3)
    expect(data.filter(isEmpty), slug).toEqual(data)
  }
  expect((await widgetDataOf(tenant, 'http-input')).some(isEmpty)).toBe(false)
})

describe('13. A custom facet', () => {
  it('has no auto-detection and no widgets of its own', async () => {
    const { createFacet, facetsOf, ask, override, read } = await shop(
      'http:order  [server]  billing=1  io.kind=billing io.role=jobs',
    )
    const slug = await createFacet('billing')
    expect(await facetsOf('http')).toEqual(['core'])
    const { body } = await ask<Schemas['Facet']>('GET', `/service-facets/${slug}`)
    expect(body).toMatchObject({ built_in: false, definition: null, widgets: [], key_attributes: [] })
    await override('http', { include: [slug] })
    expect((await read<Dashboard>('http', 'widgets')).facets.at(-1)).toEqual({ slug, state: ['manual'], widgets: [] })
  })

  it('is only ever assigned by an include override', async () => {
    const { createFacet, facetsOf, statesOf, override } = await shop(ORDER)
    const slug = await createFacet('Billing jobs')
    await override('shop', { include: [slug] })
    expect([await facetsOf('shop'), await facetsOf('bank')]).toEqual([['core', 'http-input', slug], ['core']])
    expect(await statesOf('shop', slug)).toEqual(['manual'])
    await override('shop', { include: [slug], exclude: [slug] })
    expect([await facetsOf('shop'), await statesOf('shop', slug)]).toEqual([['core', 'http-input'], ['hidden']])
  })
})

describe('States and transitions:', () => {
  it('detected, exclude and save: hidden, and the dashboard has no such section', async () => {
    const tenant = await shop(ORDER)
    expect([await tenant.statesOf('shop', 'http-input'), await sectionsOf(tenant)]).toEqual([
      ['detected'],
      ['core', 'http-input'],
    ])
    const { body } = await tenant.override('shop', { exclude: ['http-input'] })
    const facet = { slug: 'http-input', detected: true, override: 'exclude', effective: false, state: ['hidden'] }
    expect((body as Schemas['FacetOverrides']).facets).toContainEqual(facet)
    expect(await sectionsOf(tenant)).toEqual(['core'])
  })

  it('detected, exclude and save, when the facet is core: refused, and nothing changes', async () => {
    const tenant = await shop(ORDER)
    expect((await tenant.override('shop', { exclude: ['core', 'http-input'] })).status).toBe(422)
    expect([await tenant.statesOf('shop', 'core'), await sectionsOf(tenant)]).toEqual([
      ['detected'],
      ['core', 'http-input'],
    ])
  })

  it('not detected, include and save: manual, with empty widgets until matching telemetry arrives', async () => {
    const tenant = await shop(ORDER)
    await tenant.override('shop', { include: ['db-output'] })
    expect([await tenant.statesOf('shop', 'db-output'), await sectionsOf(tenant)]).toEqual([
      ['manual'],
      ['core', 'http-input', 'db-output'],
    ])
    expect((await widgetDataOf(tenant, 'db-output')).every(isEmpty)).toBe(true)
    const arrived = 'shop:save  io.kind=db io.role=output  db.system=mysql db.operation=SELECT db.sql.table=t'
    await tenant.store(drawTraces(arrived, { org: tenant.tenant.org, firstTrace: 2 }))
    expect(await tenant.statesOf('shop', 'db-output')).toEqual(['detected', 'manual'])
    expect((await widgetDataOf(tenant, 'db-output')).some(isEmpty)).toBe(false)
  })

  it('detected, include: detected and manual, which stays in effect when detection stops', async () => {
    const tenant = await shop(ORDER)
    await tenant.override('shop', { include: ['http-input'] })
    expect(await tenant.statesOf('shop', 'http-input')).toEqual(['detected', 'manual'])
    const later = seconds(60, 120)
    expect(await tenant.statesOf('shop', 'http-input', later)).toEqual(['manual'])
    expect(await sectionsOf(tenant, later)).toEqual(['core', 'http-input'])
  })

  it('hidden, remove the exclusion and save: detected again if telemetry still matches, with its section', async () => {
    const tenant = await shop(ORDER)
    await tenant.override('shop', { exclude: ['http-input', 'db-output'] })
    expect([await tenant.statesOf('shop', 'http-input'), await tenant.statesOf('shop', 'db-output')]).toEqual([
      ['hidden'],
      ['hidden'],
    ])
    await tenant.override('shop', {})
    expect([await tenant.statesOf('shop', 'http-input'), await tenant.statesOf('shop', 'db-output')]).toEqual([
      ['detected'],
      [],
    ])
    expect(await sectionsOf(tenant)).toEqual(['core', 'http-input'])
  })
})
