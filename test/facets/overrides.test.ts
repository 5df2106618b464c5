import { describe, expect, it } from 'vitest'
import { sectionOrder } from '../support/reference-facets.ts'
import { type Overrides, pathOf, rangeOf, sharedFacetApp } from './facet-tenant.ts'

const shop = sharedFacetApp()

const ORDER = 'shop:order  [server]  io.kind=http io.role=input'

describe('the overrides of a service', () => {
  it('are replaced as a whole, without duplicates and in a fixed order', async () => {
    const { override, read } = await shop(ORDER)
    await override('shop', { include: ['worker', 'db-output', 'worker'], exclude: ['http-input'] })
    expect(await read<Overrides>('shop', 'facet-overrides')).toMatchObject({
      include: ['db-output', 'worker'],
      exclude: ['http-input'],
      version: 1,
    })
    const { body } = await override('shop', { include: ['file-input'] })
    expect(body).toMatchObject({ include: ['file-input'], exclude: [], version: 2 })
  })

  it('are returned with the detected, override and effective state of every facet', async () => {
    const { override, read, createFacet } = await shop(ORDER)
    await createFacet('Billing')
    await override('shop', { include: ['billing', 'db-output'], exclude: ['http-input', 'db-output'] })
    const { facets } = await read<Overrides>('shop', 'facet-overrides')
    const changed = {
      core: [true, null, true, 'detected'],
      'http-input': [true, 'exclude', false, 'hidden'],
      'db-output': [false, 'exclude', false, 'hidden'],
      billing: [false, 'include', true, 'manual'],
    }
    const states = facets.map((facet) => [
      facet.slug,
      [facet.detected, facet.override, facet.effective, ...(facet.state.length > 0 ? facet.state : [''])],
    ])
    const unchanged = sectionOrder.map((slug) => [slug, [false, null, false, '']])
    expect(Object.fromEntries(states)).toEqual({ ...Object.fromEntries(unchanged), ...changed })
    expect(facets.map(({ slug }) => slug)).toEqual([...sectionOrder, 'billing'])
  })

  it('that name unknown facets are refused with a pointer to each, and nothing changes', async () => {
    const { override, read } = await shop(ORDER)
    await override('shop', { include: ['db-output'] })
    const include = ['worker', 'nowhere', 'HTTP-INPUT', 'core']
    const refused = await override('shop', { include, exclude: ['gone', 'core', '__proto__'] })
    const pointers = ['/include/1', '/include/2', '/exclude/0', '/exclude/2', '/exclude/1']
    expect([refused.status, ...refused.refusal]).toEqual([422, 'refused', ...pointers])
    expect(await read<Overrides>('shop', 'facet-overrides')).toMatchObject({ include: ['db-output'], version: 1 })
  })

  it.each([
    ['no list', { include: ['worker'] }, '/exclude'],
    ['a text', { include: 'worker', exclude: [] }, '/include'],
    ['a number in a list', { include: [1], exclude: [] }, '/include/0'],
    ['an empty slug', { include: [''], exclude: [] }, '/include/0'],
    ['too many', { include: Array(1_101).fill('worker'), exclude: [] }, '/include'],
    ['another field', { include: [], exclude: [], hidden: [] }, '/hidden'],
  ])('with %s are malformed', async (_, body, pointer) => {
    const { status, refusal } = await (await shop()).ask('PUT', pathOf('shop', 'facet-overrides'), { body })
    expect([status, ...refusal]).toEqual([400, 'invalid_request', pointer])
  })

  it('belong to their organization, even if another one has a service with the same name', async () => {
    const [one, other] = [await shop(ORDER), await shop(ORDER)]
    await one.override('shop', { exclude: ['http-input'] })
    expect([await one.facetsOf('shop'), await other.facetsOf('shop')]).toEqual([['core'], ['core', 'http-input']])
  })

  it('are limited to a thousand services; clearing the overrides of a service frees its slot', async () => {
    const { ask, override } = await shop()
    const facet_overrides = Array.from({ length: 1_000 }, (_, n) => ({
      service: `s${n}`,
      include: ['worker'],
      exclude: [],
    }))
    expect((await ask('POST', '/config/import', { body: { format_version: 1, facet_overrides } })).status).toBe(200)
    const more = { include: ['worker'] }
    expect((await override('one more', more)).refusal).toEqual(['refused'])
    expect((await override('s7', { exclude: ['worker'] })).status).toBe(200)
    expect((await override('s8', {})).status).toBe(200)
    expect((await override('one more', more)).status).toBe(200)
  })
})

describe('versions of overrides', () => {
  it('start at 0, and every change increments them', async () => {
    const { override, ask } = await shop()
    const read = () => ask('GET', `${pathOf('shop', 'facet-overrides')}?${rangeOf()}`)
    expect((await read()).etag).toBe('"0"')
    expect((await override('shop', { include: ['worker'] }, { ifMatch: '"0"' })).etag).toBe('"1"')
    expect((await override('shop', {}, { ifMatch: '"1"' })).etag).toBe('"2"')
    expect((await read()).etag).toBe('"2"')
    const stale = await override('shop', { include: ['worker'] }, { ifMatch: '"0"' })
    expect([stale.status, stale.etag, ...stale.refusal]).toEqual([412, '"2"', 'version_mismatch'])
  })

  it('with If-Match, one of 20 concurrent writers succeeds, and the others get 412', async () => {
    const { override, read } = await shop()
    const sets = Array.from({ length: 20 }, (_, n) => {
      const slugs = sectionOrder.filter((slug) => slug.includes('-'))
      return { include: [slugs[n % 10] ?? ''], exclude: [slugs[(n + 1) % 10] ?? ''] }
    })
    const answers = await Promise.all(sets.map((set) => override('shop', set, { ifMatch: '"0"' })))
    const winners = sets.filter((_, n) => answers[n]?.status === 200)
    expect([winners.length, answers.filter(({ status }) => status === 412).length]).toEqual([1, 19])
    expect(await read<Overrides>('shop', 'facet-overrides')).toMatchObject({ ...winners[0], version: 1 })
  })

  it('20 concurrent writers without If-Match leave the complete set of one of them, after 20 versions', async () => {
    const { override, read } = await shop()
    const sets = sectionOrder.slice(1, 11).map((slug) => ({ include: [slug], exclude: [slug] }))
    const answers = await Promise.all([...sets, ...sets].map((set) => override('shop', set)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const { include, exclude, version } = await read<Overrides>('shop', 'facet-overrides')
    expect([version, sets]).toEqual([20, expect.arrayContaining([{ include, exclude }])])
  })
})
