import { type Sql, sql } from './fragment.ts'

/**
 * Levels of `quantileExact` for percentiles by nearest rank. The function takes the element at floor(level * count),
 * counted from 0. With a level just below 95 %, that is the element at ceil(95 % of count), counted from 1, for any
 * count up to 10^10. `quantileExact` finds it without sorting all elements.
 */
export const p95Level: Sql = sql`0.949999999999`
export const p50Level: Sql = sql`0.499999999999`
export const p99Level: Sql = sql`0.989999999999`
