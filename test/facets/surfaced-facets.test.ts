/**
 * Where the facets of services are used beside their dashboards: on the nodes of flow graphs and on the spans of
 * messages.
 */
import { describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId, drawTraces } from '../support/trace-text.ts'

type Schemas = components['schemas']

const newTenant = sharedApp()
const grace = { role: 'restricted', subject: 'grace' } as const

async function tenantWith(drawn: string): Promise<Tenant> {
  const tenant = newTenant()
  await tenant.app.sendSpans(toOtlpJson(drawTraces(drawn, { org: tenant.org })), { org: tenant.org })
  return tenant
}

const rangeOf = (seconds: bigint) =>
  new URLSearchParams({ from: toRfc3339(drawnStartNs), to: toRfc3339(drawnStartNs + seconds * 1_000_000_000n) })

const override = (tenant: Tenant, service: string, overrides: { include?: string[]; exclude?: string[] }) =>
  tenant.ask('PUT', `/services/${service}/facet-overrides`, { body: { include: [], exclude: [], ...overrides } })

const routeIsRequest = {
  attribute_source: 'span',
  attribute_key: 'http.route',
  match_operator: 'exists',
  set_io_kind: 'http',
  set_io_role: 'input',
}

describe('the nodes of a flow graph', () => {
  const SHOP = `
    web:order      http.route=/order
      shop:save    io.kind=db io.role=output
        bank:pay   tenant=a
          bank:ask tenant=b  io.kind=http io.role=output
      shop:tell    t+30s  io.kind=queue io.role=output`

  async function nodesOf(tenant: Tenant, matchers: Schemas['MatcherInput'][], seconds = 60n) {
    const { id } = await tenant.create({ matchers })
    const path = `/integrations/${id}/flow-graph?${rangeOf(seconds)}`
    const { body } = await tenant.ask<Schemas['FlowGraph']>('GET', path)
    return Object.fromEntries(body.nodes.map(({ service, facets }) => [service, facets]))
  }
  const everyService = ['web', 'shop', 'bank'].map((service) => ({ service }))

  it('carry the facets that are in effect, in the order of sections', async () => {
    const tenant = await tenantWith(SHOP)
    await tenant.ask('POST', '/service-facets', { body: { name: 'Zoo', description: '' } })
    await override(tenant, 'shop', { include: ['zoo', 'http-input'], exclude: ['queue-output'] })
    await tenant.ask('POST', '/services/web/facet-mappings', { body: routeIsRequest })
    expect(await nodesOf(tenant, everyService)).toEqual({
      web: ['core', 'http-input'],
      shop: ['core', 'http-input', 'db-output', 'zoo'],
      bank: ['core', 'http-output'],
    })
  })

  it('follow the window', async () => {
    const tenant = await tenantWith(SHOP)
    expect((await nodesOf(tenant, everyService, 20n)).shop).toEqual(['core', 'db-output'])
    expect((await nodesOf(tenant, everyService, 60n)).shop).toEqual(['core', 'queue-output', 'db-output'])
  })

  it('are those of all spans for a viewer, and those of the visible spans for a restricted caller', async () => {
    const tenant = await tenantWith(SHOP)
    const { id } = await tenant.create({
      matchers: [{ service: 'bank', attribute_key: 'tenant', operator: 'equals', value: 'a' }],
    })
    await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['grace'] } })
    const facetsFor = async (whom: object) => {
      const path = `/integrations/${id}/flow-graph?${rangeOf(60n)}`
      return (await tenant.ask<Schemas['FlowGraph']>('GET', path, { whom })).body.nodes.map(({ facets }) => facets)
    }
    expect(await facetsFor({ role: 'viewer' })).toEqual([['core', 'http-output']])
    expect(await facetsFor(grace)).toEqual([['core', 'worker']])
  })
})

describe('the key attributes of a span', () => {
  async function keysOf(tenant: Tenant, query = '', whom = {}) {
    const path = `/messages/${drawnTraceId(1)}${query}`
    const { status, body } = await tenant.ask<Schemas['MessageDetail']>('GET', path, { whom })
    expect(status, JSON.stringify(body)).toBe(200)
    return Object.fromEntries(
      body.spans.map(({ name, key_attributes }) => [name, key_attributes.map(({ key }) => key)]),
    )
  }

  it('are those of the facets of its service that the span carries, in the order of the facets', async () => {
    const tenant = await tenantWith(`
      shop:order   io.kind=http io.role=input  tenant=a  http.status_code=int:200  http.method=GET  http.route=/order
        save       io.kind=db io.role=output   db.name=orders  db.system=mysql  http.route=/order
        wait       tenant=a
        bank:pay   http.route=/pay  db.system=mysql`)
    expect(await keysOf(tenant)).toEqual({
      order: ['http.route', 'http.method', 'http.status_code'],
      save: ['http.route', 'db.system', 'db.name'],
      wait: [],
      pay: [],
    })
  })

  it('have the values and types of the span or its resource, and also occur among the other attributes', async () => {
    const tenant = await tenantWith(`
      shop:order   io.kind=http io.role=input  http.status_code=int:200  @http.status_code=int:500  @http.route=/order`)
    const { body } = await tenant.ask<Schemas['MessageDetail']>('GET', `/messages/${drawnTraceId(1)}`)
    const code = { key: 'http.status_code', type: 'int', value: 200 }
    const route = { key: 'http.route', type: 'string', value: '/order' }
    expect(body.spans[0]?.key_attributes).toEqual([route, code])
    expect(body.spans[0]?.attributes).toContainEqual(code)
    expect(body.spans[0]?.resource_attributes).toContainEqual(route)
  })

  it('follow overrides and classification rules immediately', async () => {
    const tenant = await tenantWith('shop:order  http.route=/order  db.system=mysql  messaging.system=kafka')
    expect(await keysOf(tenant)).toEqual({ order: [] })
    await tenant.ask('POST', '/services/shop/facet-mappings', { body: routeIsRequest })
    expect(await keysOf(tenant)).toEqual({ order: ['http.route'] })
    await override(tenant, 'shop', { include: ['stream-input', 'db-output'], exclude: ['http-input'] })
    expect(await keysOf(tenant)).toEqual({ order: ['messaging.system', 'db.system'] })
  })

  it('are the same with more rules than one query takes', async () => {
    const tenant = await tenantWith('shop:order  http.route=/order')
    await tenant.ask('POST', '/services/shop/facet-mappings', { body: routeIsRequest })
    for (let index = 0; index < 8; index++)
      await tenant.ask('POST', `/services/other-${index}/facet-mappings`, { body: routeIsRequest })
    expect(await keysOf(tenant)).toEqual({ order: ['http.route'] })
  })

  it('occur once even if several facets name them', async () => {
    const tenant = await tenantWith(`
      shop:take   io.kind=queue io.role=input  messaging.system=kafka
        give      io.kind=queue io.role=output`)
    expect(await keysOf(tenant)).toEqual({ take: ['messaging.system'], give: [] })
  })

  it('reveal nothing about invisible spans to a restricted caller', async () => {
    const tenant = await tenantWith(`
      shop:order   tenant=a  http.route=/order
        save       tenant=b  io.kind=http io.role=input`)
    const { id } = await tenant.create({
      matchers: [{ service: 'shop', attribute_key: 'tenant', operator: 'equals', value: 'a' }],
    })
    await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['grace'] } })
    expect(await keysOf(tenant, '', grace)).toEqual({ order: [] })
    expect(await keysOf(tenant)).toEqual({ order: ['http.route'], save: [] })
  })
})
