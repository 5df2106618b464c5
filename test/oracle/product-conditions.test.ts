import { describe, expect, it } from 'vitest'
import { matchedNames } from '../support/reference-ask.ts'
import { type Condition, holds } from '../support/reference-condition.ts'
import type { Row } from '../support/reference-messages.ts'
import { messagePhrase, spanPhrase } from '../support/reference-operators.ts'
import { trace } from '../support/trace-text.ts'

const is = (operator: Condition['operator'], value?: string): Condition => ({
  attribute_key: 'tenant',
  operator,
  ...(value === undefined ? {} : { value }),
})

function select(conditions: readonly Condition[]): string[] {
  return MIXED.filter((span) => conditions.every((condition) => holds(condition, span))).map((span) => span.name)
}

const MIXED = trace`
  lacking
    acme      tenant=acme
    acme-eu   tenant=acme-eu
    globex    tenant=globex
    empty     tenant=
`

describe('attribute condition semantics, sentence by sentence', () => {
  it('1: an absent attribute equals nothing, not even the empty string', () => {
    expect(select([is('eq', '')])).toEqual(['empty'])
    expect(select([is('contains', '')])).not.toContain('lacking')
  })

  it('1: so the negations are already true for spans without the attribute', () => {
    expect(select([is('neq', 'acme')])).toEqual(['lacking', 'acme-eu', 'globex', 'empty'])
    expect(select([is('not_contains', 'acme')])).toEqual(['lacking', 'globex', 'empty'])
  })

  it('2: is absent and exists test the key, not the value', () => {
    expect(select([is('not_exists')])).toEqual(['lacking'])
    expect(select([is('exists')])).toEqual(['acme', 'acme-eu', 'globex', 'empty'])
  })

  it('2: and ignore any value sent', () => {
    expect(select([is('exists', 'acme')])).toEqual(['acme', 'acme-eu', 'globex', 'empty'])
    expect(select([is('not_exists', 'acme')])).toEqual(['lacking'])
  })

  it('3: exists and the negation select the spans that carry another value', () =>
    expect(select([is('exists'), is('neq', 'acme')])).toEqual(['acme-eu', 'globex', 'empty']))

  it('4: is absent selects exactly the spans without the attribute', () =>
    expect(select([is('not_exists')])).toEqual(['lacking']))

  it('4: does not contain selects spans without the attribute and spans whose value does not contain the text', () =>
    expect(select([is('not_contains', '-eu')])).toEqual(['lacking', 'acme', 'globex', 'empty']))

  it('4: exists and does not contain selects only carrying spans', () =>
    expect(select([is('exists'), is('not_contains', '-eu')])).toEqual(['acme', 'globex', 'empty']))

  it('5: a negated row is a claim about the whole message', () => {
    expect(found({ ...is('neq', 'acme') })).toEqual([['step', 'acme-eu', 'bare']])
    expect(found({ ...is('not_contains', 'acme') })).toEqual([])
  })

  it('5: a positive row matches a message if some step qualifies', () =>
    expect(found({ ...is('eq', 'acme') })).toEqual([['acme']]))

  it('6: is never present matches only messages in which no step carries the attribute', () =>
    expect(found({ ...is('not_exists') })).toEqual([]))

  it('6: and never equals matches exactly the messages that have no step with the value', () => {
    expect(found({ ...is('neq', 'acme-eu') })).toEqual([['root', 'acme', 'other']])
    expect(found({ ...is('neq', 'globex') })).toHaveLength(2)
  })

  it('7: the vocabulary of message filters differs from that of spans', () => {
    const negative = ['neq', 'not_contains', 'exists', 'not_exists'] as const
    expect(negative.map(messagePhrase)).toEqual(['never equals', 'never contains', 'is present', 'is never present'])
    expect(negative.map(spanPhrase)).toEqual(['is not', "doesn't contain", 'exists', 'is absent'])
  })
})

/** Each message has one step without `tenant` and one step with it. */
const TWO_MESSAGES = trace`
  root
    acme      tenant=acme
    other
  ---
  step
    acme-eu   tenant=acme-eu
    bare
`

function found(row: Row): string[][] {
  return matchedNames(TWO_MESSAGES, { rows: [row] })
}
