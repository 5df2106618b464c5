/** Facet detection rules 1 to 6. Each test is named after a rule and starts with its number. */
import { describe, expect, it } from 'vitest'
import { ioKinds, ioRoles, sectionOrder } from '../support/reference-facets.ts'
import { drawTraces } from '../support/trace-text.ts'
import { type Overrides, seconds, sharedFacetApp } from './facet-tenant.ts'

const shop = sharedFacetApp()

/** The facets in their order, with the pair from which each is detected. */
const detectedFrom = sectionOrder
  .filter((slug) => slug !== 'core' && slug !== 'worker')
  .map((slug) => [slug, ...slug.split('-')] as const)

const pairs = ioKinds.flatMap((kind) => ioRoles.map((role) => [kind, role] as const))

describe('1. Classification rests on two span attributes: io.kind and io.role', () => {
  it('each pair of their values is one facet, or no facet', async () => {
    const lines = pairs.map(([kind, role]) => `${kind}.${role}:step  [server]  io.kind=${kind} io.role=${role}`)
    const { facetsOf } = await shop(lines.join('\n'))
    for (const [kind, role] of pairs) {
      const slug = `${kind}-${role}`
      const has = sectionOrder.includes(slug) ? ['core', slug] : ['core']
      expect(await facetsOf(`${kind}.${role}`), slug).toEqual(has)
    }
  })

  it.each([
    ['io.kind alone', 'io.kind=http'],
    ['io.role alone', 'io.role=input'],
    ['an empty io.kind', 'io.kind= io.role=input'],
    ['an empty io.role', 'io.kind=http io.role='],
    ['another case', 'io.kind=HTTP io.role=input'],
    ['a space behind', 'io.kind="http " io.role=input'],
    ['a kind that there is not', 'io.kind=grpc io.role=input'],
    ['a number', 'io.kind=int:1 io.role=input'],
    ['a boolean', 'io.kind=bool:true io.role=input'],
    ['a list of the word', 'io.kind=json:["http"] io.role=input'],
    ['values of other keys', 'io.kindx=http io_kind=http io.role=input'],
    ['kind and role of two spans', 'io.kind=http\n  shop:next  [server]  io.role=input'],
  ])('and nothing is detected from %s', async (_, attributes) => {
    const { facetsOf } = await shop(`shop:step  [server]  ${attributes}`)
    expect(await facetsOf('shop')).toEqual(['core'])
  })

  it('which the resource may also carry; the span takes precedence', async () => {
    const { facetsOf } = await shop(`
      one:step    [server]  @io.kind=http @io.role=input
      two:step    [server]  io.role=output  @io.kind=http @io.role=input
      three:step  [server]  io.kind=other  @io.kind=http @io.role=input`)
    const facets = await Promise.all(['one', 'two', 'three'].map((service) => facetsOf(service)))
    expect(facets).toEqual([['core', 'http-input'], ['core', 'http-output'], ['core']])
  })
})

describe('2. A profile is built from the recent spans of a service in the selected time window', () => {
  it('from the span kinds emitted: one Internal span among others is found', async () => {
    const kinds = ['server', 'client', 'producer', 'consumer', 'unspecified']
    const drawn = kinds.map((kind) => `others:step  [${kind}]\nmixed:step  [${kind}]`).join('\n')
    const { facetsOf } = await shop(`${drawn}\nmixed:step  [internal]`)
    expect(await facetsOf('others')).toEqual(['core'])
    expect(await facetsOf('mixed')).toEqual(['core', 'worker'])
  })

  it('from the attribute keys present, for rules, among ten thousand other keys', async () => {
    const { store, facetsOf, addRule, tenant } = await shop()
    const [bare] = drawTraces('shop:step  [server]', { org: tenant.org })
    const attributes = Array.from({ length: 10_000 }, (_, n) => [`key.${n}`, { stringValue: '' }] as const)
    if (bare !== undefined) await store([{ ...bare, attributes }])
    await addRule('shop', { attribute_key: 'key.10000' })
    expect(await facetsOf('shop')).toEqual(['core'])
    await addRule('shop', { attribute_key: 'key.9999', set_io_role: 'output' })
    expect(await facetsOf('shop')).toEqual(['core', 'http-output'])
  })

  it('from the pairs carried by the spans of this service only', async () => {
    const { facetsOf } = await shop(`
      shop:order    [server]  io.kind=http io.role=input
        save        [client]  io.kind=db io.role=output
        save_again  [client]  io.kind=db io.role=output
        bank:pay    [server]  io.kind=queue io.role=input`)
    expect(await facetsOf('shop')).toEqual(['core', 'http-input', 'db-output'])
    expect(await facetsOf('bank')).toEqual(['core', 'queue-input'])
  })

  it('and a second row of the same span does not change it, for any content', async () => {
    const { store, facetsOf, explain, tenant } = await shop('shop:order  [server]  #a  io.kind=http io.role=input')
    await store(drawTraces('shop:order  [internal]  #a  io.kind=db io.role=output', { org: tenant.org }))
    expect(await facetsOf('shop')).toEqual(['core', 'http-input'])
    expect(await explain('shop')).toMatchObject({ sampled_span_count: 1, carried_span_count: 1 })
  })
})

describe("3. The rule of a built-in facet fires when the profile contains the facet's pair", () => {
  it('and the list of facets documents the rule', async () => {
    const { ask } = await shop()
    const { body } = await ask<{ items: { slug: string; definition: unknown }[] }>('GET', '/service-facets')
    expect(body.items.map(({ slug, definition }) => [slug, definition])).toEqual([
      ['core', null],
      ...detectedFrom.map(([slug, io_kind, io_role]) => [slug, { io_kind, io_role }]),
      ['worker', null],
    ])
  })

  it('alone and together with all others', async () => {
    const lines = detectedFrom.map(([, kind, role]) => `shop:step  io.kind=${kind} io.role=${role}`)
    const { facetsOf } = await shop(lines.join('\n'))
    expect(await facetsOf('shop')).toEqual(sectionOrder.filter((slug) => slug !== 'worker'))
  })
})

describe('4. Detection follows the time window', () => {
  const LATE = `
    shop:order   [server]  t+0s   io.kind=http io.role=input
      save       [client]  t+30s  io.kind=db io.role=output`

  it('a facet with telemetry outside the window is not detected; a wider window makes it reappear', async () => {
    const { facetsOf } = await shop(LATE)
    expect(await facetsOf('shop', seconds(0, 30))).toEqual(['core', 'http-input'])
    expect(await facetsOf('shop', seconds(0, 31))).toEqual(['core', 'http-input', 'db-output'])
    expect(await facetsOf('shop', seconds(1, 31))).toEqual(['core', 'db-output'])
    expect(await facetsOf('shop', seconds(31, 60))).toEqual(['core'])
  })

  it('exactly to the nanosecond: a span at `from` is inside, a span at `to` is outside', async () => {
    const { facetsOf } = await shop(LATE)
    const { fromNs: at } = seconds(30, 60)
    expect(await facetsOf('shop', { fromNs: at, toNs: at + 1n })).toEqual(['core', 'db-output'])
    expect(await facetsOf('shop', { fromNs: at - 1n, toNs: at })).toEqual(['core'])
    expect(await facetsOf('shop', { fromNs: at + 1n, toNs: at + 2n })).toEqual(['core'])
  })
})

describe('5. core is always present and cannot be removed', () => {
  it('always present: with telemetry, without, and with overrides that do not name it', async () => {
    const { facetsOf, override } = await shop('shop:step  [server]')
    await override('nowhere', { include: ['db-output'], exclude: ['http-input'] })
    expect(await facetsOf('shop')).toEqual(['core'])
    expect(await facetsOf('silent')).toEqual(['core'])
    expect(await facetsOf('nowhere')).toEqual(['core', 'db-output'])
  })

  it('cannot be removed: an override or an import that excludes it is refused as a whole', async () => {
    const { facetsOf, override, read, ask } = await shop()
    const excluded = await override('shop', { include: ['db-output'], exclude: ['worker', 'core'] })
    expect([excluded.status, ...excluded.refusal]).toEqual([422, 'refused', '/exclude/1'])
    const facet_overrides = [{ service: 'shop', include: [], exclude: ['core'] }]
    const imported = await ask('POST', '/config/import', { body: { format_version: 1, facet_overrides } })
    expect([imported.status, ...imported.refusal]).toEqual([422, 'refused', '/facet_overrides/0/exclude/0'])
    expect(await read<Overrides>('shop', 'facet-overrides')).toMatchObject({ include: [], exclude: [], version: 0 })
    expect(await facetsOf('shop')).toEqual(['core'])
  })
})

describe('6. worker fires when the span kind is Internal and no I/O facet fires', () => {
  const DRAWN = `
    internal:step  [internal]
    server:step    [server]
    both:step      [internal]
    both:save      [client]  io.kind=db io.role=output
    odd:step       [internal]  io.kind=db io.role=input`

  it('only then; a pair without a facet does not prevent it', async () => {
    const { facetsOf } = await shop(DRAWN)
    const services = ['internal', 'server', 'both', 'odd', 'silent']
    const facets = await Promise.all(services.map((service) => facetsOf(service)))
    expect(facets).toEqual([['core', 'worker'], ['core'], ['core', 'db-output'], ['core', 'worker'], ['core']])
  })

  it('regardless of overrides', async () => {
    const { override, facetsOf } = await shop(DRAWN)
    await override('internal', { include: ['db-output'] })
    expect(await facetsOf('internal')).toEqual(['core', 'db-output', 'worker'])
    await override('both', { exclude: ['db-output'] })
    expect(await facetsOf('both')).toEqual(['core'])
  })
})
