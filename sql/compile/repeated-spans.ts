/**
 * Spans that were sent again with another start. The sort key contains the start rounded to ten seconds, so storage
 * keeps a row for each such interval. Of the rows of a span, the one stored first counts (docs/semantics.md, section
 * 1). Ingest lists all others in `repeated_spans` before it acknowledges them, and every read of spans excludes these.
 */
import { type Bounds, fromScoped, fromUnrestricted, onSameShard, param, perShard, type Sql, sql } from '../fragment.ts'

/**
 * Tests whether a row of `spans` is the first that was stored of its span. Without repeated spans in the bounds, the
 * condition is constant, so that it reads no columns.
 */
export function isFirstStored(bounds: Pick<Bounds, 'fromNs' | 'toNs'>): Sql {
  const repeats = fromUnrestricted('repeated_spans', sql`1`, bounds)
  const listed = sql`SELECT trace_id, span_id, start FROM ${repeats}`
  return sql`
    (
      NOT EXISTS (SELECT 1 FROM ${repeats})
      OR (trace_id, span_id, start) NOT IN ${onSameShard(listed)}
    )
  `
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
