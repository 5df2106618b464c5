/**
 * Which series have points in a window. The rows of a series and a day are merged at some time (schema/migrations), and
 * the merged row also covers the time between its points. Without this condition, an answer would change by a merge.
 */
import { allOf, anyOf, fromScoped, fromStored, int64, onSameShard, type Sql, sql } from '../fragment.ts'
import type { TimeWindow } from '../ir/scope.ts'

/**
 * Tests a row of `metric_series` that reaches into the window. Both times of a row are those of points, so the points
 * are only read for rows that begin before the window and end after it. `fit` selects the points to read, by columns
 * that both tables have.
 */
export function seriesWithPoints({ fromNs, toNs }: TimeWindow, fit: Sql): Sql {
  const endsInside = anyOf([
    sql`first_seen >= fromUnixTimestamp64Nano(${int64(fromNs)}, 'UTC')`,
    sql`last_seen < fromUnixTimestamp64Nano(${int64(toNs)}, 'UTC')`,
  ])
  const around = sql`SELECT series FROM ${fromScoped('metric_series', allOf([fit, sql`NOT ${endsInside}`]))}`
  const ofAround = allOf([fit, sql`series IN ${onSameShard(around)}`])
  const withPoints = sql`SELECT series FROM ${fromStored('metric_points', ofAround)}`
  return anyOf([endsInside, sql`series IN ${onSameShard(withPoints)}`])
}
