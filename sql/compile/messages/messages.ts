/** Queries for messages: one row per trace that matches (docs/semantics.md, section 6). */
import { type Bounds, param, perShard, type Sql, sql, uint64 } from '../../fragment.ts'
import type { Attribute } from '../../ir/condition.ts'
import type { MessageQuery } from '../../ir/message-query.ts'
import { matchedStepIdsMax } from '../../limits.ts'
import { askedMicros } from '../stored-rank.ts'
import { matchingTraces } from './matching-traces.ts'
import type { SelectedColumns } from './selected-columns.ts'

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

/** Attributes that complete messages include as columns. */
type Columns = readonly Attribute[]

/** Selects `trace_id, started_ns, asked_micros` of the newest matching messages within the bounds. */
export function candidateMessages(query: MessageQuery, options: CandidateOptions): Sql {
  return newest(sql`trace_id, started_ns`, matchingTraces(query, options.bounds, { trace: ['started_ns'] }), options)
}

/** Selects the columns of `messageDetails` and `asked_micros` of the newest matching messages within the bounds. */
export function newestMessages(query: MessageQuery, options: CandidateOptions, columns: Columns = []): Sql {
  return newest(wholeColumns(columns), matchingTraces(query, options.bounds, { ...whole, columns }), options)
}

/**
 * Selects `trace_id, asked_micros` of matching messages, up to a limit. They are sorted, so that no shard is cut off
 * while it responds, which would cost the server its connection to the shard (docs/decisions/0004-cluster.md).
 */
export function matchingTraceIds(query: MessageQuery, limit: number): Sql {
  return sql`
    SELECT trace_id, ${askedMicros} AS asked_micros
    FROM ${perShard(matchingTraces(query, {}, {}))}
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

/**
 * Selects the counts of a `MessageCountsRow` over all matching messages. `bounds` must contain the whole population of
 * every matching trace, or all its matched steps if no row is negative and nothing depends on other spans.
 */
export function messageCounts(query: MessageQuery, bounds: Bounds = {}): Sql {
  return sql`
    SELECT ${countsOfMessages}
    FROM ${perShard(matchingTraces(query, bounds, { steps: 'counts' }))}
  `
}

/** The columns of a `MessageCountsRow`, over traces with the counts of their steps. */
export const countsOfMessages: Sql = sql`
  count() AS message_count,
  countIf(failed_step_count > 0) AS error_message_count,
  sum(step_count) AS matched_step_count,
  sum(failed_step_count) AS error_step_count
`

/**
 * Selects complete messages in no particular order. The bounds name the traces to read, and include all their spans.
 */
export function messageDetails(query: MessageQuery, bounds: Bounds, columns: Columns = []): Sql {
  const matching = matchingTraces(query, bounds, { ...whole, columns })
  return sql`SELECT ${wholeColumns(columns)} FROM ${perShard(matching)}`
}

/** A row of `messagePositions`. Integers of 64 bits and more are texts. */
export interface MessagePositionRow {
  readonly trace_id: string
  readonly started_ns: string
  /** The start of the last span. */
  readonly last_started_ns: string
  /** See `askedMicros`; the same in every row. */
  readonly asked_micros: string
}

/**
 * Selects the first matching messages in an order, up to a limit. The bounds must contain all spans of every matching
 * message.
 */
export function messagePositions(
  query: MessageQuery,
  order: 'newest' | 'oldest',
  limit: number,
  bounds: Bounds = {},
): Sql {
  const columns = matchingTraces(query, bounds, { trace: ['started_ns', 'last_started_ns'] })
  const ordered = order === 'newest' ? sql`started_ns DESC, trace_id DESC` : sql`started_ns, trace_id DESC`
  return sql`
    SELECT trace_id, started_ns, last_started_ns, ${askedMicros} AS asked_micros
    FROM ${perShard(columns)}
    ORDER BY ${ordered}
    LIMIT ${uint64(limit)}
  `
}

/** Selects the `span_id` of every matched step of a trace. There are no rows for a trace that does not match. */
export function matchedSteps(query: MessageQuery, traceId: string): Sql {
  return sql`
    SELECT DISTINCT arrayJoin(matched_steps).2 AS span_id
    FROM ${perShard(matchingTraces(query, { traceIds: [traceId] }, { steps: 'all' }))}
  `
}

/** The columns of `matchingTraces` from which a complete message is computed. */
const whole: SelectedColumns = {
  trace: ['started_ns', 'ended_ns', 'root', 'services', 'span_count', 'error_count'],
  steps: 'all',
}

/** The columns of a complete message, computed from the rows of `matchingTraces`. */
function wholeColumns(columns: Columns): Sql {
  return columns.length === 0 ? messageColumns : sql`${messageColumns}, column_values`
}

const messageColumns: Sql = sql`
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
