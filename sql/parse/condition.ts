import { RE2JS } from 're2js'
import { parseDecimal } from '../decimal.ts'
import type { QueryFault } from '../errors.ts'
import type { Attribute, AttributeSource, Condition, Test } from '../ir/condition.ts'
import { keyCharactersMax, patternCharactersMax, valueCharactersMax } from '../limits.ts'
import { isOrderKind, type Operator, type OperatorSurface, operatorNamed, operatorTable } from '../operators.ts'
import { intrinsicKeysOf, type RecordKind, sourcesOf, spanRecords } from '../record-kinds/record-kinds.ts'

/** An attribute as it comes over the wire, before anything is known of it. */
export interface RawAttribute {
  readonly attribute_source?: unknown
  readonly attribute_key?: unknown
}

/** A condition, likewise. */
export interface RawCondition extends RawAttribute {
  readonly operator?: unknown
  readonly value?: unknown
}

/** Adds a fault at a pointer below the condition's own. */
export type Refuse = (field: string, code: QueryFault['code'], message: string) => undefined

/** Collects faults of one row, whose place is `pointer`. */
export function refuseAt(pointer: string, faults: QueryFault[]): Refuse {
  return (field, code, message) => {
    faults.push({ pointer: `${pointer}/${field}`, code, message })
    return undefined
  }
}

/** The condition, or undefined when something of it was refused. */
export function parseCondition(
  raw: RawCondition,
  refuse: Refuse,
  operators: OperatorSurface = 'span',
  records: RecordKind = spanRecords,
): Condition | undefined {
  const attribute = parseAttribute(raw, refuse, records)
  const operator = parseOperator(raw.operator, operators, refuse)
  if (operator === undefined) return undefined
  const test = parseTest(operator, raw.value, refuse)
  if (attribute === undefined || test === undefined) return undefined
  return { attribute, test, negated: operatorTable[operator].negated }
}

/** The attribute, or undefined when something of it was refused. */
export function parseAttribute(
  { attribute_source: source = 'any', attribute_key: key }: RawAttribute,
  refuse: Refuse,
  records: RecordKind,
): Attribute | undefined {
  const sources: readonly string[] = sourcesOf(records)
  const intrinsicKeys = intrinsicKeysOf(records)
  if (typeof source !== 'string' || !sources.includes(source))
    return refuse('attribute_source', 'unknown_source', `An attribute source is one of ${sources.join(', ')}.`)
  if (typeof key !== 'string') return refuse('attribute_key', 'wrong_type', 'An attribute key is a text.')
  if (characters(key) > keyCharactersMax)
    return refuse('attribute_key', 'key_too_long', `An attribute key has at most ${keyCharactersMax} characters.`)
  if (source === 'intrinsic' && !intrinsicKeys.includes(key))
    return refuse('attribute_key', 'unknown_intrinsic', `An intrinsic is one of ${intrinsicKeys.join(', ')}.`)
  return { source: source as AttributeSource, key }
}

function parseOperator(name: unknown, surface: OperatorSurface, refuse: Refuse): Operator | undefined {
  const operator = typeof name === 'string' ? operatorNamed(name, surface) : undefined
  return operator ?? refuse('operator', 'unknown_operator', 'There is no such operator.')
}

function parseTest(operator: Operator, value: unknown, refuse: Refuse): Test | undefined {
  const kind = operatorTable[operator].test
  if (kind === 'exists') return { kind }
  const operand = parseOperand(value, refuse)
  if (operand === undefined) return undefined
  if (isOrderKind(kind) && parseDecimal(operand) === undefined)
    return refuse('value', 'not_a_number', `The operator ${operator} compares numbers: the value must be one.`)
  if (kind === 'matches') return parsePattern(operand, refuse)
  return { kind, value: operand }
}

function parseOperand(value: unknown, refuse: Refuse): string | undefined {
  if (value === undefined || value === null) return refuse('value', 'missing_value', 'This operator needs a value.')
  if (typeof value === 'number' && hasLostDigits(value))
    return refuse('value', 'unsafe_integer', 'A JSON number cannot hold this integer exactly: send it as a string.')
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return refuse('value', 'wrong_type', 'A value is a text, a number or a boolean.')
  const operand = String(value)
  if (characters(operand) > valueCharactersMax)
    return refuse('value', 'value_too_long', `A value has at most ${valueCharactersMax} characters.`)
  return operand
}

/** Beyond 2^53 neighbouring integers are one JavaScript number, so what the caller meant is no longer known. */
function hasLostDigits(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64
}

function parsePattern(pattern: string, refuse: Refuse): Test | undefined {
  if (characters(pattern) > patternCharactersMax)
    return refuse('value', 'pattern_too_long', `A regular expression has at most ${patternCharactersMax} characters.`)
  try {
    RE2JS.compile(pattern)
    return { kind: 'matches', value: pattern }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it does not compile'
    return refuse('value', 'invalid_pattern', `RE2 refuses this regular expression: ${reason}.`)
  }
}

function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
