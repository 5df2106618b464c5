/**
 * The time at which a row was stored. The column `stored_rank` counts it down in microseconds from `rankMax`, so that
 * of equal rows the one that was stored first remains (schema/migrations).
 */
import { fromStored, type Sql, sql, uint64 } from '../fragment.ts'

export const rankMax = 2n ** 64n - 1n

const nowMicros: Sql = sql`toUnixTimestamp64Micro(now64(6))`

/**
 * The time that a page of a search reflects, in microseconds since 1970: that of its scope, or else `latestMicros`.
 */
export const askedMicros: Sql = { parts: [{ kind: 'asked' }] }

/**
 * Now, or the time at which the newest row was stored if that is later. The clock may have been ahead when rows were
 * stored; a page that reflected only now would hide them. A skip index on `stored_rank` answers this without reading
 * rows unless there are such rows.
 */
export const latestMicros: Sql = sql`
  greatest(
    ${nowMicros},
    (
      SELECT toInt64(max(${uint64(rankMax)} - stored_rank))
      FROM ${fromStored('spans', sql`stored_rank < toUInt64(${uint64(rankMax)} - toUInt64(${nowMicros}))`)}
    )
  )
`
