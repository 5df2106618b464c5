/** The fields of a message (docs/questions.md, section 10), computed from the columns of its trace. */
import { type Sql, sql } from '../fragment.ts'
import type { FieldRow, MessageField } from '../ir/message-field.ts'
import { isFieldRow, type MessageRow } from '../ir/message-query.ts'
import type { Intrinsic } from '../record-kinds/record-kinds.ts'
import { millisecondsText } from './attribute.ts'
import { compileIntrinsicTest } from './condition.ts'
import { type TraceColumn, traceDuration } from './trace-columns.ts'

/** How a field is computed. */
type FieldValue = Extract<Intrinsic, { kind: 'text' | 'integer' | 'milliseconds' }>

interface FieldEntry {
  readonly value: FieldValue
  /** The columns of the trace that the value reads. */
  readonly columns: readonly TraceColumn[]
  /** Whether the value reads `step_count` or `failed_step_count`, which are known after descendants are found. */
  readonly isOfSteps: boolean
}

const table: Readonly<Record<MessageField, FieldEntry>> = {
  duration_ms: {
    value: { kind: 'milliseconds', nanoseconds: traceDuration },
    columns: ['started_ns', 'ended_ns'],
    isOfSteps: false,
  },
  span_count: { value: { kind: 'integer', integer: sql`span_count` }, columns: ['span_count'], isOfSteps: false },
  error_count: { value: { kind: 'integer', integer: sql`error_count` }, columns: ['error_count'], isOfSteps: false },
  service_count: {
    value: { kind: 'integer', integer: sql`service_count` },
    columns: ['service_count'],
    isOfSteps: false,
  },
  'root.service': { value: { kind: 'text', text: sql`tupleElement(root, 1)` }, columns: ['root'], isOfSteps: false },
  'root.name': { value: { kind: 'text', text: sql`tupleElement(root, 2)` }, columns: ['root'], isOfSteps: false },
  matched_step_count: { value: { kind: 'integer', integer: sql`step_count` }, columns: [], isOfSteps: true },
  error_step_count: { value: { kind: 'integer', integer: sql`failed_step_count` }, columns: [], isOfSteps: true },
}

/** Returns the columns of a trace that fields read. */
export function columnsOfFields(fields: readonly MessageField[]): TraceColumn[] {
  return fields.flatMap((field) => table[field].columns)
}

/** Reports whether one of the fields is about the matched steps. */
export function readStepCounts(fields: readonly MessageField[]): boolean {
  return fields.some((field) => table[field].isOfSteps)
}

/** Reports whether all field rows of a filter are about the matched steps. */
export function areAboutSteps(rows: readonly MessageRow[]): boolean {
  return rows.filter(isFieldRow).every(({ field }) => table[field].isOfSteps)
}

/** Compiles the field rows of a filter that are about the matched steps, or those about all spans of the trace. */
export function compileFieldRows(rows: readonly MessageRow[], about: 'steps' | 'spans'): Sql[] {
  return rows
    .filter(isFieldRow)
    .filter(({ field }) => table[field].isOfSteps === (about === 'steps'))
    .map(compileFieldRow)
}

/** Tests whether a trace satisfies a row on a field of the message. */
export function compileFieldRow({ field, test, negated }: FieldRow): Sql {
  const holds = compileIntrinsicTest(table[field].value, test)
  return negated ? sql`(NOT ${holds})` : holds
}

/** Returns the text of a field. */
export function fieldText(field: MessageField): Sql {
  const { value } = table[field]
  if (value.kind === 'integer') return sql`toString(${value.integer})`
  if (value.kind === 'milliseconds') return millisecondsText(value.nanoseconds)
  return value.text
}
