import { type Sql, sql } from './fragment.ts'

/**
 * For `quantileExact`, by nearest rank: it takes the element at floor(level x count) from 0, which for a level just below
 * 95 % is the one at ceil(95 % of count) from 1, for any count up to 10^10. It finds it without sorting all others.
 */
export const p95Level: Sql = sql`0.949999999999`
export const p50Level: Sql = sql`0.499999999999`
export const p99Level: Sql = sql`0.989999999999`
