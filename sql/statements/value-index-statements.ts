/**
 * Statements that add spans to the value index which were stored without entries, or without the keys of their values:
 * by an earlier version, or while the index was off. They concern all organizations.
 */

import { rankMax } from '../compile/stored-rank.ts'
import { type Query, render, type Sql, sql, uint64 } from '../fragment.ts'
import { integerLiteral, tableName } from '../identifier.ts'

/** A day of spans without entries. */
export interface UnindexedDay {
  /** The partition of the table, such as `20260921`. */
  readonly day: number
  /** The number of spans, as a decimal text. */
  readonly spans: string
}

/** Reads the `rank` above which rows were stored at least some seconds ago. */
export function storedRankBefore(seconds: number): Query {
  return render(sql`
    SELECT
      toString(
        toUInt64(${uint64(rankMax)} - toUInt64(toUnixTimestamp64Micro(now64(6))) + ${uint64(seconds * 1e6)})
      ) AS rank
  `)
}

/** Reads the days on which spans start that have no entries, newest first. */
export function unindexedDays(rankMin: string): Query {
  return render(sql`
    SELECT toYYYYMMDD(start) AS day, toString(count()) AS spans
    FROM ${tableName('spans')}
    WHERE ${isUnindexed(rankMin)}
    GROUP BY day
    ORDER BY day DESC
  `)
}

/** A span without entries: its columns as RowBinary, in base64. */
export interface UnindexedSpanRow {
  readonly row: string
}

/**
 * Reads an `UnindexedSpanRow` for each span of a day without entries: the first columns of its origin, then `trace_id`,
 * `start`, `name`, `status_message` and `attributes`. ClickHouse takes seven times as long for attributes as text.
 */
export function unindexedSpans(day: number, rankMin: string): Query {
  return render(sql`
    SELECT
      base64Encode(
        formatRow(
          'RowBinary',
          org, service, resource_attributes, scope_name, trace_id, start, name, status_message, attributes
        )
      ) AS row
    FROM ${tableName('spans')}
    WHERE toYYYYMMDD(start) = ${integerLiteral(day)} AND ${isUnindexed(rankMin)}
  `)
}

/** Records that spans have entries, after these are stored. Resolves when ClickHouse has rewritten the column. */
export function markIndexed(day: number, rankMin: string): Query {
  return render(sql`
    ALTER TABLE ${tableName('spans')} UPDATE is_indexed = 2
    IN PARTITION ${integerLiteral(day)}
    WHERE ${isUnindexed(rankMin)}
    SETTINGS mutations_sync = 2
  `)
}

/**
 * Records that spans may have no entries: those that started more than `days` days ago, or all. Searches then read them
 * without the index, until `tracefold migrate --backfill` adds their entries again.
 */
export function forgetEntries(days?: number): Query {
  const older = days === undefined ? sql`1` : sql`start < now64(9, 'UTC') - toIntervalDay(${integerLiteral(days)})`
  return render(sql`
    ALTER TABLE ${tableName('spans')} UPDATE is_indexed = 0
    WHERE is_indexed != 0 AND ${older}
    SETTINGS mutations_sync = 2
  `)
}

/** `rankMin` is the smallest `stored_rank`, as `storedRankBefore` reads it. */
function isUnindexed(rankMin: string): Sql {
  return sql`is_indexed < 2 AND stored_rank >= ${uint64(BigInt(rankMin))}`
}
