/**
 * Spans that were sent again with another start. The sort key contains the start rounded to ten seconds, so storage
 * keeps a row for each such interval. Of the rows of a span, the one stored first counts (docs/semantics.md, section
 * 1). Ingest lists all others in `repeated_spans` before it acknowledges them, and every read of spans excludes these.
 */
import { type Bounds, fromScoped, fromUnrestricted, onSameShard, param, perShard, type Sql, sql } from '../fragment.ts'

/**
 * Tests whether no span within the bounds is repeated. The condition is constant, so that a query with it as an
 * alternative reads no columns for the other one. ClickHouse evaluates it once, where the query arrives, so on a
 * cluster it must read the repeated spans of all shards. It counts them, because `EXISTS` leaves a shard at the first
 * row, and then, rarely, the rest of the query returned nothing of that shard (docs/decisions/0004-cluster.md).
 */
export function isWithoutRepeats(bounds: Pick<Bounds, 'fromNs' | 'toNs'>): Sql {
  const repeats = sql`SELECT count() AS repeats FROM ${fromUnrestricted('repeated_spans', sql`1`, bounds)}`
  return sql`(SELECT sum(repeats) FROM ${perShard(repeats)}) = 0`
}

/** Tests whether a row of `spans` is the first that was stored of its span. */
export function isFirstStored(bounds: Pick<Bounds, 'fromNs' | 'toNs'>): Sql {
  const listed = sql`SELECT trace_id, span_id, start FROM ${fromUnrestricted('repeated_spans', sql`1`, bounds)}`
  return sql`(trace_id, span_id, start) NOT IN ${onSameShard(listed)}`
}

/** A row of `repeatsOfTraces`. Integers are texts. */
export interface RepeatRow {
  readonly trace_id: string
  readonly span_id: string
  readonly start_ns: string
}

const interval = sql`toStartOfInterval(start, toIntervalSecond(10))`

/**
 * Selects a `RepeatRow` for every row of the given spans that was stored after another row of its span and is not
 * listed yet. Reads `spans` only for traces in several intervals, and only these intervals. Groups the given spans
 * alone, because a trace may have millions.
 */
export function repeatsOfTraces(traceIds: readonly string[], spanIds: readonly string[]): Sql {
  const ids = param('Array(UInt128)', `[${traceIds.join(',')}]`)
  const isGiven = sql`span_id IN ${param('Array(UInt64)', `[${spanIds.join(',')}]`)}`
  const spread = sql`
    SELECT trace_id, groupUniqArray(${interval}) AS intervals
    FROM ${fromScoped('trace_intervals', sql`trace_id IN ${ids}`)}
    GROUP BY trace_id
    HAVING length(intervals) > 1
  `
  const intervals = sql`SELECT arrayJoin(intervals), trace_id FROM (${spread})`
  const firstStoredFirst = sql`
    arraySort(row -> (18446744073709551615 - row.1, row.2), groupArray((stored_rank, start)))
  `
  const repeats = sql`
    SELECT trace_id, span_id, arrayJoin(arrayPopFront(${firstStoredFirst})).2 AS repeated_start
    FROM ${fromScoped('spans', sql`(${interval}, trace_id) IN ${onSameShard(intervals)} AND ${isGiven}`)}
    GROUP BY trace_id, span_id
    HAVING count() > 1
  `
  return sql`
    SELECT trace_id, span_id, toUnixTimestamp64Nano(repeated_start) AS start_ns
    FROM ${perShard(repeats)}
  `
}
