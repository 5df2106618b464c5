import type { components } from '../../../openapi/types.ts'

export type MessageRow = components['schemas']['MessageRow']
export type Operator = MessageRow['operator']
export type RelationKind = components['schemas']['Relation']['kind']

/** The kinds of relations between two steps in the order in which they are offered, as sentences name them. */
export const relationWords: Readonly<Record<RelationKind, string>> = {
  followed_by: 'is followed by',
  not_followed_by: 'is not followed by',
  contains: 'contains',
  not_contains: 'does not contain',
  called_by: 'is called by',
  not_called_by: 'is not called by',
}

interface OperatorWords {
  /** The words of conditions on whole messages. */
  readonly words: string
  /** The words of conditions on one step. */
  readonly stepWords: string
  readonly needsValue: boolean
  /** Negative operators speak about every step of the message, so they have no anchor. */
  readonly isNegative: boolean
}

/** The operators of the message filter in the order in which they are offered. */
export const operators: Readonly<Record<Operator, OperatorWords>> = {
  eq: { words: 'equals', stepWords: 'equals', needsValue: true, isNegative: false },
  neq: { words: 'never equals', stepWords: 'is not', needsValue: true, isNegative: true },
  contains: { words: 'contains', stepWords: 'contains', needsValue: true, isNegative: false },
  not_contains: { words: 'never contains', stepWords: "doesn't contain", needsValue: true, isNegative: true },
  starts_with: { words: 'starts with', stepWords: 'starts with', needsValue: true, isNegative: false },
  ends_with: { words: 'ends with', stepWords: 'ends with', needsValue: true, isNegative: false },
  matches: { words: 'matches', stepWords: 'matches', needsValue: true, isNegative: false },
  gt: { words: 'is greater than', stepWords: 'is greater than', needsValue: true, isNegative: false },
  gte: { words: 'is at least', stepWords: 'is at least', needsValue: true, isNegative: false },
  lt: { words: 'is less than', stepWords: 'is less than', needsValue: true, isNegative: false },
  lte: { words: 'is at most', stepWords: 'is at most', needsValue: true, isNegative: false },
  exists: { words: 'is present', stepWords: 'exists', needsValue: false, isNegative: false },
  not_exists: { words: 'is never present', stepWords: 'is absent', needsValue: false, isNegative: true },
}

/** What a condition is about: a message, one of its steps, the spans of an alert rule, or one log record or series. */
export type Subject = 'message' | 'step' | 'alert' | 'record'

/**
 * Returns the words that offer an operator. Rows of alerts and of records say the negations in signs. An operator that
 * does not exist is called as it is written.
 */
export function wordsOf(operator: Operator, subject: Subject): string {
  const known = knownOperator(operator)
  if (known === undefined) return operator
  const { words, stepWords } = known
  if (subject === 'message') return words
  if (operator === 'neq' && subject !== 'step') return '≠'
  return operator === 'not_contains' && subject === 'record' ? '!contains' : stepWords
}

export const operatorNames = Object.keys(operators) as readonly Operator[]

const orderOperators: readonly Operator[] = ['gt', 'gte', 'lt', 'lte']
const valueOperators = operatorNames.filter((name) => operators[name].needsValue)
const textOperators = valueOperators.filter((name) => !orderOperators.includes(name))
const numberOperators: readonly Operator[] = ['eq', 'neq', ...orderOperators]

/** The fields of whole messages. Rows about them are conditions on the message, not on a step. */
export const messageFields = {
  duration_ms: { type: 'number', words: 'last end minus first start' },
  span_count: { type: 'number', words: 'steps of the message' },
  error_count: { type: 'number', words: 'failed steps' },
  service_count: { type: 'number', words: 'different services' },
  matched_step_count: { type: 'number', words: 'matched steps' },
  error_step_count: { type: 'number', words: 'failed matched steps' },
  'root.service': { type: 'text', words: 'service of the root' },
  'root.name': { type: 'text', words: 'name of the root' },
} as const satisfies Readonly<Record<string, { readonly type: 'number' | 'text'; readonly words: string }>>

/**
 * Returns the operators of a row. Every message has every field, so none tests whether it is present; a number is
 * compared, and a text is searched. While the name of a field is typed, both are possible.
 */
export function operatorsOf({ attribute_source, attribute_key }: MessageRow): readonly Operator[] {
  if (attribute_source !== 'message') return operatorNames
  const fields: Readonly<Record<string, { readonly type: string }>> = messageFields
  if (!Object.hasOwn(fields, attribute_key)) return valueOperators
  return fields[attribute_key]?.type === 'text' ? textOperators : numberOperators
}

/** The API accepts no longer values in conditions. */
export const valueLengthMax = 4_096

/** A condition of any kind of record, as its operator and its value see it. */
export interface Condition {
  /** Missing while it is typed. An empty key is one that was chosen. */
  readonly attribute_key?: string
  readonly operator: Operator
  readonly value?: unknown
}

/** Returns what is known of an operator, or undefined: an address may name one that does not exist. */
function knownOperator(operator: Operator): OperatorWords | undefined {
  return Object.hasOwn(operators, operator) ? operators[operator] : undefined
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
export function needsValue({ operator }: Condition): boolean {
  return knownOperator(operator)?.needsValue ?? true
}

export function isNegative({ operator }: Condition): boolean {
  return knownOperator(operator)?.isNegative ?? false
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
  const next = { ...base, operator, ...(needsValue({ attribute_key, operator }) ? value : {}) }
  const keepsDescendants = row.includeDescendants === true && takesDescendants(next as MessageRow)
  return { ...next, ...(keepsDescendants ? { includeDescendants: true } : {}) } as MessageRow
}
