/**
 * Reads what explains whether one message matches a query (docs/questions.md, section 15): for each of its spans the
 * tests of rows, relations and rules, each as one bit.
 */
import { fromScoped, list, param, perShard, type Sql, sql, uint64 } from '../../fragment.ts'
import { type Attribute, positiveForm } from '../../ir/condition.ts'
import { isFieldRow, isStepRow, type MessageQuery } from '../../ir/message-query.ts'
import type { TimeWindow } from '../../ir/scope.ts'
import { bitsPerNumber } from '../../packed-bits.ts'
import { spanRecords } from '../../record-kinds/record-kinds.ts'
import { taggedText } from '../attribute.ts'
import { compileSpanCondition } from '../condition.ts'
import { columnsOfFields, compileFieldRow, fieldText } from '../message-fields.ts'
import { relationEnds } from '../relations.ts'
import { compileInSlice } from '../slice.ts'
import { compileRule } from '../slice-rules.ts'
import { traceColumns } from '../trace-columns.ts'

/** A row of `explainedSpans`. Integers of 64 bits are texts. See packed-bits.ts. */
export interface ExplainedSpanRow {
  readonly span_id: string
  /** `0` for a span without a parent. */
  readonly parent_id: string
  readonly start_ns: string
  readonly service: string
  readonly name: string
  readonly is_error: number
  readonly is_in_scope: number
  /** For each row about steps: whether the span makes its positive form true. */
  readonly row_bits: readonly number[]
  /** For each row about steps: whether the span carries the attribute. */
  readonly carried_bits: readonly number[]
  /** For each relation: whether the span is its `from`, and whether it is its `to`. */
  readonly ends: number
  /** For each rule of the integration: whether the span satisfies it. */
  readonly rule_bits: readonly number[]
}

/** Selects an `ExplainedSpanRow` for each span of a trace, oldest first. */
export function explainedSpans({ rows, relations = [], slice }: MessageQuery, traceId: string): Sql {
  const bounds = { traceIds: [traceId] }
  const conditions = rows.filter(isStepRow).map(({ condition }) => positiveForm(condition))
  const carried = conditions.map(({ attribute }) => ({ attribute, test: { kind: 'exists' }, negated: false }) as const)
  const spans = sql`
    SELECT
      span_id,
      parent_id,
      toUnixTimestamp64Nano(start) AS start_ns,
      service,
      name,
      status = 2 AS is_error,
      ${slice === undefined ? sql`1` : compileInSlice(slice, bounds)} AS is_in_scope,
      ${packed(conditions.map(compileSpanCondition))} AS row_bits,
      ${packed(carried.map(compileSpanCondition))} AS carried_bits,
      ${relations.length === 0 ? sql`0 AS ends` : relationEnds(relations)},
      ${packed((slice?.rules ?? []).map(compileRule))} AS rule_bits
    FROM ${fromScoped('spans', sql`1`, bounds)}
  `
  return sql`SELECT * FROM ${perShard(spans)} ORDER BY start_ns, span_id`
}

/** Packs tests into an array of numbers with 32 bits each. */
function packed(tests: readonly Sql[]): Sql {
  const numbers: Sql[] = []
  for (let first = 0; first < tests.length; first += bitsPerNumber) {
    const bits = tests.slice(first, first + bitsPerNumber)
    const weighted = bits.map((test, bit) => sql`bitShiftLeft(toUInt32(${test}), ${uint64(bit)})`)
    const sum = weighted.reduce((left, right) => sql`${left} + ${right}`)
    numbers.push(sql`toUInt32(${sum})`)
  }
  return numbers.length === 0 ? sql`emptyArrayUInt32()` : sql`[${list(numbers)}]`
}

/** Selects `span_id, tagged` of some spans of a trace: the tagged text of each attribute, empty if it is absent. */
export function explainedValues(traceId: string, spanIds: readonly string[], attributes: readonly Attribute[]): Sql {
  const ids = param('Array(UInt64)', `[${spanIds.join(',')}]`)
  const texts = attributes.map((attribute) => sql`CAST(${taggedText(attribute, spanRecords)}, 'String')`)
  return sql`
    SELECT span_id, [${list(texts)}] AS tagged
    FROM ${fromScoped('spans', sql`span_id IN ${ids}`, { traceIds: [traceId] })}
  `
}

/** The counts of the matched steps of a message. */
export interface StepCounts {
  readonly step_count: number
  readonly failed_step_count: number
}

/** A row of `explainedFields`. Both have an element for each row of the query about a field of the message. */
export interface ExplainedFieldsRow {
  /** Whether the trace satisfies the row. */
  readonly holds: readonly number[]
  /** The text of the field. */
  readonly texts: readonly string[]
}

/** Selects one `ExplainedFieldsRow`, or none if the trace has no span in scope. */
export function explainedFields({ rows }: MessageQuery, traceId: string, steps: StepCounts): Sql {
  const fieldRows = rows.filter(isFieldRow)
  const columns = traceColumns([...new Set(columnsOfFields(fieldRows.map(({ field }) => field)))])
  const trace = sql`
    SELECT
      ${list([sql`trace_id`, ...columns])},
      ${uint64(steps.step_count)} AS step_count,
      ${uint64(steps.failed_step_count)} AS failed_step_count
    FROM ${fromScoped('spans', sql`1`, { traceIds: [traceId] })}
    GROUP BY trace_id
  `
  return sql`
    SELECT
      [${list(fieldRows.map((row) => sql`toUInt8(${compileFieldRow(row)})`))}] AS holds,
      [${list(fieldRows.map(({ field }) => sql`CAST(${fieldText(field)}, 'String')`))}] AS texts
    FROM (${trace})
  `
}

/**
 * Selects one row `span_count, changing_count`: the spans of a trace outside of a window, and how many of them make the
 * positive form of one of the rows true. `rows` are positions among the rows about steps.
 */
export function spansOutside(query: MessageQuery, traceId: string, window: TimeWindow, rows: readonly number[]): Sql {
  const conditions = query.rows.filter(isStepRow).map(({ condition }) => positiveForm(condition))
  const changing = rows.flatMap((position) => conditions[position] ?? []).map(compileSpanCondition)
  const isChanging = changing.reduce((left, right) => sql`${left} OR ${right}`, sql`0`)
  const ns = sql`toUnixTimestamp64Nano(start)`
  const isOutside = sql`
    (${ns} < ${param('Int64', window.fromNs.toString())} OR ${ns} >= ${param('Int64', window.toNs.toString())})
  `
  return sql`
    SELECT uniqExact(span_id) AS span_count, uniqExactIf(span_id, ${isChanging}) AS changing_count
    FROM ${fromScoped('spans', isOutside, { traceIds: [traceId] })}
  `
}
