import { type Sql, sql } from '../fragment.ts'

/** Of the rows of a group, exactly: the smallest `duration` that at least so many percent of the durations do not exceed. */
export function nearestRank(percent: Sql): Sql {
  return sql`arraySort(groupArray(duration))[toUInt64(ceil(count() * ${percent} / 100))]`
}
