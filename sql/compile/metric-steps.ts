import { int64, type Sql, sql } from '../fragment.ts'
import type { MetricQuery } from '../ir/metric-query.ts'

/** When the step begins in which `ns` lies. */
export function stepOf({ bucketNs, window }: MetricQuery): Sql {
  if (bucketNs === undefined) return sql`${int64(window.fromNs)}`
  return sql`intDiv(ns, ${int64(bucketNs)}) * ${int64(bucketNs)}`
}
