import { describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { sectionOrder } from '../support/reference-facets.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawTraces } from '../support/trace-text.ts'

type Dashboard = components['schemas']['ServiceDashboard']

const newTenant = sharedApp()
const minute = 60_000_000_000n

async function tenantWith(drawn: string): Promise<Tenant> {
  const tenant = newTenant()
  const spans = drawTraces(drawn, { org: tenant.org })
  if (spans.length > 0) await tenant.app.sendSpans(toOtlpJson(spans), { org: tenant.org })
  return tenant
}

/** The dashboard over a number of minutes from the start of the drawn traces. */
async function dashboardOf(tenant: Tenant, service: string, minutes = 1n): Promise<Dashboard> {
  const range = { from: toRfc3339(drawnStartNs), to: toRfc3339(drawnStartNs + minutes * minute) }
  const path = `/services/${encodeURIComponent(service)}/widgets?${new URLSearchParams(range)}`
  const { status, body } = await tenant.ask<Dashboard>('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const sectionsOf = ({ facets }: Dashboard) => facets.map(({ slug, state }) => [slug, state.join(' ')])

const pairs = sectionOrder.filter((slug) => slug.includes('-'))
const EVERY_PAIR = pairs
  .toReversed()
  .map((slug) => `shop:${slug}  io.kind=${slug.split('-')[0]} io.role=${slug.split('-')[1]}`)
  .join('\n')

describe('a dashboard', () => {
  it('has a section for each facet of the service in a fixed order, with custom facets last, by slug', async () => {
    const tenant = await tenantWith(EVERY_PAIR)
    for (const name of ['Zebra crossings', 'Billing jobs']) {
      const made = await tenant.ask('POST', '/service-facets', { body: { name, description: '' } })
      expect(made.status).toBe(201)
    }
    const include = ['zebra-crossings', 'worker', 'billing-jobs']
    await tenant.ask('PUT', '/services/shop/facet-overrides', { body: { include, exclude: [] } })
    const order = [...sectionOrder, 'billing-jobs', 'zebra-crossings']
    expect((await dashboardOf(tenant, 'shop')).facets.map(({ slug }) => slug)).toEqual(order)
  })

  it('shows the same widgets for each built-in facet as the list of facets, and none for custom facets', async () => {
    const tenant = await tenantWith(EVERY_PAIR)
    await tenant.ask('POST', '/service-facets', { body: { name: 'Billing', description: '' } })
    await tenant.ask('PUT', '/services/shop/facet-overrides', { body: { include: ['billing', 'worker'], exclude: [] } })
    const listed = await tenant.ask<components['schemas']['FacetPage']>('GET', '/service-facets')
    const widgetsOf = new Map(listed.body.items.map(({ slug, widgets }) => [slug, widgets]))
    const { facets } = await dashboardOf(tenant, 'shop')
    expect(facets).toHaveLength(sectionOrder.length + 1)
    for (const { slug, widgets } of facets) {
      expect(widgets, slug).toEqual(widgetsOf.get(slug))
      if (slug === 'billing') expect(widgets).toEqual([])
      else expect(widgets.length, slug).toBeGreaterThanOrEqual(3)
    }
  })

  it('marks each section as detected, manual, or both', async () => {
    const tenant = await tenantWith('shop:order  io.kind=http io.role=input')
    const include = ['http-input', 'db-output']
    await tenant.ask('PUT', '/services/shop/facet-overrides', { body: { include, exclude: [] } })
    expect(sectionsOf(await dashboardOf(tenant, 'shop'))).toEqual([
      ['core', 'detected'],
      ['http-input', 'detected manual'],
      ['db-output', 'manual'],
    ])
  })

  it('omits hidden facets, and shows them again once they are not hidden', async () => {
    const tenant = await tenantWith('shop:order  io.kind=http io.role=input')
    const put = (exclude: string[]) =>
      tenant.ask('PUT', '/services/shop/facet-overrides', { body: { include: [], exclude } })
    await put(['http-input'])
    expect(sectionsOf(await dashboardOf(tenant, 'shop'))).toEqual([['core', 'detected']])
    await put([])
    expect(sectionsOf(await dashboardOf(tenant, 'shop'))).toEqual([
      ['core', 'detected'],
      ['http-input', 'detected'],
    ])
  })

  it('follows the window', async () => {
    const tenant = await tenantWith(`
      shop:order       io.kind=http io.role=input
        shop:look_up   t+90s  io.kind=db io.role=output`)
    expect(sectionsOf(await dashboardOf(tenant, 'shop', 1n)).map(([slug]) => slug)).toEqual(['core', 'http-input'])
    expect(sectionsOf(await dashboardOf(tenant, 'shop', 2n)).map(([slug]) => slug)).toEqual([
      ...['core', 'http-input', 'db-output'],
    ])
  })

  it('has the section of a facet that comes from a classification rule', async () => {
    const tenant = await tenantWith('shop:order  http.route=/order')
    expect(sectionsOf(await dashboardOf(tenant, 'shop')).map(([slug]) => slug)).toEqual(['core', 'worker'])
    const rule = { attribute_source: 'span', attribute_key: 'http.route', match_operator: 'exists' }
    const made = await tenant.ask('POST', '/services/shop/facet-mappings', {
      body: { ...rule, set_io_kind: 'http', set_io_role: 'input' },
    })
    expect(made.status).toBe(201)
    expect(sectionsOf(await dashboardOf(tenant, 'shop')).map(([slug]) => slug)).toEqual(['core', 'http-input'])
  })

  it('has the section core for a service without telemetry', async () => {
    const tenant = await tenantWith('')
    const dashboard = await dashboardOf(tenant, 'a/b c%2F')
    expect([dashboard.service, ...sectionsOf(dashboard)]).toEqual(['a/b c%2F', ['core', 'detected']])
  })
})

it('an empty window is rejected at `from`', async () => {
  const tenant = newTenant()
  const moment = '2026-01-01T00:00:00Z'
  const { status, refusal } = await tenant.ask('GET', `/services/shop/widgets?from=${moment}&to=${moment}`)
  expect([status, ...refusal]).toEqual([400, 'invalid_request', '#/query/from'])
})

describe('a restricted caller', () => {
  const grace = { role: 'restricted', subject: 'grace' } as const
  const range = `from=${toRfc3339(drawnStartNs)}&to=${toRfc3339(drawnStartNs + minute)}`

  it('sees the sections and numbers of visible spans, and no other service', async () => {
    const tenant = await tenantWith(`
      shop:order       tenant=a  io.kind=http io.role=input
      shop:import      tenant=b  io.kind=file io.role=input
      bank:pay         tenant=a  io.kind=http io.role=input`)
    const matchers = [{ service: 'shop', attribute_key: 'tenant', operator: 'equals' as const, value: 'a' }]
    const { id } = await tenant.create({ matchers })
    const ask = (path: string) => tenant.ask<Dashboard>('GET', `${path}${range}`, { whom: grace })
    expect((await ask('/services/shop/widgets?')).refusal).toEqual(['not_found'])
    await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['grace'] } })
    const { body } = await ask('/services/shop/widgets?')
    expect(body.facets.map(({ slug }) => slug)).toEqual(['core', 'http-input'])
    const count = await ask('/services/shop/widgets/core.spans/data?')
    expect(count.body).toMatchObject({ rows: [[1]] })
    const files = await ask('/services/shop/widgets/file-input.files/data?')
    expect(files.body).toMatchObject({ rows: [], row_groups: [] })
    for (const path of ['/services/bank/widgets?', '/services/bank/widgets/core.spans/data?']) {
      const { status, refusal } = await ask(path)
      expect([path, status, ...refusal]).toEqual([path, 404, 'not_found'])
    }
  })

  it('cannot distinguish a service that it cannot see from one that does not exist', async () => {
    const tenant = await tenantWith('bank:pay')
    const of = async (service: string) => {
      const { status, body } = await tenant.ask<{ detail: string }>('GET', `/services/${service}/widgets?${range}`, {
        whom: grace,
      })
      return [status, body.detail.replaceAll(service, '?')]
    }
    expect(await of('bank')).toEqual(await of('nowhere'))
  })
})
