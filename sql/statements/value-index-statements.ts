/**
 * Statements that add records to the value index which were stored without entries, or without the keys of their
 * values: by an earlier version, or while the index was off. They concern all organizations.
 */

import { rankMax } from '../compile/stored-rank.ts'
import { type Query, render, type Sql, sql, uint64 } from '../fragment.ts'
import { integerLiteral, tableName, timeOf } from '../identifier.ts'
import type { IndexedTable } from '../value-hash.ts'

/** A day of records without entries. */
export interface UnindexedDay {
  /** The partition of the table, such as `20260921`. */
  readonly day: number
  /** The number of records, as a decimal text. */
  readonly records: string
}

/** Tells which rows were stored before a time: spans with a larger `stored_rank`, log records with a smaller `id`. */
export interface StoredBeforeRow {
  readonly rank: string
  readonly id: string
}

/** Reads a `StoredBeforeRow` for the time some seconds ago. */
export function storedBefore(seconds: number): Query {
  return render(sql`
    SELECT
      toString(
        toUInt64(${uint64(rankMax)} - toUInt64(toUnixTimestamp64Micro(now64(6))) + ${uint64(seconds * 1e6)})
      ) AS rank,
      toString(dateTime64ToSnowflakeID(now64(3) - toIntervalSecond(${uint64(seconds)}))) AS id
  `)
}

/** Reads the days of the records of a table that have no entries, newest first. */
export function unindexedDays(table: IndexedTable, before: StoredBeforeRow): Query {
  return render(sql`
    SELECT toYYYYMMDD(${timeOf(table)}) AS day, toString(count()) AS records
    FROM ${tableName(table)}
    WHERE ${isUnindexed(table, before)}
    GROUP BY day
    ORDER BY day DESC
  `)
}

/** A record without entries: its columns as RowBinary, in base64. */
export interface UnindexedRow {
  readonly row: string
}

/** The columns of each table whose texts are indexed by themselves, in the order of an `UnindexedRow`. */
const intrinsicColumns = { spans: sql`name, status_message`, log_records: sql`severity_text` }

/** The value of `is_indexed` of records whose entries are complete. */
const indexedMarks = { spans: 2, log_records: 1 } as const

/**
 * Reads an `UnindexedRow` for each record of a day without entries: the first columns of its origin, then its trace id,
 * its time, its intrinsics and `attributes`. ClickHouse takes seven times as long for attributes as text.
 */
export function unindexedRecords(table: IndexedTable, day: number, before: StoredBeforeRow): Query {
  const at = timeOf(table)
  return render(sql`
    SELECT
      base64Encode(
        formatRow(
          'RowBinary',
          org, service, resource_attributes, scope_name, trace_id, ${at}, ${intrinsicColumns[table]}, attributes
        )
      ) AS row
    FROM ${tableName(table)}
    WHERE toYYYYMMDD(${at}) = ${integerLiteral(day)} AND ${isUnindexed(table, before)}
  `)
}

/** Notes that records have entries, after these are stored. Resolves when ClickHouse has rewritten the column. */
export function markIndexed(table: IndexedTable, day: number, before: StoredBeforeRow): Query {
  return render(sql`
    ALTER TABLE ${tableName(table)} UPDATE is_indexed = ${integerLiteral(indexedMarks[table])}
    IN PARTITION ${integerLiteral(day)}
    WHERE ${isUnindexed(table, before)}
    SETTINGS mutations_sync = 2
  `)
}

/**
 * Notes that records of a table may have no entries: those from more than `days` days ago, or all. Searches then read
 * them without the index, until `tracefold migrate --backfill` adds their entries again.
 */
export function forgetEntries(table: IndexedTable, days?: number): Query {
  const since = sql`now64(9, 'UTC') - toIntervalDay(${integerLiteral(days ?? 0)})`
  const older = days === undefined ? sql`1` : sql`${timeOf(table)} < ${since}`
  return render(sql`
    ALTER TABLE ${tableName(table)} UPDATE is_indexed = 0
    WHERE is_indexed != 0 AND ${older}
    SETTINGS mutations_sync = 2
  `)
}

function isUnindexed(table: IndexedTable, { rank, id }: StoredBeforeRow): Sql {
  const isSettled = table === 'spans' ? sql`stored_rank >= ${uint64(BigInt(rank))}` : sql`id < ${uint64(BigInt(id))}`
  return sql`is_indexed < ${integerLiteral(indexedMarks[table])} AND ${isSettled}`
}
