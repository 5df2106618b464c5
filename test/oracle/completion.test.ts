import { expect, it } from 'vitest'
import { keysOf, valuesOf } from '../support/reference-completion.ts'
import { trace } from '../support/trace-text.ts'

const SPANS = trace`
  one    tenant=b  n=int:12    @tenant=resource
  two    tenant=a  n=12        @tenant=resource
  three  n=12      note=       @tenant=resource
`

it('keys are listed by source, with their types and the number of spans that carry them', () =>
  expect(keysOf(SPANS, 'any')).toEqual([
    { key: 'n', source: 'span', types: ['int', 'string'], span_count: 3 },
    { key: 'note', source: 'span', types: ['string'], span_count: 1 },
    { key: 'service.name', source: 'resource', types: ['string'], span_count: 3 },
    { key: 'tenant', source: 'resource', types: ['string'], span_count: 3 },
    { key: 'tenant', source: 'span', types: ['string'], span_count: 2 },
  ]))

it('keys are filtered by source and by prefix', () => {
  expect(keysOf(SPANS, 'span', 'no').map(({ key }) => key)).toEqual(['note'])
  expect(keysOf(SPANS, 'resource').map(({ key }) => key)).toEqual(['service.name', 'tenant'])
})

it('values are listed by text and type, and `any` reads the span first', () => {
  expect(valuesOf(SPANS, 'any', 'tenant').map(({ value, span_count }) => [value, span_count])).toEqual([
    ['a', 1],
    ['b', 1],
    ['resource', 1],
  ])
  expect(valuesOf(SPANS, 'span', 'n')).toEqual([
    { value: '12', type: 'int', span_count: 1 },
    { value: '12', type: 'string', span_count: 2 },
  ])
})
