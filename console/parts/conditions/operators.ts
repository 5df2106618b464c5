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

/** What a condition is about: a message, one of its steps, the spans of an alert rule, or one log record or series. */
export type Subject = 'message' | 'step' | 'alert' | 'record'

/**
 * Returns the words that offer an operator. Rows of alerts and of records say the negations in signs. An operator that
 * does not exist is called as it is written.
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
 * Returns the operators of a row. Every message has every field, so none tests whether it is present; a number is
 * compared, and a text is searched. While the name of a field is typed, both are possible.
 */
export function operatorsOf({ attribute_source, attribute_key }: MessageRow): readonly Operator[] {
  if (attribute_source !== 'message') return operators
  const types: Readonly<Record<string, 'number' | 'text'>> = messageFieldTypes
  if (!Object.hasOwn(types, attribute_key)) return valueOperators
  return types[attribute_key] === 'text' ? textOperators : numberOperators
}

/** A condition of any kind of record, as its operator and its value see it. */
export interface Condition {
  /** Missing while it is typed. An empty key is one that was chosen. */
  readonly attribute_key?: string
  readonly operator: Operator
  readonly value?: unknown
}

/** Returns what is known of an operator, or undefined: an address may name one that does not exist. */
function knownOperator(operator: Operator): OperatorEntry | undefined {
  return Object.hasOwn(operatorTable, operator) ? operatorTable[operator] : undefined
}

/** Says of a condition of an address that its operator does not exist; returns undefined if it does. */
export function operatorFault({ operator }: Condition): string | undefined {
  if (knownOperator(operator) !== undefined) return undefined
  return `There is no operator “${operator}”. The condition is ignored until you choose another one.`
}

/** Returns the condition that a field of a span, series or log record has a value. */
export function fieldEquals(key: string, value: string) {
  return { attribute_source: 'intrinsic', attribute_key: key, operator: 'eq', value } as const
}

/** Whether a condition has a value beside its operator. */
export function needsValue({ operator }: Pick<Condition, 'operator'>): boolean {
  return knownOperator(operator)?.operand !== 'none'
}

export function isNegative({ operator }: Condition): boolean {
  return knownOperator(operator)?.negated ?? false
}

/**
 * A condition is sent when it is complete. One that is still being typed has no key or no value, and changes no
 * answer; an empty key or value is one that was chosen.
 */
export function isComplete(condition: Condition): boolean {
  if (condition.attribute_key === undefined || operatorFault(condition) !== undefined) return false
  return !needsValue(condition) || condition.value !== undefined
}

/** Returns the positions of the conditions that are complete. Only these are sent, and problems point at them. */
export function completePositions(conditions: readonly Condition[] = []): number[] {
  return conditions.flatMap((condition, position) => (isComplete(condition) ? [position] : []))
}

/** Whether a value of an address is a condition. Its operator may be unknown: then its row says so. */
export function isCondition(value: unknown): value is Condition {
  if (typeof value !== 'object' || value === null) return false
  const { attribute_key, operator } = value as Record<string, unknown>
  return ['string', 'undefined'].includes(typeof attribute_key) && typeof operator === 'string'
}

/** Returns the choices of operators of a row. The operator of the row is among them, also if it cannot be chosen. */
export function operatorChoices(
  { operator }: Condition,
  offered: readonly Operator[],
  subject: Subject,
): (readonly [Operator, string])[] {
  const known = offered.map((each) => [each, wordsOf(each, subject)] as const)
  if (offered.includes(operator)) return known
  return [[operator, wordsOf(operator, subject)] as const, ...known]
}

/** The child-spans choice exists only where there is an anchor: on positive rows about attributes. */
export function takesDescendants(row: MessageRow): boolean {
  const { attribute_source } = row
  const isKnown = operatorFault(row) === undefined
  return isKnown && !isNegative(row) && attribute_source !== 'intrinsic' && attribute_source !== 'message'
}

/** Returns the text of the key of a row; empty while it has none. */
export function keyTextOf({ attribute_key = '' }: { readonly attribute_key?: string }): string {
  return attribute_key
}

/** Returns the row with the text of its key. Without one it is still being typed. */
export function withKeyText<Row extends { readonly attribute_key?: string }>(row: Row, text: string): Row {
  const { attribute_key: _, ...rest } = row
  return (text === '' ? rest : { ...row, attribute_key: text }) as Row
}

/** Whether a person said where the attribute is. Otherwise its name decides, as fields are named like attributes. */
export function isSourceChosen(source: string | undefined): boolean {
  return ![undefined, 'any', 'intrinsic'].includes(source)
}

/** Returns the row with the text of its value. Without one it is still being typed. */
export function withValue<Row extends { readonly value?: unknown }>(row: Row, text: string): Row {
  const { value: _, ...rest } = row
  return (text === '' ? rest : { ...rest, value: text }) as Row
}

/** Returns the row with another operator, without what that operator does not take. */
export function withOperator(row: MessageRow, operator: Operator): MessageRow {
  const { attribute_key, attribute_source } = row
  const base = { attribute_key, ...(attribute_source === undefined ? {} : { attribute_source }) }
  const value = 'value' in row && row.value !== undefined ? { value: row.value } : {}
  const next = { ...base, operator, ...(needsValue({ operator }) ? value : {}) }
  const keepsDescendants = row.includeDescendants === true && takesDescendants(next as MessageRow)
  return { ...next, ...(keepsDescendants ? { includeDescendants: true } : {}) } as MessageRow
}
