import { describe, expect, it } from 'vitest'
import { always } from '../support/reference-ask.ts'
import {
  fitsPattern,
  type Integration,
  type Matcher,
  servicesJoinedWithOr,
  slice,
  visiblePopulation,
} from '../support/reference-integration.ts'
import { flowEdges, statsOf } from '../support/reference-slice-stats.ts'
import { trace } from '../support/trace-text.ts'

const rule = (match_group: string, service: string, more: Partial<Matcher> = {}): Matcher => ({
  match_group,
  service,
  service_match: 'exact',
  ...more,
})

const tenant = (value: string): Partial<Matcher> => ({ attribute_key: 'tenant', operator: 'equals', value })

const any = (...matchers: readonly Matcher[]): Integration => ({ rule_match: 'any', matchers })
const all = (...matchers: readonly Matcher[]): Integration => ({ rule_match: 'all', matchers })

function sliceNames(integration: Integration): string[] {
  const members = slice(integration, SHOP)
  return SHOP.filter((span) => members.has(span)).map((span) => span.name)
}

const SHOP = trace`
  web:browse             tenant=a
    cart:load            tenant=a
      db:select
  ---
  web:buy                tenant=b
    cart:empty           tenant=b
      web:render         ~7ms
        db:insert        !
    cart:notify          tenant=a
`

describe('rules', () => {
  it('are satisfied by every span of their service if they have no conditions', () =>
    expect(sliceNames(any(rule('1', 'web')))).toEqual(['browse', 'buy', 'render']))

  it('join the matchers of one group with and', () =>
    expect(
      sliceNames(any(rule('1', 'web', tenant('b')), rule('1', 'web', { attribute_key: 'tenant', operator: 'exists' }))),
    ).toEqual(['buy']))

  it('join groups that name one service with or', () =>
    expect(sliceNames(any(rule('1', 'web', tenant('a')), rule('2', 'web', tenant('b'))))).toEqual(['browse', 'buy']))

  it('an integration without rules has an empty slice, in both modes', () =>
    expect([sliceNames(any()), sliceNames(all())]).toEqual([[], []]))

  it('are satisfied by spans without the attribute if the condition is negated', () =>
    expect(sliceNames(any(rule('1', 'web', { ...tenant('a'), operator: 'not_equals' })))).toEqual(['buy', 'render']))
})

describe('include descendants', () => {
  const including = rule('1', 'cart', { ...tenant('b'), include_descendants: true })

  it('selects spans below an anchor whose service is a member of the integration', () => {
    expect(sliceNames(any(including))).toEqual(['empty'])
    expect(sliceNames(any(including, rule('2', 'db', tenant('none'))))).toEqual(['empty', 'insert'])
  })

  it('walks through services that are not members', () =>
    expect(sliceNames(any(including, rule('2', 'd?', { ...tenant('x'), service_match: 'pattern' })))).toEqual([
      'empty',
      'insert',
    ]))

  it('applies to the whole group if one of its matchers includes descendants', () =>
    expect(sliceNames(any(including, rule('1', 'cart', tenant('b')), rule('2', 'web', tenant('none'))))).toEqual([
      'empty',
      'render',
    ]))

  it('applies only to the anchors of the rule that includes descendants', () =>
    expect(sliceNames(any(including, rule('2', 'web', tenant('a')), rule('3', 'db', tenant('x'))))).toEqual([
      'browse',
      'empty',
      'render',
      'insert',
    ]))
})

describe('all', () => {
  it('keeps all base spans of the traces in which every rule is satisfied', () => {
    const rules = [rule('1', 'web'), rule('2', 'cart', tenant('b'))]
    expect(sliceNames(any(...rules))).toEqual(['browse', 'buy', 'empty', 'render'])
    expect(sliceNames(all(...rules))).toEqual(['buy', 'empty', 'render'])
  })

  it('a rule without conditions must also be satisfied', () =>
    expect(sliceNames(all(rule('1', 'web'), rule('2', 'mail')))).toEqual([]))

  it('a span does not satisfy a rule merely by being a descendant', () => {
    const rules = [rule('1', 'cart', { ...tenant('b'), include_descendants: true }), rule('2', 'web', tenant('none'))]
    expect(sliceNames(all(...rules))).toEqual([])
  })

  it('services named by two groups are listed', () => {
    expect(servicesJoinedWithOr(any(rule('1', 'web'), rule('2', 'web', tenant('a'))))).toHaveLength(1)
    expect(servicesJoinedWithOr(any(rule('1', 'web'), rule('1', 'web', tenant('a'))))).toHaveLength(0)
    expect(servicesJoinedWithOr(any(rule('1', 'web'), rule('2', 'web', { service_match: 'pattern' })))).toHaveLength(0)
  })
})

it.each<[string, string, boolean]>([
  ['*', '', true],
  ['web*', 'web-eu', true],
  ['*-eu', 'web-eu', true],
  ['w?b', 'web', true],
  ['w?b', 'wb', false],
  ['?', '😀', true],
  ['web.eu', 'webxeu', false],
  ['web', 'web-eu', false],
  ['a[b]*', 'a[b]c', true],
  ['%', 'web', false],
  ['*\\*', 'a\\b', true],
  ['*', 'two\nlines', true],
])('the pattern %s and the service %j: %s', (pattern, service, fits) =>
  expect(fitsPattern(pattern, service)).toBe(fits),
)

it('a restricted caller sees the slices of the granted integrations and nothing else', () => {
  const granted = [any(rule('1', 'db')), any(rule('1', 'web', tenant('b')))]
  const visible = visiblePopulation(SHOP, 'acme', always, granted)
  expect(visible.map((span) => span.name)).toEqual(['select', 'buy', 'insert'])
  expect(visiblePopulation(SHOP, 'acme', always, [])).toEqual([])
})

describe('the statistics of a slice', () => {
  it('the stats count its traces and spans, and those with an error in it', () =>
    expect(statsOf(slice(any(rule('1', 'web'), rule('2', 'db')), SHOP))).toEqual({
      trace_count: 2,
      error_trace_count: 1,
      span_count: 5,
      error_span_count: 1,
      services: ['db', 'web'],
    }))

  it('an edge joins a span to its nearest ancestor in the slice if the services differ', () => {
    const edges = flowEdges(slice(any(rule('1', 'web'), rule('2', 'db')), SHOP), SHOP)
    expect(edges).toEqual([
      { from: 'web', to: 'db', callCount: 2, errorCount: 1, durationsNs: [1_000_000n, 1_000_000n] },
    ])
  })

  it('a cycle of parents outside the slice ends the search for an ancestor', () => {
    const spans = trace`
      a:one    ^two
        b:two  ^one
      c:three  ^one
    `
    expect(flowEdges(slice(any(rule('1', 'c')), spans), spans)).toEqual([])
  })
})
