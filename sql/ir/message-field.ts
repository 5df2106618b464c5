import type { Test } from './condition.ts'

/**
 * The fields of a message that rows and orders can name (docs/questions.md, section 10), and what they hold.
 * CONTRIBUTING.md lists what else a new one needs.
 */
export const messageFieldTypes = {
  duration_ms: 'number',
  span_count: 'number',
  error_count: 'number',
  service_count: 'number',
  'root.service': 'text',
  'root.name': 'text',
  matched_step_count: 'number',
  error_step_count: 'number',
} as const

export type MessageField = keyof typeof messageFieldTypes

export const messageFields = Object.keys(messageFieldTypes) as readonly MessageField[]

/** A condition on the message as a whole. It selects no steps, and its negation is plain NOT. */
export interface FieldRow {
  readonly field: MessageField
  readonly test: Test
  readonly negated: boolean
}
