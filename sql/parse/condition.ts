import { parseDecimal } from '../decimal.ts'
import type { Attribute, AttributeSource, Condition, Test } from '../ir/condition.ts'
import { conditionsMax, keyCharactersMax, patternCharactersMax, valueCharactersMax } from '../limits.ts'
import { nearestName } from '../nearest.ts'
import { type Operator, type OperatorSurface, operatorNamed, operatorNames, operatorTable } from '../operators.ts'
import { intrinsicKeysOf, type RecordKind, sourcesOf, spanRecords } from '../record-kinds/record-kinds.ts'
import { parseList, type Refuse } from './list.ts'

/** An unparsed attribute of a request. */
export interface RawAttribute {
  readonly attribute_source?: unknown
  readonly attribute_key?: unknown
}

/** An unparsed condition of a request. */
export interface RawCondition extends RawAttribute {
  readonly operator?: unknown
  readonly value?: unknown
}

/**
 * Reports whether a regular expression is valid, and calls `refuse` if it is not. Compiling an expression is expensive,
 * so `parse` accepts all of them, and `check` passes a function that compiles them (check/patterns.ts).
 */
export type AcceptPattern = (pattern: string, refuse: Refuse) => boolean

export const acceptAnyPattern: AcceptPattern = () => true

/** The limit on a list of conditions. */
export const conditionsLimit = { max: conditionsMax, message: `A query has at most ${conditionsMax} conditions.` }

/**
 * Parses conditions on records of one kind. `pointer` locates the list in the request body.
 * @throws InvalidQuery with the faults of all conditions
 */
export function parseConditions(
  conditions: readonly RawCondition[],
  records: RecordKind = spanRecords,
  pointer = '/conditions',
  acceptPattern: AcceptPattern = acceptAnyPattern,
): Condition[] {
  return parseList(conditions, { pointer, limit: conditionsLimit }, (raw, refuse) =>
    parseCondition(raw, refuse, { records, acceptPattern }),
  )
}

/** Parses attributes of records of one kind. @throws InvalidQuery with the faults of all attributes */
export function parseAttributes(
  attributes: readonly RawAttribute[],
  records: RecordKind,
  pointer: string,
): Attribute[] {
  return parseList(attributes, { pointer }, (raw, refuse) => parseAttribute(raw, refuse, records))
}

export interface ConditionOptions {
  /** The vocabulary of the operator names. */
  readonly surface?: OperatorSurface
  readonly records?: RecordKind
  readonly acceptPattern?: AcceptPattern
}

/** Parses a condition. Returns undefined after recording a fault. */
export function parseCondition(
  raw: RawCondition,
  refuse: Refuse,
  { surface = 'condition', records = spanRecords, acceptPattern = acceptAnyPattern }: ConditionOptions,
): Condition | undefined {
  const attribute = parseAttribute(raw, refuse, records)
  const operator = parseOperator(raw.operator, surface, refuse)
  if (operator === undefined) return undefined
  const test = parseTest(operator, raw.value, refuse, acceptPattern)
  if (attribute === undefined || test === undefined) return undefined
  return { attribute, test, negated: operatorTable[operator].negated }
}

/** Parses an attribute. Returns undefined after recording a fault. */
export function parseAttribute(
  { attribute_source: source = 'any', attribute_key: key }: RawAttribute,
  refuse: Refuse,
  records: RecordKind,
): Attribute | undefined {
  const sources: readonly string[] = sourcesOf(records)
  const intrinsicKeys = intrinsicKeysOf(records)
  if (typeof source !== 'string' || !sources.includes(source))
    return refuse('attribute_source', 'unknown_source', mustBeOneOf('An attribute source', sources, source))
  if (typeof key !== 'string') return refuse('attribute_key', 'wrong_type', 'An attribute key must be a string.')
  if (hasMoreCharacters(key, keyCharactersMax))
    return refuse('attribute_key', 'key_too_long', `An attribute key has at most ${keyCharactersMax} characters.`)
  if (source === 'intrinsic' && !intrinsicKeys.includes(key))
    return refuse('attribute_key', 'unknown_intrinsic', mustBeOneOf('An intrinsic', intrinsicKeys, key))
  return { source: source as AttributeSource, key }
}

function parseOperator(name: unknown, surface: OperatorSurface, refuse: Refuse): Operator | undefined {
  const operator = typeof name === 'string' ? operatorNamed(name, surface) : undefined
  if (operator !== undefined) return operator
  const names = operatorNames(surface)
  if (name !== undefined) return refuse('operator', 'unknown_operator', mustBeOneOf('An operator', names, name))
  return refuse('operator', 'required', `The operator is missing. It must be one of ${names.join(', ')}.`)
}

/** Returns `An operator must be one of eq, neq, … Did you mean "eq"?` */
export function mustBeOneOf(noun: string, names: readonly string[], name: unknown): string {
  const nearest = typeof name === 'string' ? nearestName(name, names) : undefined
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return `${noun} must be one of ${names.join(', ')}.${suggestion}`
}

/** Parses the operand of an operator. Returns undefined after recording a fault. */
export function parseTest(
  operator: Operator,
  value: unknown,
  refuse: Refuse,
  acceptPattern: AcceptPattern,
): Test | undefined {
  const entry = operatorTable[operator]
  if (entry.operand === 'none') return { kind: entry.test }
  const operand = parseOperand(value, refuse)
  if (operand === undefined) return undefined
  if (entry.operand === 'number' && parseDecimal(operand) === undefined)
    return refuse('value', 'not_a_number', 'This operator compares numbers: its value must be a finite decimal number.')
  if (entry.operand === 'pattern') {
    if (hasMoreCharacters(operand, patternCharactersMax))
      return refuse('value', 'pattern_too_long', `A regular expression has at most ${patternCharactersMax} characters.`)
    if (!acceptPattern(operand, refuse)) return undefined
  }
  return { kind: entry.test, value: operand }
}

function parseOperand(value: unknown, refuse: Refuse): string | undefined {
  if (value === undefined || value === null) return refuse('value', 'missing_value', 'This operator requires a value.')
  if (typeof value === 'number' && hasLostDigits(value))
    return refuse('value', 'unsafe_integer', 'A JSON number cannot hold this integer exactly. Send it as a string.')
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return refuse('value', 'wrong_type', 'A value must be a string, a number or a boolean.')
  const operand = String(value)
  if (hasMoreCharacters(operand, valueCharactersMax))
    return refuse('value', 'value_too_long', `A value has at most ${valueCharactersMax} characters.`)
  return operand
}

/**
 * Reports whether neighbouring integers have the same JavaScript number, so that the integer in the request is unknown.
 */
function hasLostDigits(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64
}

/**
 * Reports whether a text is longer than `max` code points. Counts them only if it has more UTF-16 code units than that.
 */
function hasMoreCharacters(text: string, max: number): boolean {
  return text.length > max && [...text].length > max
}
