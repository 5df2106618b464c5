/**
 * Finds the traces that match a message query, in one pass over the spans in scope. Rows of the filter become flags of
 * spans, spans are grouped into traces, and conditions on a whole trace become a HAVING clause. Only queries with
 * descendants or relations also turn the remaining traces into arrays, and walk their trees.
 */
import { allOf, anyOf, type Bounds, joinSql, list, param, type Sql, sql } from '../../fragment.ts'
import { relatedName, relationColumn } from '../../identifier.ts'
import { positiveForm } from '../../ir/condition.ts'
import { isStepRow, type MessageQuery, type StepKey } from '../../ir/message-query.ts'
import { compileSpanCondition } from '../condition.ts'
import { compileFieldRows } from '../message-fields.ts'
import { isEndOfRelation, isInTime, relationColumns, relationsHold } from '../relations.ts'
import { isRowWise } from '../slice.ts'
import { compileSpansOfRules, everyRuleSatisfied, includingRules } from '../slice-rules.ts'
import { compileSpanExpression } from '../span-expression.ts'
import { combined, compileFieldsOf, onlyFilter, spansetMayHold, withSpanset } from '../spansets.ts'
import {
  type ArrayColumn,
  attributeArray,
  collectedRows,
  flaggedSpans,
  inSlice,
  nothingRefutes,
  type SpanTests,
  type StepTests,
  spanArrays,
  testsOfSteps,
  traceArrays,
  traceMayMatch,
} from '../trace-arrays.ts'
import { traceColumnNames, traceColumns } from '../trace-columns.ts'
import { compileDescendants } from '../walk.ts'
import { aggregatedCarriedSteps, carriedStepsOfArrays } from './carried-steps.ts'
import { aggregatedColumnValues, columnValuesOfArrays, rootValueNames, rootValues } from './column-values.ts'
import {
  attributesOf,
  type ReadColumns,
  readColumns,
  readsStepsOnly,
  type SelectedColumns,
} from './selected-columns.ts'

/** Selects `trace_id` and the columns of `selected` of each trace that matches within the bounds. */
export function matchingTraces(query: MessageQuery, bounds: Bounds, selected: SelectedColumns): Sql {
  const read = readColumns(query, selected)
  return walks(query) ? walkedTraces(query, bounds, read) : groupedTraces(query, bounds, read)
}

/** Reports whether it takes other spans of the trace to decide if a span is a matched step. */
function walks(query: MessageQuery): boolean {
  return walksTrees(query) || query.relations !== undefined || combined(query) !== undefined
}

/** Reports whether a walk passes through spans that neither match nor refute anything themselves. */
function walksTrees(query: MessageQuery): boolean {
  const { rows, relations = [], slice } = query
  const isInTree = !relations.every(isInTime) || combined(query) !== undefined
  return includesDescendants(rows) || isInTree || (slice !== undefined && includingRules(slice).length > 0)
}

function includesDescendants(rows: MessageQuery['rows']): boolean {
  return rows.some((row) => isStepRow(row) && row.includesDescendants)
}

/** Finds traces by aggregating flags of spans. It requires that each span alone decides if it is a matched step. */
function groupedTraces(query: MessageQuery, bounds: Bounds, read: ReadColumns): Sql {
  const { tests, where } = readSpans(query, read)
  const step = testsOfSteps(tests)
  const having = [
    ...(step.isMatched === undefined ? [] : [sql`max(${step.isMatched})`]),
    ...nothingRefutes(tests.refuting),
    ...everyRuleSatisfied(query.slice),
    ...statusIs(query, sql`max(${step.isFailed})`),
    ...compileFieldRows(query.rows, 'spans'),
    ...compileFieldRows(query.rows, 'steps'),
    ...onlyFilter(query).flatMap(compileFieldsOf),
  ]
  return sql`
    SELECT ${list(groupedColumns(read, step))}
    FROM (${flaggedSpans(tests, bounds, where)})
    GROUP BY trace_id
    ${having.length === 0 ? sql`` : sql`HAVING ${allOf(having)}`}
  `
}

/**
 * Returns the spans to group, and the tests that remain to be made of them. If only matched steps are read and each
 * span alone decides whether it is one, a span that is read needs no further test of the slice, or without a slice none
 * of the rows. With hundreds of rules, planning the second test takes as long as the first.
 */
function readSpans(query: MessageQuery, read: ReadColumns): { readonly tests: SpanTests; readonly where: Sql } {
  const tests = spanTests(query, read)
  if (!readsStepsOnly(read)) return { tests, where: sql`1` }
  const where = decidingSpans(tests)
  const { slice, ...ofRows } = tests
  if (tests.refuting !== undefined || (slice !== undefined && !isRowWise(slice))) return { tests, where }
  if (slice !== undefined) return { tests: ofRows, where }
  const { positive: _, ...untested } = ofRows
  return { tests: untested, where }
}

function groupedColumns(read: ReadColumns, { isMatched, isFailed }: StepTests): Sql[] {
  return [
    sql`trace_id`,
    ...traceColumns(read.trace),
    ...(read.status ? [sql`max(${isFailed}) AS is_failed`] : []),
    ...(read.steps === 'counts' || read.steps === 'all'
      ? [countedSteps(isMatched, sql`step_count`), countedSteps(isFailed, sql`failed_step_count`)]
      : []),
    ...(read.steps === 'all'
      ? [sql`arrayDistinct(${collectedRows(sql`(start, span_id)`, isMatched)}) AS matched_steps`]
      : []),
    ...(read.stepServices ? [sql`groupUniqArrayIf(service, ${isMatched ?? sql`1`}) AS step_services`] : []),
    ...(read.columns.length === 0 ? [] : aggregatedColumnValues(read.columns, isMatched)),
    ...aggregatedCarriedSteps(read.carried, isMatched),
  ]
}

/** Counts the distinct spans, because one span may still be stored as two rows. */
function countedSteps(isCounted: Sql | undefined, name: Sql): Sql {
  return sql`length(arrayDistinct(${collectedRows(sql`span_id`, isCounted)})) AS ${name}`
}

/** Selects the spans to group if only the steps of a trace are read: those that match, refute or are related. */
function decidingSpans(tests: SpanTests): Sql {
  const { slice, positive = sql`1` } = tests
  return anyOf([slice === undefined ? positive : compileSpansOfRules(slice), ...unmatchedDecidingSpans(tests)])
}

function unmatchedDecidingSpans({ refuting, relations = [] }: SpanTests): Sql[] {
  return [
    ...(refuting === undefined ? [] : [refuting]),
    ...(relations.length === 0 ? [] : [isEndOfRelation(relations)]),
  ]
}

function statusIs({ status }: MessageQuery, isFailed: Sql): Sql[] {
  if (status === undefined) return []
  return status === 'error' ? [isFailed] : [sql`NOT ${isFailed}`]
}

/** Walks the trees of the traces that may match: first for the slice, then from the anchors within it. */
function walkedTraces(query: MessageQuery, bounds: Bounds, read: ReadColumns): Sql {
  const { rows, slice, relations = [] } = query
  const spansets = combined(query)
  const tests = spanTests(query, read)
  const arrays: readonly ArrayColumn[] = [
    ...(read.steps === 'all' || read.columns.length > 0 || relations.some(isInTime) ? ['start' as const] : []),
    ...(read.stepServices ? ['service' as const] : []),
    ...(relations.length === 0 ? [] : ['ends' as const]),
    ...(spansets === undefined ? [] : ['spanset_bits' as const]),
  ]
  const ofAttributes = attributesOf(read).map((_, index) => attributeArray(index))
  const traceParts = [
    ...traceColumns(read.trace),
    traceArrays([...arrays, ...ofAttributes]),
    ...rootValues(read.columns),
  ]
  const where = readsStepsOnly(read) && !walksTrees(query) ? relatedSpans(query, tests) : sql`1`
  const having = [
    traceMayMatch(tests),
    ...compileFieldRows(rows, 'spans'),
    ...onlyFilter(query).flatMap(compileFieldsOf),
    ...(spansets === undefined ? [] : [spansetMayHold(spansets)]),
  ]
  const traces = sql`
    SELECT ${list([sql`trace_id`, ...traceParts])}
    FROM (${flaggedSpans(tests, bounds, where)})
    GROUP BY trace_id
    HAVING ${allOf(having)}
  `
  const anchors = sql`
    arrayMap(
      (flag, is_in_slice) -> toUInt8(bitTest(flag, 0) AND is_in_slice),
      flags,
      ${inSlice(slice)}
    ) AS anchors
  `
  const walkedColumns = [
    sql`trace_id`,
    ...traceColumnNames(read.trace),
    ...rootValueNames(read.columns),
    spanArrays([...arrays, ...ofAttributes]),
    anchors,
    ...relationColumns(relations),
    ...(spansets === undefined ? [sql`${matchedArray(query)} AS matched`] : []),
  ]
  const arraysOfTraces = sql`SELECT ${list(walkedColumns)} FROM (${traces})`
  const conditions = allOf([
    sql`has(anchors, 1)`,
    ...relationsHold(relations),
    ...(spansets === undefined ? [] : [sql`has(matched, 1)`]),
    ...statusIs(query, sql`(failed_step_count > 0)`),
    ...compileFieldRows(rows, 'steps'),
  ])
  return sql`
    SELECT ${list(columnsOfArrays(read))}
    FROM (${spansets === undefined ? arraysOfTraces : withSpanset(spansets, arraysOfTraces)})
    WHERE ${conditions}
  `
}

/** Returns the columns of a trace from its arrays and `matched`. */
function columnsOfArrays(read: ReadColumns): Sql[] {
  return [
    sql`trace_id`,
    ...traceColumnNames(read.trace),
    sql`arraySum(matched) AS step_count`,
    sql`arraySum((is_matched, flag) -> is_matched AND bitTest(flag, 1), matched, flags) AS failed_step_count`,
    ...(read.status ? [sql`failed_step_count > 0 AS is_failed`] : []),
    ...(read.steps === 'all'
      ? [sql`arrayFilter((step, is_matched) -> is_matched, arrayZip(starts, ids), matched) AS matched_steps`]
      : []),
    ...(read.stepServices ? [stepServicesOfArrays] : []),
    ...(read.columns.length === 0 ? [] : columnValuesOfArrays(read.columns)),
    ...carriedStepsOfArrays(read.carried),
  ]
}

const stepServicesOfArrays: Sql = sql`
  arrayDistinct(arrayFilter((service, is_matched) -> is_matched, services_of_spans, matched)) AS step_services
`

/** Selects the spans that decide a query with relations in time. Without positive rows, not every span does. */
function relatedSpans(query: MessageQuery, tests: SpanTests): Sql {
  const mayMatch = query.slice !== undefined || hasPositiveRow(query)
  return mayMatch ? decidingSpans(tests) : anyOf(unmatchedDecidingSpans(tests))
}

/** An array beside `ids` with 1 for the matched steps: anchors, spans below them, and steps that satisfy a relation. */
function matchedArray(query: MessageQuery): Sql {
  const { rows, relations = [] } = query
  const below = compileDescendants('anchors', sql`ids`, sql`parents`, sql`anchors`)
  const arrays = [
    ...(relations.length === 0 || hasPositiveRow(query) ? [{ name: sql`is_anchor`, array: sql`anchors` }] : []),
    ...(includesDescendants(rows) ? [{ name: sql`is_below`, array: below }] : []),
    ...relations.map((_, index) => ({ name: relatedName(index), array: relationColumn(index) })),
  ]
  const [only, ...more] = arrays
  if (only !== undefined && more.length === 0) return only.array
  const names = arrays.map(({ name }) => name)
  return sql`
    arrayMap(
      (${list(names)}) -> toUInt8(${joinSql(names, sql` OR `)}),
      ${list(arrays.map(({ array }) => array))}
    )
  `
}

/** Without positive rows every span is an anchor, but only the steps that satisfy a relation are matched steps. */
function hasPositiveRow({ rows, spansets }: MessageQuery): boolean {
  return spansets !== undefined || rows.some((row) => isStepRow(row) && !row.condition.negated)
}

function spanTests(query: MessageQuery, read: ReadColumns): SpanTests {
  const { rows, relations, slice, steps } = query
  const spansets = combined(query)
  const conditions = rows.filter(isStepRow).map((row) => row.condition)
  const negative = conditions.filter((condition) => condition.negated)
  const positive = [
    ...conditions.filter((condition) => !condition.negated).map(compileSpanCondition),
    ...onlyFilter(query).map(({ spans }) => compileSpanExpression(spans)),
    ...(steps === undefined ? [] : [isOneOf(steps)]),
  ]
  const refuting = negative.map((condition) => compileSpanCondition(positiveForm(condition)))
  return {
    ...(positive.length === 0 ? {} : { positive: allOf(positive) }),
    ...(refuting.length === 0 ? {} : { refuting: anyOf(refuting) }),
    ...(relations === undefined ? {} : { relations }),
    ...(slice === undefined ? {} : { slice }),
    ...(spansets === undefined ? {} : { spansets }),
    attributes: attributesOf(read),
  }
}

/** The number of possible span ids. */
const spanIds = 2n ** 64n

/**
 * Tests whether a span is one of some steps: whether the number of its trace, followed by its id, is one of theirs.
 * Such numbers are half as long as pairs of ids, in a parameter that may contain hundreds.
 */
function isOneOf(steps: readonly StepKey[]): Sql {
  const traceIds = [...new Set(steps.map(([traceId]) => traceId))]
  const numbers = new Map(traceIds.map((traceId, index) => [traceId, BigInt(index + 1)]))
  const keys = steps.map(([traceId, spanId]) => (numbers.get(traceId) ?? 0n) * spanIds + BigInt(spanId))
  const number = sql`indexOf(${param('Array(UInt128)', `[${traceIds.join()}]`)}, trace_id)`
  const key = sql`toUInt128(${number}) * ${param('UInt128', spanIds.toString())} + span_id`
  return sql`(${key} IN ${param('Array(UInt128)', `[${keys.join()}]`)})`
}
