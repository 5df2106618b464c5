/** Statements about the stored spans of all organizations, by which a server learns what it need not ask again. */
import { rankMax } from '../compile/stored-rank.ts'
import { type Query, render, sql, uint64 } from '../fragment.ts'
import { tableName } from '../identifier.ts'

/** The row of `storedSpans`. */
export interface StoredSpansRow {
  /** When the newest row was stored, in microseconds since 1970, if that is later than now; otherwise 0. */
  readonly newest_micros: string
  /** 1 if there is a span without entries in the value index. */
  readonly has_unindexed: number
  /** The organizations with repeated spans. */
  readonly repeating: readonly string[]
}

/** Reads a `StoredSpansRow`. Skip indexes answer for spans, unless some were stored later than now. */
export function storedSpans(): Query {
  const spans = tableName('spans')
  const isLater = sql`stored_rank < toUInt64(${uint64(rankMax)} - toUInt64(toUnixTimestamp64Micro(now64(6))))`
  return render(sql`
    SELECT
      (SELECT toString(max(${uint64(rankMax)} - stored_rank)) FROM ${spans} WHERE ${isLater}) AS newest_micros,
      EXISTS (SELECT 1 FROM ${spans} WHERE is_indexed = 0) AS has_unindexed,
      (SELECT groupUniqArray(org) FROM ${tableName('repeated_spans')}) AS repeating
  `)
}
