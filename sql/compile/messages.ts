/**
 * Finds the messages that match a query (docs/semantics.md, section 6), one row per trace, in one pass over the spans
 * in scope. Rows of the filter become flags of spans, spans are grouped into traces, and conditions on a whole trace
 * become a HAVING clause. Only queries with descendants also walk the trees of the remaining traces.
 */
import { allOf, anyOf, type Bounds, list, param, perShard, type Sql, sql, uint64 } from '../fragment.ts'
import { positiveForm } from '../ir/condition.ts'
import type { MessageQuery } from '../ir/message-query.ts'
import type { Slice } from '../ir/slice.ts'
import { matchedStepIdsMax } from '../limits.ts'
import { compileSpanCondition } from './condition.ts'
import { compileAnyRule, compileMember, distinctServices, everyRuleSatisfied, includingRules } from './slice-rules.ts'
import { askedMicros } from './stored-rank.ts'
import { flaggedSpans, inSlice, type SpanTests, spanArrays, traceArrays, traceMayMatch } from './trace-arrays.ts'
import { compileDescendants } from './walk.ts'

/** The last message of a page in the order of a search. */
export interface PagePosition {
  readonly startedNs: bigint
  /** Decimal text of the UInt128. */
  readonly traceId: string
}

export interface CandidateOptions {
  readonly bounds: Bounds
  /** Selects only messages after this one. */
  readonly after?: PagePosition
  readonly limit: number
}

/** Selects `trace_id, started_ns, asked_micros` of the newest matching messages within the bounds. */
export function candidateMessages(query: MessageQuery, options: CandidateOptions): Sql {
  return newest(sql`trace_id, started_ns`, matchingTraces(query, options.bounds, 'start'), options)
}

/** Selects the columns of `messageDetails` and `asked_micros` of the newest matching messages within the bounds. */
export function newestMessages(query: MessageQuery, options: CandidateOptions): Sql {
  return newest(wholeColumns, matchingTraces(query, options.bounds, 'whole'), options)
}

/**
 * Selects `trace_id, asked_micros` of matching messages, up to a limit. They are sorted, so that no shard is cut off
 * while it responds, which would cost the server its connection to the shard (docs/decisions/0004-cluster.md).
 */
export function matchingTraceIds(query: MessageQuery, limit: number): Sql {
  return sql`
    SELECT trace_id, ${askedMicros} AS asked_micros
    FROM ${perShard(matchingTraces(query, {}, 'id'))}
    ORDER BY trace_id
    LIMIT ${uint64(limit)}
  `
}

function newest(columns: Sql, matching: Sql, { after, limit }: CandidateOptions): Sql {
  const isLater = after === undefined ? sql`1` : isAfter(after)
  return sql`
    SELECT ${columns}, ${askedMicros} AS asked_micros
    FROM ${perShard(matching)}
    WHERE ${isLater}
    ORDER BY started_ns DESC, trace_id DESC
    LIMIT ${uint64(limit)}
  `
}

function isAfter({ startedNs, traceId }: PagePosition): Sql {
  return sql`(started_ns, trace_id) < (${param('Int64', startedNs.toString())}, ${param('UInt128', traceId)})`
}

/** Selects the counts of a `MessageCountsRow` over all matching messages. */
export function messageCounts(query: MessageQuery): Sql {
  return sql`
    SELECT
      count() AS message_count,
      countIf(failed_step_count > 0) AS error_message_count,
      sum(step_count) AS matched_step_count,
      sum(failed_step_count) AS error_step_count
    FROM ${perShard(matchingTraces(query, {}, 'counts'))}
  `
}

/** Selects complete messages: those of these traces that match, in no particular order. */
export function messageDetails(query: MessageQuery, traceIds: readonly string[]): Sql {
  return sql`SELECT ${wholeColumns} FROM ${perShard(matchingTraces(query, { traceIds }, 'whole'))}`
}

/** The columns of a complete message, computed from the rows of `matchingTraces`. */
const wholeColumns: Sql = sql`
  trace_id,
  started_ns,
  ended_ns,
  root,
  services,
  span_count,
  error_count,
  step_count AS matched_step_count,
  failed_step_count AS error_step_count,
  arraySlice(
    arrayDistinct(arrayMap(step -> step.2, arraySort(matched_steps))),
    1,
    ${uint64(matchedStepIdsMax)}
  ) AS matched_step_ids
`

/** The columns to read for each matching trace, in addition to its step counts. */
type Detail = 'id' | 'counts' | 'start' | 'whole'

const startedColumn: Sql = sql`toUnixTimestamp64Nano(min(start)) AS started_ns`

/** Aggregates over all spans of a trace in scope, whether or not they match. */
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

/** The names of `traceColumns`, for use in an outer query. */
const traceColumnNames: Readonly<Record<Detail, readonly Sql[]>> = {
  id: [],
  counts: [],
  start: [sql`started_ns`],
  whole: [sql`started_ns`, sql`ended_ns`, sql`root`, sql`services`, sql`span_count`, sql`error_count`],
}

/**
 * Selects `trace_id`, the columns of `detail`, `step_count` and `failed_step_count` of each matching trace. With the
 * detail `whole`, also selects `matched_steps`, pairs of start and span id.
 */
function matchingTraces(query: MessageQuery, bounds: Bounds, detail: Detail): Sql {
  return walks(query) ? walkedTraces(query, bounds, detail) : groupedTraces(query, bounds, detail)
}

/** Reports whether it takes other spans of the trace to decide if a span is a matched step. */
function walks({ rows, slice }: MessageQuery): boolean {
  return includesDescendants(rows) || (slice !== undefined && includingRules(slice).length > 0)
}

function includesDescendants(rows: MessageQuery['rows']): boolean {
  return rows.some((row) => row.includesDescendants)
}

/** Finds traces by aggregating flags of spans. It requires that each span alone decides if it is a matched step. */
function groupedTraces(query: MessageQuery, bounds: Bounds, detail: Detail): Sql {
  const tests = spanTests(query)
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
  const where = detail === 'counts' || detail === 'id' ? decidingSpans(tests) : sql`1`
  return sql`
    SELECT ${list(columns)}
    FROM (${flaggedSpans(tests, bounds, where)})
    GROUP BY trace_id
    HAVING ${having}
  `
}

/** Counts the distinct spans, because one span may still be stored as two rows. */
function countedSteps(isCounted: Sql, name: Sql): Sql {
  return sql`length(arrayDistinct(groupArrayIf(span_id, ${isCounted}))) AS ${name}`
}

/** Selects the spans to group if only the steps of a trace are read: those that match or refute. */
function decidingSpans({ slice, positive, refuting }: SpanTests): Sql {
  return anyOf([slice === undefined ? positive : spansOfRules(slice), refuting])
}

/** With more services than this, planning their names takes longer than testing them first saves. */
const servicesTestedFirstMax = 16

/**
 * Selects the spans of the slice's rules. Reading attributes costs ten times as much as reading the service, so the
 * service is tested first and the rules only for spans with a matching service (docs/optimisations.md).
 */
function spansOfRules(slice: Slice): Sql {
  const isAnyRule = compileAnyRule(slice.rules)
  return distinctServices(slice).length > servicesTestedFirstMax ? isAnyRule : allOf([compileMember(slice), isAnyRule])
}

function statusIs({ status }: MessageQuery, isFailed: Sql): Sql[] {
  if (status === undefined) return []
  return status === 'error' ? [isFailed] : [sql`NOT ${isFailed}`]
}

/** Walks the trees of the traces that may match: first for the slice, then from the anchors within it. */
function walkedTraces(query: MessageQuery, bounds: Bounds, detail: Detail): Sql {
  const arrays = detail === 'whole' ? (['start'] as const) : []
  const traces = sql`
    SELECT ${list([sql`trace_id`, ...traceColumns[detail], traceArrays(arrays)])}
    FROM (${flaggedSpans(spanTests(query), bounds)})
    GROUP BY trace_id
    HAVING ${traceMayMatch(query.slice)}
  `
  const anchors = sql`
    arrayMap(
      (flag, is_in_slice) -> toUInt8(bitTest(flag, 0) AND is_in_slice),
      flags,
      ${inSlice(query.slice)}
    ) AS anchors
  `
  const walkedColumns = [sql`trace_id`, ...traceColumnNames[detail], spanArrays(arrays), anchors, matchedArray(query)]
  const columns = [
    sql`trace_id`,
    ...traceColumnNames[detail],
    sql`arraySum(matched) AS step_count`,
    sql`arraySum((is_matched, flag) -> is_matched AND bitTest(flag, 1), matched, flags) AS failed_step_count`,
    ...(detail === 'whole'
      ? [sql`arrayFilter((step, is_matched) -> is_matched, arrayZip(starts, ids), matched) AS matched_steps`]
      : []),
  ]
  return sql`
    SELECT ${list(columns)}
    FROM (SELECT ${list(walkedColumns)} FROM (${traces}))
    WHERE ${allOf([sql`has(anchors, 1)`, ...statusIs(query, sql`(failed_step_count > 0)`)])}
  `
}

function matchedArray({ rows }: MessageQuery): Sql {
  if (!includesDescendants(rows)) return sql`anchors AS matched`
  const below = compileDescendants('anchors', sql`ids`, sql`parents`, sql`anchors`)
  return sql`
    arrayMap(
      (is_anchor, is_below) -> toUInt8(is_anchor OR is_below),
      anchors,
      ${below}
    ) AS matched
  `
}

function spanTests({ rows, slice }: MessageQuery): SpanTests {
  const conditions = rows.map((row) => row.condition)
  const positive = conditions.filter((condition) => !condition.negated)
  const negative = conditions.filter((condition) => condition.negated)
  return {
    positive: allOf(positive.map(compileSpanCondition)),
    refuting: anyOf(negative.map((condition) => compileSpanCondition(positiveForm(condition)))),
    ...(slice === undefined ? {} : { slice }),
  }
}
