import { describe } from 'vitest'
import { drawnStartNs, drawTraces, trace } from '../support/trace-text.ts'
import { all, any, rule, sliceTests, tenant, withChildren } from './slice-check.ts'

const second = 1_000_000_000n
/** Returns the window between two times, in seconds after the start of the first drawn trace. */
const window = (from: bigint, to: bigint) => ({
  fromNs: drawnStartNs + from * second,
  toNs: drawnStartNs + to * second,
})

const test = sliceTests()

describe('below a rule that includes child spans', () => {
  test('a child in a non-member service is left out, and a grandchild in a member service below it is not', {
    spans: trace`
      web:buy            tenant=a
        audit:log
          bank:book
            audit:close
              web:thank
      bank:payout`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren }), rule('bank', tenant('b'))),
    finds: ['buy', 'book', 'thank'],
  })

  test('parents, siblings and other branches are left out', {
    spans: trace`
      web:above
        web:beside
        web:anchor       tenant=a
          web:below
      web:elsewhere`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren })),
    finds: ['anchor', 'below'],
  })

  test('a service that fits a pattern is a member, regardless of the conditions of the rule', {
    spans: trace`
      web:buy            tenant=a
        bank-eu:book
        bank:book_here
        Bank-eu:other`,
    integration: any(
      rule('web', { ...tenant('a'), ...withChildren }),
      rule('bank-*', { service_match: 'pattern', ...tenant('never') }),
    ),
    finds: ['buy', 'book'],
  })

  test('a matcher that includes child spans includes them for its group', {
    spans: trace`
      web:buy            tenant=a  region=eu
        web:pay
      web:browse         tenant=a
        web:look`,
    integration: any(
      { ...rule('web', tenant('a')), match_group: 'g' },
      { ...rule('web', { attribute_key: 'region', operator: 'exists', ...withChildren }), match_group: 'g' },
    ),
    finds: ['buy', 'pay'],
  })

  test('a rule that does not include child spans is not affected by one that does', {
    spans: trace`
      web:buy            tenant=a
        web:pay
      bank:book          tenant=a
        bank:sum`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren }), rule('bank', tenant('a'))),
    finds: ['buy', 'pay', 'book'],
  })
})

describe('at the edges of the window', () => {
  test('an anchor outside the window includes nothing below it', {
    spans: trace`
      web:buy            tenant=a
        web:pay          t+10s
          web:sign       t+11s`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren })),
    window: window(5n, 60n),
    finds: [],
  })

  test('a span outside the window breaks the chain to the spans below it', {
    spans: trace`
      web:buy            tenant=a
        web:pay          t+10s
          web:sign       t+1s`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren })),
    window: window(0n, 5n),
    finds: ['buy'],
  })

  test('a rule satisfied only outside the window is not satisfied', {
    spans: trace`
      web:buy
        bank:book        t+10s
      ---
      web:buy_too
        bank:book_too`,
    integration: all(rule('web'), rule('bank')),
    window: window(0n, 5n),
    finds: ['buy_too', 'book_too'],
  })

  test('only the spans of a trace inside the window count: `from` is inside and `to` is outside', {
    spans: trace`
      web:before         t+4s
        web:first        t+5s
          bank:last      t+9s
            web:at_end   t+10s`,
    integration: all(rule('web', withChildren), rule('bank')),
    window: window(5n, 10n),
    finds: ['first', 'last'],
  })

  test('a span that starts before its parent is inside by its own start', {
    spans: trace`
      web:buy            t+10s  tenant=a
        web:early        t+2s
        web:soon         t+6s`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren })),
    window: window(5n, 60n),
    finds: ['buy', 'soon'],
  })
})

describe('all', () => {
  test('a descendant satisfies another rule only by its own attributes', {
    spans: trace`
      web:buy            tenant=a
        bank:book        tenant=a
      ---
      web:browse         tenant=a
        bank:look`,
    integration: all(rule('web', { ...tenant('a'), ...withChildren }), rule('bank', tenant('a'))),
    finds: ['buy', 'book'],
  })

  test('requires all three rules over two services: a trace that satisfies two has no spans', {
    spans: trace`
      web:buy
        web-eu:buy_eu
          bank:book
      ---
      web:two_of_three
        bank:without_eu
      ---
      web-eu:both_patterns
        bank:but_no_web`,
    integration: all(rule('web'), rule('web-*', { service_match: 'pattern' }), rule('bank')),
    finds: ['buy', 'buy_eu', 'book'],
  })

  test('one span may satisfy several of three rules over two services', {
    spans: trace`
      web:buy            tenant=a
        bank:book
      ---
      web:other          tenant=b
        bank:book_other`,
    integration: all(rule('web', tenant('a')), rule('w*', { service_match: 'pattern' }), rule('bank')),
    finds: ['buy', 'book'],
  })

  test('three groups over two services are three rules, even if they are joined with or', {
    spans: trace`
      web:a              tenant=a
        web:b            tenant=b
          bank:book
      ---
      web:only_a         tenant=a
        bank:booked`,
    integration: all(rule('web', tenant('a')), rule('web', tenant('b')), rule('bank')),
    finds: ['a', 'b', 'book'],
  })

  test('rules may be satisfied in different branches of a trace, and without a common root', {
    spans: trace`
      shop:root
        web:left
        shop:between
          bank:right
      ---
      web:rootless       ^missing
      bank:rootless_too  ^missing`,
    integration: all(rule('web'), rule('bank')),
    finds: ['left', 'right', 'rootless', 'rootless_too'],
  })

  test('a negation is satisfied by a span without the attribute', {
    spans: trace`
      web:buy            tenant=a
        bank:book
      ---
      web:browse
        bank:look`,
    integration: all(rule('web', { ...tenant('a'), operator: 'not_equals' }), rule('bank')),
    finds: ['browse', 'look'],
  })
})

describe('all over more rules than a number has bits', () => {
  const services = Array.from({ length: 130 }, (_, position) => `service-${position}`)
  const integration = all(...services.map((service) => rule(service)))
  const spansBut = (left: number) =>
    drawTraces(services.map((service, position) => (position === left ? '' : `${service}:${service}`)).join('\n'))

  test('selects all spans of a trace that satisfies every rule', { spans: spansBut(-1), integration, finds: services })
  for (const left of [0, 62, 63, 64, 126, 129])
    test(`selects nothing if no span satisfies rule ${left}`, { spans: spansBut(left), integration, finds: [] })
})

describe('any', () => {
  test('selects spans that satisfy one of three rules over two services', {
    spans: trace`
      web:a              tenant=a
        web:b            tenant=b
        web:c            tenant=c
        bank:book
      ---
      shop:stranger`,
    integration: any(rule('web', tenant('a')), rule('web', tenant('b')), rule('bank')),
    finds: ['a', 'b', 'book'],
  })
})

describe('an integration without rules', () => {
  const spans = trace`
    web:buy
      bank:book`
  test('is empty under any', { spans, integration: any(), finds: [] })
  test('is empty under all', { spans, integration: all(), finds: [] })
})

describe('traces that are not trees', () => {
  test('a cycle below an anchor ends the walk, and the anchor is below itself', {
    spans: trace`
      web:one            ^three
        web:two          tenant=a
          bank:three
      ---
      web:self           ^self  tenant=a`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren }), rule('bank', tenant('a'))),
    finds: ['one', 'two', 'three', 'self'],
  })

  test('equal span ids do not join two traces', {
    spans: trace`
      web:buy            tenant=a  #a1
        web:pay          #a2
      ---
      web:browse         #a1
        web:look         #a2`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren })),
    finds: ['buy', 'pay'],
  })

  test('a step with a missing parent has no ancestor', {
    spans: trace`
      web:buy            tenant=a
      web:late           ^missing`,
    integration: any(rule('web', { ...tenant('a'), ...withChildren })),
    finds: ['buy'],
  })
})
