import { describe, expect, it } from 'vitest'
import { type Condition, holds } from '../support/reference-condition.ts'
import { operators } from '../support/reference-operators.ts'
import { makeSpan, type SpanModel } from '../support/span-model.ts'
import { operatorCases, storedNames, storedValues } from './operator-table.ts'

const spans: readonly SpanModel[] = storedNames.map((name, position) => {
  const value = storedValues[name]
  const attributes = value === undefined ? [] : [['k', value] as const]
  return makeSpan({ traceId: 'a'.repeat(32), spanId: String(position).padStart(16, '0'), name, attributes })
})

describe('the reference matcher agrees with the table worked out by hand', () => {
  it.each(operatorCases)('$operator $operand', ({ operator, operand, trueFor }) => {
    const condition: Condition = {
      attribute_key: 'k',
      operator,
      ...(operand === undefined ? {} : { value: operand }),
    }
    const found = spans.filter((span) => holds(condition, span)).map((span) => span.name)
    expect(found.sort()).toEqual([...trueFor].sort())
  })

  it('every operator is in the table', () =>
    expect(new Set(operatorCases.map((row) => row.operator))).toEqual(new Set(operators)))
})
