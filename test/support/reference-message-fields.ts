import { type CarriedValue, toMilliseconds } from './reference-attribute.ts'
import { type Condition, holdsOf } from './reference-condition.ts'
import type { Message, Row } from './reference-messages.ts'
import { type Operator, operandOf } from './reference-operators.ts'

/** A row about the whole message (docs/questions.md, section 10). */
export interface FieldRow extends Condition<'message'> {
  readonly attribute_source: 'message'
  readonly includeDescendants?: never
}

/** The fields of a message. */
const fields: Readonly<Record<string, (message: Message) => CarriedValue>> = {
  duration_ms: ({ durationNs }) => ({ exactNumber: toMilliseconds(durationNs) }),
  span_count: ({ spanCount }) => ({ exactNumber: String(spanCount) }),
  error_count: ({ errorCount }) => ({ exactNumber: String(errorCount) }),
  service_count: ({ services }) => ({ exactNumber: String(services.length) }),
  'root.service': ({ root }) => ({ stringValue: root.service }),
  'root.name': ({ root }) => ({ stringValue: root.name }),
  matched_step_count: ({ matchedSteps }) => ({ exactNumber: String(matchedSteps.length) }),
  error_step_count: ({ matchedSteps }) => ({
    exactNumber: String(matchedSteps.filter(({ status }) => status === 'error').length),
  }),
}

export const messageFieldNames: readonly string[] = Object.keys(fields)

const ofNumbers: readonly string[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte']

/** Reports whether a field accepts an operator. */
export function fieldAccepts(field: string, operator: Operator): boolean {
  if (!messageFieldNames.includes(field)) return false
  if (!field.startsWith('root.')) return ofNumbers.includes(operator)
  return operandOf(operator) === 'text' || operandOf(operator) === 'pattern'
}

export function isFieldRow(row: Row): row is FieldRow {
  return row.attribute_source === 'message'
}

export function fieldOf(message: Message, field: string): CarriedValue {
  return (fields[field] as (message: Message) => CarriedValue)(message)
}

/** Reports whether a row is true of a message. Every message has every field, so negation is plain. */
export function fieldHolds(row: FieldRow, message: Message): boolean {
  return holdsOf<'message'>(row, (_, field) => fieldOf(message, field))
}
