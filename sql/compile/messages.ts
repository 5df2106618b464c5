/**
 * Messages that match a query (semantics, section 6), one row a trace, in one pass over the population: rows become
 * flags of spans, spans are grouped into traces, and what is claimed of a whole trace is a HAVING. Only queries about
 * descendants also walk the trees of the traces that are left.
 */
import { allOf, anyOf, type Bounds, list, param, perShard, type Sql, sql, uint64 } from '../fragment.ts'
import { positiveForm } from '../ir/condition.ts'
import type { MessageQuery } from '../ir/message-query.ts'
import type { Slice } from '../ir/slice.ts'
import { matchedStepIdsMax } from '../limits.ts'
import { compileSpanCondition } from './condition.ts'
import { compileAnyRule, compileMember, distinctServices, includingRules } from './rule.ts'
import {
  everyRuleSatisfied,
  inSlice,
  type StepQuestion,
  spanArrays,
  stepRows,
  traceArrays,
  traceMayMatch,
} from './trace-arrays.ts'
import { compileDescendants } from './walk.ts'

/** Where a page goes on: after this message, in the order of a search. */
export interface PagePosition {
  readonly startedNs: bigint
  /** Decimal text of the UInt128. */
  readonly traceId: string
}

export interface CandidateOptions {
  readonly bounds: Bounds
  readonly after?: PagePosition
  readonly limit: number
}

/** Selects `trace_id, started_ns, asked_micros` of the newest matching messages, of what lies in the bounds. */
export function candidateMessages(query: MessageQuery, options: CandidateOptions): Sql {
  return newest(sql`trace_id, started_ns`, matchingTraces(query, options.bounds, 'start'), options)
}

/** The same, with the columns of `messageDetails`. */
export function newestMessages(query: MessageQuery, options: CandidateOptions): Sql {
  return newest(wholeColumns, matchingTraces(query, options.bounds, 'whole'), options)
}

/**
 * Selects `trace_id, asked_micros` of so many matching messages at most, whichever they are. They are sorted so that no shard
 * is cut short while it answers, which costs it its connection (docs/decisions/0004-cluster.md).
 */
export function matchingTraceIds(query: MessageQuery, limit: number): Sql {
  return sql`SELECT trace_id, toUnixTimestamp64Micro(now64(6)) AS asked_micros FROM ${perShard(matchingTraces(query, {}, 'id'))} ORDER BY trace_id LIMIT ${uint64(limit)}`
}

function newest(columns: Sql, matching: Sql, { after, limit }: CandidateOptions): Sql {
  const later = after === undefined ? sql`1` : isAfter(after)
  return sql`SELECT ${columns}, toUnixTimestamp64Micro(now64(6)) AS asked_micros FROM ${perShard(matching)} WHERE ${later} ORDER BY started_ns DESC, trace_id DESC LIMIT ${uint64(limit)}`
}

function isAfter({ startedNs, traceId }: PagePosition): Sql {
  return sql`(started_ns, trace_id) < (${param('Int64', startedNs.toString())}, ${param('UInt128', traceId)})`
}

/** Selects the four counts over all matching messages. */
export function messageCounts(query: MessageQuery): Sql {
  return sql`SELECT count() AS message_count, countIf(failed_step_count > 0) AS error_message_count, sum(step_count) AS matched_step_count, sum(failed_step_count) AS error_step_count FROM ${perShard(matchingTraces(query, {}, 'counts'))}`
}

/** Selects the messages of these traces that match, whole, in no order. */
export function messageDetails(query: MessageQuery, traceIds: readonly string[]): Sql {
  return sql`SELECT ${wholeColumns} FROM ${perShard(matchingTraces(query, { traceIds }, 'whole'))}`
}

const matchedStepIds: Sql = sql`arraySlice(arrayDistinct(arrayMap(step -> step.2, arraySort(matched_steps))), 1, ${uint64(matchedStepIdsMax)}) AS matched_step_ids`

/** Of a row of `matchingTraces` with whole traces. */
const wholeColumns: Sql = sql`trace_id, started_ns, ended_ns, root, services, span_count, error_count, step_count AS matched_step_count, failed_step_count AS error_step_count, ${matchedStepIds}`

/** What is read of each matching trace beside its step counts. */
type Detail = 'id' | 'counts' | 'start' | 'whole'

const startedColumn: Sql = sql`toUnixTimestamp64Nano(min(start)) AS started_ns`

/** Aggregates over all spans of a trace in the population, whatever of them matched. */
const traceColumns: Readonly<Record<Detail, readonly Sql[]>> = {
  id: [],
  counts: [],
  start: [startedColumn],
  whole: [
    startedColumn,
    sql`max(toUnixTimestamp64Nano(start) + toInt64(duration_ns)) AS ended_ns`,
    sql`argMin((service, name), (parent_id != 0, start, span_id)) AS root`,
    sql`groupUniqArray(service) AS services`,
    sql`uniqExact(span_id) AS span_count`,
    sql`uniqExactIf(span_id, status = 2) AS error_count`,
  ],
}

/** The names of `traceColumns`, to pass them on. */
const traceColumnNames: Readonly<Record<Detail, readonly Sql[]>> = {
  id: [],
  counts: [],
  start: [sql`started_ns`],
  whole: [sql`started_ns`, sql`ended_ns`, sql`root`, sql`services`, sql`span_count`, sql`error_count`],
}

/**
 * Per matching trace: `trace_id`, the columns of `detail`, `step_count` and `failed_step_count`; with a whole
 * trace also `matched_steps`, pairs of start and span id.
 */
function matchingTraces(query: MessageQuery, bounds: Bounds, detail: Detail): Sql {
  return walks(query) ? walkedTraces(query, bounds, detail) : groupedTraces(query, bounds, detail)
}

/** Whether other spans of the trace decide if a span is a matched step. */
function walks({ rows, slice }: MessageQuery): boolean {
  return includesDescendants(rows) || (slice !== undefined && includingRules(slice).length > 0)
}

function includesDescendants(rows: MessageQuery['rows']): boolean {
  return rows.some((row) => row.includesDescendants)
}

/** Every span decides for itself, so aggregates of flags are enough. */
function groupedTraces(query: MessageQuery, bounds: Bounds, detail: Detail): Sql {
  const question = questionOf(query)
  const isMatched = query.slice === undefined ? sql`bitTest(flags, 0)` : sql`bitAnd(flags, 5) = 5`
  const isFailed = sql`${isMatched} AND bitTest(flags, 1)`
  const columns = [
    sql`trace_id`,
    ...traceColumns[detail],
    ...(detail === 'counts' || detail === 'whole'
      ? [countedSteps(isMatched, sql`step_count`), countedSteps(isFailed, sql`failed_step_count`)]
      : []),
    ...(detail === 'whole' ? [sql`arrayDistinct(groupArrayIf((start, span_id), ${isMatched})) AS matched_steps`] : []),
  ]
  const having = allOf([
    sql`max(${isMatched})`,
    sql`NOT max(is_refuting)`,
    ...everyRuleSatisfied(query.slice),
    ...statusIs(query, sql`max(${isFailed})`),
  ])
  const needed = detail === 'counts' || detail === 'id' ? decidingRows(question) : sql`1`
  return sql`SELECT ${list(columns)} FROM (${stepRows(question, bounds, needed)}) GROUP BY trace_id HAVING ${having}`
}

/** Two rows of one span, where they are still two, count once. */
function countedSteps(isCounted: Sql, name: Sql): Sql {
  return sql`length(arrayDistinct(groupArrayIf(span_id, ${isCounted}))) AS ${name}`
}

/** Where nothing is told of a trace but its steps, all other rows need not be grouped. */
function decidingRows({ slice, positive, refuting }: StepQuestion): Sql {
  return anyOf([slice === undefined ? positive : rowsOfRules(slice), refuting])
}

/** Beyond so many, planning their names takes longer than is gained. */
const servicesAskedFirstMax = 16

/**
 * Attributes cost ten times what the service does, so the rules are asked only of spans whose service fits one
 * (docs/optimisations.md).
 */
function rowsOfRules(slice: Slice): Sql {
  const isAnyRule = compileAnyRule(slice.rules)
  return distinctServices(slice).length > servicesAskedFirstMax ? isAnyRule : allOf([compileMember(slice), isAnyRule])
}

function statusIs({ status }: MessageQuery, isFailed: Sql): Sql[] {
  if (status === undefined) return []
  return status === 'error' ? [isFailed] : [sql`NOT ${isFailed}`]
}

/** The trees of the traces that may match are walked: first for the slice, then from the anchors that lie in it. */
function walkedTraces(query: MessageQuery, bounds: Bounds, detail: Detail): Sql {
  const arrays = detail === 'whole' ? (['start'] as const) : []
  const rows = stepRows(questionOf(query), bounds)
  const traces = sql`SELECT ${list([sql`trace_id`, ...traceColumns[detail], traceArrays(arrays)])} FROM (${rows}) GROUP BY trace_id HAVING ${traceMayMatch(query.slice)}`
  const anchors = sql`arrayMap((flag, is_in_slice) -> toUInt8(bitTest(flag, 0) AND is_in_slice), flags, ${inSlice(query.slice)}) AS anchors`
  const walked = sql`SELECT ${list([sql`trace_id`, ...traceColumnNames[detail], spanArrays(arrays), anchors, matchedArray(query)])} FROM (${traces})`
  const columns = [
    sql`trace_id`,
    ...traceColumnNames[detail],
    sql`arraySum(matched) AS step_count`,
    sql`arraySum((is_matched, flag) -> is_matched AND bitTest(flag, 1), matched, flags) AS failed_step_count`,
    ...(detail === 'whole'
      ? [sql`arrayFilter((step, is_matched) -> is_matched, arrayZip(starts, ids), matched) AS matched_steps`]
      : []),
  ]
  const where = allOf([sql`has(anchors, 1)`, ...statusIs(query, sql`(failed_step_count > 0)`)])
  return sql`SELECT ${list(columns)} FROM (${walked}) WHERE ${where}`
}

function matchedArray({ rows }: MessageQuery): Sql {
  if (!includesDescendants(rows)) return sql`anchors AS matched`
  const below = compileDescendants('anchors', sql`ids`, sql`parents`, sql`anchors`)
  return sql`arrayMap((is_anchor, is_below) -> toUInt8(is_anchor OR is_below), anchors, ${below}) AS matched`
}

function questionOf({ rows, slice }: MessageQuery): StepQuestion {
  const conditions = rows.map((row) => row.condition)
  const positive = conditions.filter((condition) => !condition.negated)
  const negative = conditions.filter((condition) => condition.negated)
  return {
    positive: allOf(positive.map(compileSpanCondition)),
    refuting: anyOf(negative.map((condition) => compileSpanCondition(positiveForm(condition)))),
    ...(slice === undefined ? {} : { slice }),
  }
}
