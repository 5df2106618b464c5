/** Facet detection rules 14 and 15: where the facets of services are used. */
import { describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sectionOrder } from '../support/reference-facets.ts'
import { drawnTraceId } from '../support/trace-text.ts'
import { type Dashboard, rangeOf, seconds, sharedFacetApp } from './facet-tenant.ts'

type Schemas = components['schemas']

const shop = sharedFacetApp()

const SHOP = `
  shop:order    [server]  io.kind=http io.role=input  http.route=/order  a=1
    bank:pay    [client]  !  ~30ms  db.system=mysql
    shop:save   [client]  io.kind=db io.role=output  t+30s
  ---
  web:home      [server]`

describe('14. Where facets are used:', () => {
  it('the services list shows each service’s facets, with counts of its spans', async () => {
    const { ask, override, addRule } = await shop(SHOP)
    await addRule('bank', { attribute_key: 'db.system', set_io_kind: 'db', set_io_role: 'output' })
    await override('shop', { include: ['http-input', 'queue-output'], exclude: ['db-output'] })
    await override('silent', { include: ['queue-output'] })
    const listed = await ask<Schemas['ServicePage']>('GET', `/services?${rangeOf()}`)
    const core = { slug: 'core', state: ['detected'] }
    expect(listed.body).toEqual({
      items: [
        {
          name: 'bank',
          span_count: 1,
          error_count: 1,
          p95_ms: 30,
          facets: [core, { slug: 'db-output', state: ['detected'] }],
        },
        {
          name: 'shop',
          span_count: 2,
          error_count: 0,
          p95_ms: 1,
          facets: [
            core,
            { slug: 'http-input', state: ['detected', 'manual'] },
            { slug: 'queue-output', state: ['manual'] },
          ],
        },
        { name: 'web', span_count: 1, error_count: 0, p95_ms: 1, facets: [core] },
      ],
      next_cursor: null,
    })
    const paged: object[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await ask<Schemas['ServicePage']>('GET', `/services?${rangeOf()}&limit=1${after}`)
      paged.push(...body.items)
      cursor = body.next_cursor
    }
    expect(paged).toEqual(listed.body.items)
  })

  it('the dashboard has one section per effective facet in a fixed order, with manual facets badged', async () => {
    const { createFacet, override, read } = await shop(SHOP)
    const slug = await createFacet('Billing')
    await override('shop', { include: ['worker', slug, 'http-output', 'db-output'] })
    const { facets } = await read<Dashboard>('shop', 'widgets')
    expect(facets.map((facet) => [facet.slug, ...facet.state])).toEqual([
      ['core', 'detected'],
      ['http-input', 'detected'],
      ['http-output', 'manual'],
      ['db-output', 'detected', 'manual'],
      ['worker', 'manual'],
      [slug, 'manual'],
    ])
  })

  it('a facet can be opened to list every service carrying it', async () => {
    const { ask, override, addRule } = await shop(SHOP)
    await addRule('bank', { attribute_key: 'db.system', set_io_kind: 'db', set_io_role: 'output' })
    await override('silent', { include: ['db-output'] })
    await override('web', { exclude: ['db-output'] })
    const carriersIn = async (window = seconds(0, 60)) =>
      (await ask<Schemas['FacetCarriers']>('GET', `/service-facets/db-output?${rangeOf(window)}`)).body.services
    expect(await carriersIn()).toEqual([
      { name: 'bank', state: ['detected'] },
      { name: 'shop', state: ['detected'] },
      { name: 'silent', state: ['manual'] },
    ])
    expect((await carriersIn(seconds(0, 30))).map(({ name }) => name)).toEqual(['bank', 'silent'])
    await override('shop', { exclude: ['db-output'] })
    expect((await carriersIn()).map(({ name }) => name)).toEqual(['bank', 'silent'])
  })

  it('the nodes of the flow graph carry the facets of their services, for the glyph on integration views', async () => {
    const { tenant, ask, addRule } = await shop(SHOP)
    await addRule('bank', { attribute_key: 'db.system', set_io_kind: 'db', set_io_role: 'output' })
    const { id } = await tenant.create({ matchers: [{ service: 'shop' }, { service: 'bank' }] })
    const graph = await ask<Schemas['FlowGraph']>('GET', `/integrations/${id}/flow-graph?${rangeOf()}`)
    expect(Object.fromEntries(graph.body.nodes.map(({ service, facets }) => [service, facets]))).toEqual({
      shop: ['core', 'http-input', 'db-output'],
      bank: ['core', 'db-output'],
    })
  })

  it('the key attributes of a service’s facets are surfaced first on its spans in trace views', async () => {
    const { ask } = await shop(SHOP)
    const { body } = await ask<Schemas['MessageDetail']>('GET', `/messages/${drawnTraceId(1)}?${rangeOf()}`)
    const [order, ...others] = body.spans.map((span) => span.key_attributes.map(({ key }) => key))
    expect([order, others.flat()]).toEqual([['http.route'], []])
    expect(Object.keys(body.spans[0] ?? {})).toEqual(expect.arrayContaining(['key_attributes', 'attributes']))
  })
})

it('15. The order of dashboard sections: core, inputs and outputs by kind, worker, custom facets by slug', async () => {
  const { createFacet, override, read, ask } = await shop()
  const custom = [
    await createFacet('Zebra'),
    await createFacet('éclair'),
    await createFacet('Apple'),
    await createFacet('10'),
  ]
  const shuffled = [...sectionOrder, ...custom].toReversed()
  await override('shop', { include: shuffled })
  const order = [...sectionOrder, '10', 'apple', 'zebra', 'éclair']
  expect((await read<Dashboard>('shop', 'widgets')).facets.map(({ slug }) => slug)).toEqual(order)
  const { body } = await ask<Schemas['FacetPage']>('GET', '/service-facets')
  expect(body.items.map(({ slug }) => slug)).toEqual(order)
})
