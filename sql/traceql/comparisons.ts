/** A comparison of a field with a value -> SpanExpression or FieldRow. */
import type { Attribute, Condition, Test } from '../ir/condition.ts'
import type { FieldRow } from '../ir/message-field.ts'
import type { SpanExpression, ValueKind } from '../ir/spanset.ts'
import type { IntrinsicKey, TraceField } from './field-names.ts'
import type { TraceQlReader } from './traceql-reader.ts'
import {
  keywordsOf,
  millisecondsOfNanoseconds,
  orderOfSymbol,
  type TraceQlValue,
  type ValueParser,
} from './traceql-values.ts'

/** Longest first. */
export const comparisonSymbols = ['=~', '!~', '!=', '>=', '<=', '=', '>', '<'] as const

export type ComparisonSymbol = (typeof comparisonSymbols)[number]

export interface FieldComparison {
  readonly symbol: ComparisonSymbol
  readonly value: TraceQlValue
  /** The position of the value, in UTF-16 code units. */
  readonly at: number
  readonly reader: TraceQlReader
  readonly values: ValueParser
}

/**
 * Compares an attribute. Only values of the type of the operand are compared, so `!=` and `!~` do not match an
 * attribute that is absent or has no value of that type.
 */
export function compareAttribute(attribute: Attribute, comparison: FieldComparison): SpanExpression {
  const { symbol, value, at, reader } = comparison
  if (value.kind === 'nil') {
    if (symbol === '=') return { kind: 'not', of: { kind: 'is_set', attribute } }
    if (symbol === '!=') return { kind: 'is_set', attribute }
    throw reader.faultAt(at, '`nil` is compared with `=` or `!=`.')
  }
  if (value.kind === 'keyword') throw reader.faultAt(at, 'Write a text in double quotes.')
  if (value.kind === 'number' && value.isDuration) throw reader.refusal('duration_of_attribute', at)
  const some = (tests: readonly Test[]): SpanExpression => ({ kind: 'some_value', attribute, type: value.kind, tests })
  const tests = testsOf(comparison, value.kind)
  if (symbol !== '!=' && symbol !== '!~') return some(tests)
  return { kind: 'all', of: [some([]), { kind: 'not', of: some(tests) }] }
}

/** Returns the tests of the positive form of a comparison. Equal numbers are those that bound each other. */
function testsOf(comparison: FieldComparison, type: ValueKind): Test[] {
  const { symbol, value, at, reader } = comparison
  const text = 'text' in value ? value.text : ''
  const order = orderOfSymbol(symbol)
  if (type === 'number') {
    if (symbol === '=~' || symbol === '!~')
      throw reader.faultAt(at, 'A regular expression must be a text in double quotes.')
    return order === undefined
      ? [
          { kind: 'gte', value: text },
          { kind: 'lte', value: text },
        ]
      : [{ kind: order, value: text }]
  }
  if (order !== undefined) throw type === 'string' ? reader.refusal('text_order', at) : unordered(comparison)
  if (symbol !== '=~' && symbol !== '!~') return [{ kind: 'eq', value: text }]
  if (type === 'boolean') throw reader.faultAt(at, 'A regular expression must be a text in double quotes.')
  return [{ kind: 'matches', value: comparison.values.anchored(text, at) }]
}

function unordered({ reader, at }: FieldComparison) {
  return reader.faultAt(at, 'This value is compared with `=` or `!=`.')
}

/** Compares an intrinsic of a span, which every span has. */
export function compareIntrinsic(key: IntrinsicKey, comparison: FieldComparison): SpanExpression {
  const { test, negated } = key === 'duration_ms' ? durationTest(comparison) : textTest(key, comparison)
  const condition: Condition = { attribute: { source: 'intrinsic', key }, test, negated }
  return { kind: 'condition', condition }
}

/** Compares a field of the trace. */
export function compareTraceField(field: TraceField, comparison: FieldComparison): FieldRow {
  return { field, ...(field === 'duration_ms' ? durationTest(comparison) : textTest(field, comparison)) }
}

interface OneTest {
  readonly test: Test
  readonly negated: boolean
}

function durationTest({ symbol, value, at, reader }: FieldComparison): OneTest {
  if (value.kind !== 'number' || !value.isDuration || symbol === '=~' || symbol === '!~')
    throw reader.faultAt(at, 'A duration is compared with a duration, such as `100ms`.')
  return {
    test: { kind: orderOfSymbol(symbol) ?? 'eq', value: millisecondsOfNanoseconds(value.text) },
    negated: symbol === '!=',
  }
}

function textTest(key: Exclude<IntrinsicKey, 'duration_ms'> | TraceField, comparison: FieldComparison): OneTest {
  const { symbol, value, at, reader } = comparison
  const negated = symbol === '!=' || symbol === '!~'
  if (key === 'status' || key === 'kind') {
    const names: readonly string[] = keywordsOf[key]
    if (value.kind !== 'keyword' || !names.includes(value.text))
      throw reader.faultAt(at, `\`${key}\` is compared with one of ${names.join(', ')}, without quotes.`)
    if (symbol !== '=' && symbol !== '!=') throw unordered(comparison)
    return { test: { kind: 'eq', value: value.text }, negated }
  }
  if (value.kind !== 'string') throw reader.faultAt(at, 'This field is compared with a text in double quotes.')
  const [test] = testsOf(comparison, 'string')
  return { test: test as Test, negated }
}
