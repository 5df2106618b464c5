/** Facet detection rules 10 to 12, the tests of a rule, and `explain`. */
import { describe, expect, it } from 'vitest'
import { sectionOrder } from '../support/reference-facets.ts'
import { type FacetTenant, type Mapping, pathOf, sharedFacetApp } from './facet-tenant.ts'

const shop = sharedFacetApp()

/** The numbers of spans that each rule decided, that no rule decided, and that carried `io.kind`. */
async function decisionsOf({ explain }: FacetTenant) {
  const { rules, carried_span_count: carried, undecided_span_count: undecided } = await explain('shop')
  return { rules: rules.map(({ decided_span_count }) => decided_span_count), undecided, carried }
}

describe('10. Classification rules feed detection', () => {
  it('A rule derives io.kind and io.role for matching spans, and facet matching uses the derived values', async () => {
    const { facetsOf, addRule } = await shop('shop:order  [internal]  http.route=/order')
    expect(await facetsOf('shop')).toEqual(['core', 'worker'])
    await addRule('shop', { set_io_kind: 'db', set_io_role: 'input' })
    expect(await facetsOf('shop')).toEqual(['core', 'worker'])
    await addRule('bank', { set_io_kind: 'db', set_io_role: 'output' })
    expect(await facetsOf('shop')).toEqual(['core', 'worker'])
  })

  it('for every pair, the facet of the pair is detected and `worker` is not', async () => {
    const slugs = sectionOrder.filter((slug) => slug !== 'core' && slug !== 'worker')
    const { facetsOf, addRule } = await shop(slugs.map((slug) => `${slug}:step  http.route=/`).join('\n'))
    for (const slug of slugs) {
      const [set_io_kind, set_io_role] = slug.split('-') as [Mapping['set_io_kind'], Mapping['set_io_role']]
      await addRule(slug, { set_io_kind, set_io_role })
      expect(await facetsOf(slug)).toEqual(['core', slug])
    }
  })

  it.each<[string, string, Partial<Mapping>, boolean]>([
    ['equals', 'k=abc', { match_operator: 'equals', match_value: 'abc' }, true],
    ['equals, in part', 'k=abc', { match_operator: 'equals', match_value: 'ab' }, false],
    ['equals, a number', 'k=int:5', { match_operator: 'equals', match_value: '5.0' }, true],
    ['equals, a boolean', 'k=bool:true', { match_operator: 'equals', match_value: 'true' }, true],
    ['equals, an empty value', 'k=', { match_operator: 'equals', match_value: '' }, true],
    ['equals, an empty value of nothing', 'j=', { match_operator: 'equals', match_value: '' }, false],
    ['prefix', 'k=abc', { match_operator: 'prefix', match_value: 'ab' }, true],
    ['prefix, elsewhere', 'k=abc', { match_operator: 'prefix', match_value: 'bc' }, false],
    ['suffix', 'k=abc', { match_operator: 'suffix', match_value: 'bc' }, true],
    ['contains', 'k=abc', { match_operator: 'contains', match_value: 'b' }, true],
    ['contains, in another case', 'k=abc', { match_operator: 'contains', match_value: 'B' }, false],
    ['contains, what a pattern would say', 'k=abc', { match_operator: 'contains', match_value: 'a%' }, false],
    ['exists', 'k=', { match_operator: 'exists' }, true],
    ['exists, with a value that is ignored', 'k=abc', { match_operator: 'exists', match_value: 'x' }, true],
    ['exists, of another key', 'K=abc', { match_operator: 'exists' }, false],
    ['the span alone', '@k=abc', { match_operator: 'exists' }, false],
    ['the resource', '@k=abc', { match_operator: 'equals', match_value: 'abc', attribute_source: 'resource' }, true],
    ['the resource alone', 'k=abc', { match_operator: 'exists', attribute_source: 'resource' }, false],
    ['a key with dots', 'a.b.c=1', { attribute_key: 'a.b.c' }, true],
    ['a key with dots, in another way', 'a.b=1', { attribute_key: 'a%2Eb' }, false],
    ['a key with quotes', `"a'b\\"c"=1`, { attribute_key: `a'b"c` }, true],
    ['io.role, of a span without io.kind', 'io.role=output', { attribute_key: 'io.role' }, true],
    ['service.name', 'j=1', { attribute_key: 'service.name', attribute_source: 'resource' }, true],
  ])('A rule may test %s (of %s)', async (_, attributes, rule, fits) => {
    const { facetsOf, addRule } = await shop(`shop:step  [server]  ${attributes}`)
    expect((await addRule('shop', { attribute_key: 'k', ...rule })).status).toBe(201)
    expect(await facetsOf('shop')).toEqual(fits ? ['core', 'http-input'] : ['core'])
  })
})

describe('11. Real telemetry wins: for a span that already carries io.kind, a classification rule is ignored', () => {
  it.each([
    ['of the same pair', 'io.kind=http io.role=output', ['core', 'http-output']],
    ['without a role', 'io.kind=http', ['core']],
    ['that means nothing', 'io.kind=other io.role=input', ['core']],
    ['that is empty', 'io.kind=', ['core']],
    ['that is a number', 'io.kind=int:1', ['core']],
    ['that is a boolean', 'io.kind=bool:false', ['core']],
    ['without a value', 'io.kind=unset:', ['core']],
    ['on its resource', '@io.kind=queue @io.role=output', ['core', 'queue-output']],
  ])('one %s', async (_, attributes, facets) => {
    const tenant = await shop(`shop:step  [server]  http.route=/order  ${attributes}`)
    await tenant.addRule('shop', {})
    expect(await tenant.facetsOf('shop')).toEqual(facets)
    expect(await decisionsOf(tenant)).toEqual({ rules: [0], undecided: 0, carried: 1 })
  })

  it('and applies to the other spans of the service', async () => {
    const { facetsOf, addRule } = await shop(`
      shop:order   [server]  http.route=/order  io.kind=db io.role=output
        wait       [server]  http.route=/wait`)
    await addRule('shop', {})
    expect(await facetsOf('shop')).toEqual(['core', 'http-input', 'db-output'])
  })
})

describe('12. Rules apply in creation order; the first match wins', () => {
  const ROUTES = `
    shop:order   [server]  http.route=/api/order
      pay        [server]  http.route=/api/pay
      home       [server]  http.route=/home
      wait       [server]`

  it('even if a later rule is more specific', async () => {
    const tenant = await shop(ROUTES)
    const starts = { match_operator: 'prefix' } as const
    await tenant.addRule('shop', { ...starts, match_value: '/api/pay', set_io_kind: 'email', set_io_role: 'output' })
    await tenant.addRule('shop', { ...starts, match_value: '/api', set_io_kind: 'http', set_io_role: 'input' })
    await tenant.addRule('shop', { ...starts, match_value: '/api/order', set_io_kind: 'file', set_io_role: 'input' })
    await tenant.addRule('shop', { ...starts, match_value: '/home', set_io_kind: 'queue', set_io_role: 'input' })
    expect(await tenant.facetsOf('shop')).toEqual(['core', 'http-input', 'queue-input', 'email-output'])
    expect(await decisionsOf(tenant)).toEqual({ rules: [1, 1, 0, 1], undecided: 1, carried: 0 })
  })

  it('and the next rule wins when the first is deleted; created again, the first rule becomes the last', async () => {
    const { addRule, ask, facetsOf, read } = await shop(ROUTES)
    const first = await addRule('shop', {})
    await addRule('shop', { set_io_role: 'output' })
    expect(await facetsOf('shop')).toEqual(['core', 'http-input'])
    expect((await ask('DELETE', pathOf('shop', `facet-mappings/${first.body.id}`))).status).toBe(204)
    expect(await facetsOf('shop')).toEqual(['core', 'http-output'])
    const again = await addRule('shop', {})
    expect(await facetsOf('shop')).toEqual(['core', 'http-output'])
    const { items } = await read<{ items: Mapping[] }>('shop', 'facet-mappings')
    expect(items.at(-1)).toEqual(again.body)
  })

  it('20 rules that are created concurrently all exist, and the first of the list wins', async () => {
    const tenant = await shop(ROUTES)
    const kinds = ['http', 'queue', 'stream', 'file'] as const
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => tenant.addRule('shop', { set_io_kind: kinds[n % 4] ?? 'db' })),
    )
    expect(made.map(({ status }) => status)).toEqual(Array(20).fill(201))
    const { items } = await tenant.read<{ items: Mapping[] }>('shop', 'facet-mappings')
    expect(items.map(({ id }) => id).sort()).toEqual(made.map(({ body }) => body.id).sort())
    expect(await tenant.facetsOf('shop')).toEqual(['core', `${items[0]?.set_io_kind}-input`])
    expect(await decisionsOf(tenant)).toEqual({ rules: [3, ...Array(19).fill(0)], undecided: 1, carried: 0 })
  })
})

describe('explain', () => {
  it('counts the sampled spans that each rule decided and those that carried real values', async () => {
    const { addRule, explain } = await shop(`
      shop:a    http.route=/a  io.kind=http io.role=input
      shop:b    http.route=/b
      shop:c    http.route=/c  db.system=mysql
      shop:d    db.system=mysql
      shop:e
      bank:f    http.route=/f`)
    const none = await addRule('shop', { attribute_key: 'nowhere' })
    const routes = await addRule('shop', {})
    const databases = await addRule('shop', { attribute_key: 'db.system', set_io_kind: 'db', set_io_role: 'output' })
    expect(await explain('shop')).toEqual({
      sampled_span_count: 5,
      carried_span_count: 1,
      undecided_span_count: 1,
      rules: [
        { id: none.body.id, decided_span_count: 0 },
        { id: routes.body.id, decided_span_count: 2 },
        { id: databases.body.id, decided_span_count: 1 },
      ],
    })
  })

  it('covers all rules on every page of the list, and is absent unless requested', async () => {
    const { addRule, read } = await shop('shop:a  http.route=/a')
    for (const attribute_key of ['x', 'y', 'http.route']) await addRule('shop', { attribute_key })
    type Page = { items: Mapping[]; next_cursor: string | null; explain?: { rules: object[] } }
    const first = await read<Page>('shop', 'facet-mappings?explain=true&limit=2')
    expect([first.items.length, first.explain?.rules.length]).toEqual([2, 3])
    const second = await read<Page>('shop', `facet-mappings?limit=2&cursor=${first.next_cursor}`)
    expect(second.items.map(({ attribute_key }) => attribute_key)).toEqual(['http.route'])
    expect(second).not.toHaveProperty('explain')
  })

  it('lists the rest of the rules though the last one of the first page has been deleted', async () => {
    const { addRule, ask, read } = await shop()
    for (const attribute_key of ['x', 'y', 'z']) await addRule('shop', { attribute_key })
    type Page = { items: Mapping[]; next_cursor: string | null }
    const first = await read<Page>('shop', 'facet-mappings?limit=2')
    const { status } = await ask('DELETE', pathOf('shop', `facet-mappings/${first.items[1]?.id}`))
    expect(status).toBe(204)
    const second = await read<Page>('shop', `facet-mappings?limit=2&cursor=${first.next_cursor}`)
    expect(second.items.map(({ attribute_key }) => attribute_key)).toEqual(['z'])
  })

  it('has only zeros for a service without spans or rules', async () => {
    const { explain } = await shop()
    const zeros = { sampled_span_count: 0, carried_span_count: 0, undecided_span_count: 0, rules: [] }
    expect(await explain('nowhere')).toEqual(zeros)
  })
})
