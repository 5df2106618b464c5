import { describe, expect, it } from 'vitest'
import { always, countsOf, matchedNames } from '../support/reference-ask.ts'
import { pageAfter, type SpanRow, searchMessages } from '../support/reference-messages.ts'
import { populationOf } from '../support/reference-population.ts'
import type { SpanModel } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId, drawTraces, trace } from '../support/trace-text.ts'

const row = (attribute_key: string, operator: SpanRow['operator'], value?: string): SpanRow => ({
  attribute_key,
  operator,
  ...(value === undefined ? {} : { value }),
})

const withChildren = (given: SpanRow): SpanRow => ({ ...given, includeDescendants: true })

const search = (spans: readonly SpanModel[], ...rows: readonly SpanRow[]): string[][] => matchedNames(spans, { rows })

const ORDER = trace`
  web:receive              tenant=t-1
    shop:check             step=check
      shop:charge          !declined  tenant=t-1  amount=int:20
        bank:authorize     !
    shop:notify            tenant=t-2
  web:audit
`

describe('anchors', () => {
  it('one span must make all positive rows true', () => {
    expect(search(ORDER, row('tenant', 'eq', 't-1'), row('amount', 'gt', '10'))).toEqual([['charge']])
    expect(search(ORDER, row('tenant', 'eq', 't-2'), row('amount', 'gt', '10'))).toEqual([])
  })

  it('without a positive row every span is an anchor', () => {
    const all = ['receive', 'check', 'charge', 'authorize', 'notify', 'audit']
    expect(search(ORDER)).toEqual([all])
    expect(search(ORDER, row('amount', 'neq', '7'))).toEqual([all])
  })

  it('a message without any span in the scope is not found', () => expect(search([])).toEqual([]))
})

describe('include child spans, sentence by sentence', () => {
  it('1: without it only the carrying spans are steps, with it every span below them is', () => {
    expect(search(ORDER, row('step', 'exists'))).toEqual([['check']])
    expect(search(ORDER, withChildren(row('step', 'exists')))).toEqual([['check', 'charge', 'authorize']])
  })

  it('2: ancestors, siblings and other branches are not included', () =>
    expect(search(ORDER, withChildren(row('amount', 'eq', '20')))).toEqual([['charge', 'authorize']]))

  it('5: child spans outside the window are not included', () => {
    const window = { fromNs: drawnStartNs, toNs: drawnStartNs + 3_000_000n }
    const rows = [withChildren(row('step', 'exists'))]
    expect(matchedNames(ORDER, { rows }, window)).toEqual([['check', 'charge']])
  })

  it('9: the anchor is chosen by every other row as well', () => {
    const rows = [withChildren(row('tenant', 'eq', 't-1')), row('amount', 'exists')]
    expect(search(ORDER, ...rows)).toEqual([['charge', 'authorize']])
  })

  it('9: one row with the toggle is enough', () => {
    const rows = [row('tenant', 'eq', 't-1'), withChildren(row('amount', 'exists'))]
    expect(search(ORDER, ...rows)).toEqual([['charge', 'authorize']])
  })

  it('9: the anchor is chosen by the integration, the children may be of any service', () => {
    const integration = {
      rule_match: 'any',
      matchers: [{ match_group: 'a', service: 'shop', service_match: 'exact' }],
    } as const
    const rows = [withChildren(row('tenant', 'exists'))]
    expect(matchedNames(ORDER, { rows, integration })).toEqual([['charge', 'authorize', 'notify']])
  })

  it('10: with status error it finds messages whose error lies below the carrying step', () => {
    const rows = [row('step', 'eq', 'check')]
    expect(matchedNames(ORDER, { rows, status: 'error' })).toEqual([])
    expect(matchedNames(ORDER, { rows: rows.map(withChildren), status: 'error' })).toHaveLength(1)
    expect(matchedNames(ORDER, { rows: rows.map(withChildren), status: 'ok' })).toEqual([])
  })
})

describe('negative rows', () => {
  it('are refuted by any span of the message, even outside the scope', () => {
    const integration = {
      rule_match: 'any',
      matchers: [{ match_group: 'a', service: 'bank', service_match: 'exact' }],
    } as const
    expect(matchedNames(ORDER, { rows: [row('tenant', 'neq', 't-2')], integration })).toEqual([])
    expect(matchedNames(ORDER, { rows: [row('tenant', 'neq', 't-3')], integration })).toEqual([['authorize']])
  })

  it('are not refuted by a span outside the window', () => {
    const window = { fromNs: drawnStartNs, toNs: drawnStartNs + 1_000_000n }
    expect(matchedNames(ORDER, { rows: [row('amount', 'not_exists')] }, window)).toEqual([['receive']])
  })

  it('do not affect which spans are anchors', () =>
    expect(search(ORDER, row('tenant', 'exists'), row('tenant', 'neq', 't-9'))).toEqual([
      ['receive', 'charge', 'notify'],
    ]))
})

describe('status', () => {
  it('is that of the matched steps, not of the whole message', () => {
    expect(matchedNames(ORDER, { rows: [row('tenant', 'eq', 't-2')], status: 'ok' })).toEqual([['notify']])
    expect(matchedNames(ORDER, { rows: [row('tenant', 'eq', 't-1')], status: 'error' })).toEqual([
      ['receive', 'charge'],
    ])
  })

  it('counts messages and steps after the filter', () => {
    const rows = [row('tenant', 'eq', 't-1')]
    const counts = { message_count: 1, error_message_count: 1, matched_step_count: 2, error_step_count: 1 }
    expect(countsOf(ORDER, { rows })).toEqual(counts)
    expect(countsOf(ORDER, { rows, status: 'error' })).toEqual(counts)
    expect(countsOf(ORDER, { rows, status: 'ok' })).toEqual({
      message_count: 0,
      error_message_count: 0,
      matched_step_count: 0,
      error_step_count: 0,
    })
  })
})

describe('the description of a message', () => {
  const describeFirst = (spans: readonly SpanModel[]) =>
    searchMessages(populationOf(spans, 'acme', always), { rows: [] })[0]

  it('covers the whole message, not only its matched steps', () =>
    expect(describeFirst(ORDER)).toMatchObject({
      traceId: drawnTraceId(1),
      startedNs: drawnStartNs,
      durationNs: 6_000_000n,
      root: { service: 'web', name: 'receive' },
      services: ['bank', 'shop', 'web'],
      spanCount: 6,
      errorCount: 2,
      status: 'error',
    }))

  it('has the span without a parent id as its root, even if another span started first', () => {
    const spans = trace`
      root       t+20ms
        skewed   t+0ms
    `
    expect(describeFirst(spans)).toMatchObject({ root: { name: 'root' }, startedNs: drawnStartNs })
  })

  it('has the first span as its root if every span has a parent id', () => {
    const spans = trace`
      late_orphan    t+20ms ^missing
      early_orphan   t+0ms ^missing
    `
    expect(describeFirst(spans)).toMatchObject({ root: { name: 'early_orphan' } })
  })

  it('lasts from the first start to the last end, which need not belong to the last span', () => {
    const spans = trace`
      long       t+0ms ~100ms
        short    t+50ms ~1ms
    `
    expect(describeFirst(spans)?.durationNs).toBe(100_000_000n)
  })

  it('counts a span once if it is stored twice, and uses the row stored first', () => {
    const spans = trace`
      root
        first    #b
        second   #b !
    `
    expect(describeFirst(spans)).toMatchObject({ spanCount: 2, errorCount: 0, status: 'ok' })
  })
})

describe('order and pages', () => {
  const SAME_START = trace`
    a   t+3s
    ---
    b   t+1s
    ---
    c   t+0s
    ---
    d   t+1s
  `
  const all = searchMessages(populationOf(SAME_START, 'acme', always), { rows: [] })

  it('newest first, then by trace id descending', () =>
    expect(all.map((message) => message.matchedSteps[0]?.name)).toEqual(['d', 'a', 'c', 'b']))

  it('a page starts after the cursor and may be shorter than the limit', () => {
    expect(pageAfter(all, null, 3)).toEqual(all.slice(0, 3))
    expect(pageAfter(all, all[2] ?? null, 3)).toEqual(all.slice(3))
  })

  it('a message that appears above the cursor does not move the next page', () => {
    const later = searchMessages(
      populationOf([...SAME_START, ...drawTraces('e t+9s', { firstTrace: 9 })], 'acme', always),
      { rows: [] },
    )
    expect(later).toHaveLength(5)
    expect(pageAfter(later, all[1] ?? null, 1)).toEqual(pageAfter(all, all[1] ?? null, 1))
  })
})
