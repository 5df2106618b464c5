import type { components } from '../../../openapi/types.ts'
import { type MessageField, messageFieldTypes } from '../../../sql/ir/message-field.ts'
import {
  numberOperators,
  type Operator,
  type OperatorEntry,
  operators,
  operatorTable,
  textOperators,
} from '../../../sql/operators.ts'

export type MessageRow = components['schemas']['MessageRow']

/** The subject of a condition: a message, one of its steps, the spans of an alert rule, or one log record or series. */
export type Subject = 'message' | 'step' | 'alert' | 'record'

/**
 * Returns the label of an operator. For the spans of alert rules and for records, negations are signs. An unknown
 * operator is its own label.
 */
export function wordsOf(operator: Operator, subject: Subject): string {
  const known = knownOperator(operator)
  if (known === undefined) return operator
  const { messageWords, spanWords } = known
  if (subject === 'message') return messageWords
  if (operator === 'neq' && subject !== 'step') return '≠'
  return operator === 'not_contains' && subject === 'record' ? '!contains' : spanWords
}

const valueOperators = operators.filter((operator) => needsValue({ operator }))

/** The words for the fields of whole messages. Rows about them are conditions on the message, not on a step. */
export const messageFieldWords: Readonly<Record<MessageField, string>> = {
  duration_ms: 'last end minus first start',
  span_count: 'steps of the message',
  error_count: 'failed steps',
  service_count: 'different services',
  matched_step_count: 'matched steps',
  error_step_count: 'failed matched steps',
  'root.service': 'service of the root',
  'root.name': 'name of the root',
}

/**
 * Returns the operators of a row. Every message has every field, so none tests for presence; numbers are compared, and
 * texts are searched. While the name of a field is still being typed, both are offered.
 */
export function operatorsOf({ attribute_source, attribute_key }: MessageRow): readonly Operator[] {
  if (attribute_source !== 'message') return operators
  const types: Readonly<Record<string, 'number' | 'text'>> = messageFieldTypes
  if (!Object.hasOwn(types, attribute_key)) return valueOperators
  return types[attribute_key] === 'text' ? textOperators : numberOperators
}

/** A condition on any kind of record, with the members that operator and value depend on. */
export interface Condition {
  /** Absent while it is being typed. An empty key was explicitly chosen. */
  readonly attribute_key?: string
  readonly operator: Operator
  readonly value?: unknown
}

/** Returns the entry of an operator, or undefined: an address may name one that does not exist. */
function knownOperator(operator: Operator): OperatorEntry | undefined {
  return Object.hasOwn(operatorTable, operator) ? operatorTable[operator] : undefined
}

/** Returns a fault if the operator of a condition does not exist, or undefined. */
export function operatorFault({ operator }: Condition): string | undefined {
  if (knownOperator(operator) !== undefined) return undefined
  return `There is no operator “${operator}”. The condition is ignored until you choose another one.`
}

/** Returns the condition that a field of a span, series or log record has a value. */
export function fieldEquals(key: string, value: string) {
  return { attribute_source: 'intrinsic', attribute_key: key, operator: 'eq', value } as const
}

/** Reports whether the operator of a condition takes a value. */
export function needsValue({ operator }: Pick<Condition, 'operator'>): boolean {
  return knownOperator(operator)?.operand !== 'none'
}

export function isNegative({ operator }: Condition): boolean {
  return knownOperator(operator)?.negated ?? false
}

/**
 * Reports whether a condition is complete. Only complete conditions are sent. An unfinished one has no key or no value;
 * an empty key or value was explicitly chosen.
 */
export function isComplete(condition: Condition): boolean {
  if (condition.attribute_key === undefined || operatorFault(condition) !== undefined) return false
  return !needsValue(condition) || condition.value !== undefined
}

/** Returns the positions of the conditions that are complete. Only these are sent, and problems point at them. */
export function completePositions(conditions: readonly Condition[] = []): number[] {
  return conditions.flatMap((condition, position) => (isComplete(condition) ? [position] : []))
}

/** Reports whether a value of an address is a condition. Its operator may be unknown, which its row then says. */
export function isCondition(value: unknown): value is Condition {
  if (typeof value !== 'object' || value === null) return false
  const { attribute_key, operator } = value as Record<string, unknown>
  return ['string', 'undefined'].includes(typeof attribute_key) && typeof operator === 'string'
}

/** Returns the operators to offer for a row. They include its current one, even if it could not be chosen. */
export function operatorChoices(
  { operator }: Condition,
  offered: readonly Operator[],
  subject: Subject,
): (readonly [Operator, string])[] {
  const known = offered.map((each) => [each, wordsOf(each, subject)] as const)
  if (offered.includes(operator)) return known
  return [[operator, wordsOf(operator, subject)] as const, ...known]
}

/** Reports whether a row has the choice of child spans: only positive rows on attributes have anchors. */
export function takesDescendants(row: MessageRow): boolean {
  const { attribute_source } = row
  const isKnown = operatorFault(row) === undefined
  return isKnown && !isNegative(row) && attribute_source !== 'intrinsic' && attribute_source !== 'message'
}

/** Returns the text of the key of a row; empty if it has none. */
export function keyTextOf({ attribute_key = '' }: { readonly attribute_key?: string }): string {
  return attribute_key
}

/** Returns the row with another key. Without a text, the key is still unfinished. */
export function withKeyText<Row extends { readonly attribute_key?: string }>(row: Row, text: string): Row {
  const { attribute_key: _, ...rest } = row
  return (text === '' ? rest : { ...row, attribute_key: text }) as Row
}

/**
 * Reports whether the source of the attribute was chosen. Otherwise its name decides, because fields have names like
 * attributes.
 */
export function isSourceChosen(source: string | undefined): boolean {
  return ![undefined, 'any', 'intrinsic'].includes(source)
}

/** Returns the row with another value. Without a text, the value is still unfinished. */
export function withValue<Row extends { readonly value?: unknown }>(row: Row, text: string): Row {
  const { value: _, ...rest } = row
  return (text === '' ? rest : { ...rest, value: text }) as Row
}

/** Returns the row with another operator, and without members that this operator does not take. */
export function withOperator(row: MessageRow, operator: Operator): MessageRow {
  const { attribute_key, attribute_source } = row
  const base = { attribute_key, ...(attribute_source === undefined ? {} : { attribute_source }) }
  const value = 'value' in row && row.value !== undefined ? { value: row.value } : {}
  const next = { ...base, operator, ...(needsValue({ operator }) ? value : {}) }
  const keepsDescendants = row.includeDescendants === true && takesDescendants(next as MessageRow)
  return { ...next, ...(keepsDescendants ? { includeDescendants: true } : {}) } as MessageRow
}
