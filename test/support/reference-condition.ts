import { RE2JS } from 're2js'
import { type AttributeSource, type CarriedValue, readAttribute, textOf } from './reference-attribute.ts'
import { compareDecimals, decimalOfDouble, isInteger, parseDecimal } from './reference-number.ts'
import { isNegative, type Operator, positiveForm } from './reference-operators.ts'
import type { SpanModel } from './span-model.ts'

/** A condition on one record, as it is sent. */
export interface Condition<Source extends string = AttributeSource> {
  readonly attribute_source?: Source
  readonly attribute_key: string
  readonly operator: Operator
  readonly value?: string | number | boolean
}

/** Reports whether a valid condition is true of a span (docs/semantics.md, section 3). See reference-validity.ts. */
export function holds(condition: Condition, span: SpanModel): boolean {
  return holdsOf(condition, (source, key) => readAttribute(span, source, key))
}

/** Reports whether a condition is true of a record of any kind. `read` returns undefined for what it does not carry. */
export function holdsOf<Source extends string>(
  condition: Condition<Source | 'any'>,
  read: (source: Source | 'any', key: string) => CarriedValue | undefined,
): boolean {
  if (isNegative(condition)) return !holdsOf(positiveForm(condition), read)
  const carried = read(condition.attribute_source ?? 'any', condition.attribute_key)
  if (carried === undefined) return false
  return holdsOfValue(condition.operator, carried, String(condition.value))
}

function holdsOfValue(operator: Operator, carried: CarriedValue, operand: string): boolean {
  const text = textOf(carried)
  switch (operator) {
    case 'exists':
      return true
    case 'eq':
      return text === operand || (isNumeric(carried) && compareAsNumbers(carried, operand) === 0)
    case 'contains':
      return text.includes(operand)
    case 'starts_with':
      return text.startsWith(operand)
    case 'ends_with':
      return text.endsWith(operand)
    case 'matches':
      return patternOf(operand).matcher(text).find()
    default:
      return holdsOfOrder(operator, compareAsNumbers(carried, operand))
  }
}

let lastPattern = RE2JS.compile('')

/** Compiles a pattern, which takes longer than to match it, once for all spans that are tested with it in a row. */
function patternOf(source: string): RE2JS {
  if (lastPattern.pattern() !== source) lastPattern = RE2JS.compile(source)
  return lastPattern
}

function holdsOfOrder(operator: Operator, order: number | undefined): boolean {
  if (order === undefined) return false
  if (operator === 'gt') return order > 0
  if (operator === 'gte') return order >= 0
  if (operator === 'lt') return order < 0
  if (operator === 'lte') return order <= 0
  throw new Error(`The reference does not know the operator ${operator}.`)
}

function isNumeric(value: CarriedValue): boolean {
  return 'intValue' in value || 'doubleValue' in value || 'exactNumber' in value
}

/** Compares a stored value with an operand as numbers. Returns undefined if one of them is not a number. */
function compareAsNumbers(stored: CarriedValue, operand: string): number | undefined {
  if ('doubleValue' in stored) return compareDouble(Number(stored.doubleValue), operand)
  const left = parseDecimal(textOf(stored))
  const right = parseDecimal(operand)
  return left === undefined || right === undefined ? undefined : compareDecimals(left, right)
}

/**
 * A double compares as a double, so that `eq 0.1` finds the double written as 0.1; but with an integer it compares
 * exactly, because integers beyond 2^53 must not be rounded into equality.
 */
function compareDouble(stored: number, operand: string): number | undefined {
  const right = parseDecimal(operand)
  if (right === undefined || Number.isNaN(stored)) return undefined
  if (!Number.isFinite(stored)) return stored
  if (isInteger(right)) return compareDecimals(decimalOfDouble(stored), right)
  return stored - Number(operand)
}
