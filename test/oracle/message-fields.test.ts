import { expect, it } from 'vitest'
import { matchedNames } from '../support/reference-ask.ts'
import type { FieldRow } from '../support/reference-message-fields.ts'
import type { Row } from '../support/reference-messages.ts'
import { trace } from '../support/trace-text.ts'

const ORDER = trace`
  web:receive              tenant=t-1  ~4ms
    shop:charge            !  tenant=t-1  ~1ms
      bank:authorize       !
    shop:notify            tenant=t-2
`

const tenant: Row = { attribute_key: 'tenant', operator: 'eq', value: 't-1' }
const withChildren: Row = { ...tenant, includeDescendants: true }
const field = (attribute_key: string, operator: FieldRow['operator'], value: string | number): FieldRow => ({
  attribute_source: 'message',
  attribute_key,
  operator,
  value,
})

/** Each row holds for the order, as its title says. */
it.each<[title: string, rows: readonly Row[]]>([
  [
    'four spans in three services, two of them failed',
    [field('span_count', 'eq', 4), field('service_count', 'eq', '3')],
  ],
  ['errors of the whole message, not only of the matched steps', [tenant, field('error_count', 'eq', 2)]],
  ['two steps carry the tenant', [tenant, field('matched_step_count', 'eq', 2)]],
  ['all four are matched with child spans', [withChildren, field('matched_step_count', 'gte', 4)]],
  ['one of the matched steps failed', [tenant, field('error_step_count', 'lte', 1.0)]],
  ['two with child spans', [withChildren, field('error_step_count', 'gt', 1)]],
  [
    'the root is the span without a parent',
    [field('root.service', 'eq', 'web'), field('root.name', 'ends_with', 'eive')],
  ],
  ['neq is the plain negation', [field('root.service', 'neq', 'shop'), field('span_count', 'neq', 3)]],
  ['not_contains is the plain negation', [field('root.name', 'not_contains', 'charge')]],
])('%s', (_, rows) => {
  expect(matchedNames(ORDER, { rows })).toHaveLength(1)
})

it.each<[title: string, rows: readonly Row[]]>([
  ['neq is false where eq is true, although other spans differ', [field('root.service', 'neq', 'web')]],
  ['a word equals no number', [field('span_count', 'eq', 'four')]],
  ['a row on a field selects no steps', [field('span_count', 'eq', 4), { ...tenant, value: 't-9' }]],
  ['the duration is that of the message', [field('duration_ms', 'lt', 2)]],
])('%s: not found', (_, rows) => {
  expect(matchedNames(ORDER, { rows })).toEqual([])
})

it('the duration is from the first start to the last end', () => {
  const [first] = ORDER
  if (first === undefined) throw new Error('The trace is empty.')
  const spans = [
    { ...first, startNs: 1_000n, durationNs: 3_000_000n },
    { ...first, spanId: 'b'.repeat(16), startNs: 2_000_000n, durationNs: 2_500_001n },
  ]
  expect(matchedNames(spans, { rows: [field('duration_ms', 'eq', '4.499001')] })).toHaveLength(1)
})
