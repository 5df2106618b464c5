/**
 * Spans that were sent again with another start. The sort key contains the start rounded to ten seconds, so storage
 * keeps a row for each start. Queries about single spans exclude the rows stored later (docs/semantics.md, section 4);
 * queries about traces count the distinct ids of a trace.
 */
import { type Bounds, fromUnrestricted, onSameShard, type Sql, sql } from '../fragment.ts'

/**
 * Tests whether a row is the first that was stored of its span. Only a trace whose rows start in different intervals of
 * the sort key can have several rows of a span, so ids are counted in those traces alone.
 */
export function isFirstStored(bounds: Bounds = {}): Sql {
  return sql`((trace_id, span_id, start) NOT IN ${onSameShard(rowsStoredLater(bounds))})`
}

/** Selects trace id, span id and start of every row but the first of each span. */
function rowsStoredLater(bounds: Bounds): Sql {
  const rows = sql`arraySort(row -> (18446744073709551615 - row.1, row.2), groupArray((stored_rank, start)))`
  return sql`
    SELECT trace_id, span_id, arrayJoin(arrayPopFront(arrayMap(row -> row.2, ${rows}))) AS later_start
    FROM ${fromUnrestricted('spans', sql`trace_id IN ${onSameShard(tracesWithRepeats(bounds))}`, bounds)}
    GROUP BY trace_id, span_id
    HAVING count() > 1
  `
}

function tracesWithRepeats(bounds: Bounds): Sql {
  const interval = (time: Sql) => sql`intDiv(toUnixTimestamp64Nano(${time}), 10000000000)`
  const spread = sql`
    SELECT trace_id
    FROM ${fromUnrestricted('spans', sql`1`, bounds)}
    GROUP BY trace_id
    HAVING ${interval(sql`min(start)`)} != ${interval(sql`max(start)`)}
  `
  return sql`
    SELECT trace_id
    FROM ${fromUnrestricted('spans', sql`trace_id IN ${onSameShard(spread)}`, bounds)}
    GROUP BY trace_id
    HAVING count() != uniqExact(span_id)
  `
}
