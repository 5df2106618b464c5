import type { Attribute, Condition } from './condition.ts'
import type { FieldRow, MessageField } from './message-field.ts'
import type { Relation } from './relation.ts'
import type { Slice } from './slice.ts'
import type { Spanset } from './spanset.ts'

/** A condition on the steps of a message. If it is negated, it is a claim about all of them. */
export interface StepRow {
  readonly condition: Condition
  readonly includesDescendants: boolean
}

export type MessageRow = StepRow | FieldRow

export function isFieldRow(row: MessageRow): row is FieldRow {
  return 'field' in row
}

export function isStepRow(row: MessageRow): row is StepRow {
  return !isFieldRow(row)
}

export type MessageStatus = 'ok' | 'error'

/** The conditions of a message filter (docs/semantics.md, section 6, and docs/questions.md, section 16). */
export interface MessageFilter {
  readonly rows: readonly MessageRow[]
  /** Absent if the filter has none. */
  readonly relations?: readonly Relation[]
  /** A selection of the anchors, which are then the only matched steps (docs/grafana.md). */
  readonly spansets?: Spanset
}

/** A message search (docs/semantics.md, section 6). */
export interface MessageQuery extends MessageFilter {
  readonly slice?: Slice
  readonly status?: MessageStatus
  /** The matched steps, if an earlier query has found all of them. Rows on steps and the slice must then be absent. */
  readonly steps?: readonly StepKey[]
}

/** A span, by the decimal texts of its ids. */
export type StepKey = readonly [traceId: string, spanId: string]

/** Returns a query for the messages of known steps, which has the same results as the one that found them. */
export function ofKnownSteps({ rows, status }: MessageQuery, steps: readonly StepKey[]): MessageQuery {
  return { rows: rows.filter(isFieldRow), steps, ...(status === undefined ? {} : { status }) }
}

/** The orders of a search (docs/questions.md, section 10). */
export const messageOrders = ['newest', 'oldest', 'longest', 'shortest', 'most_steps', 'most_errors'] as const

export type MessageOrder = (typeof messageOrders)[number]

/** An attribute by which messages are grouped: one of their steps, or a field of the message. */
export type GroupAttribute = Attribute | { readonly field: MessageField }
