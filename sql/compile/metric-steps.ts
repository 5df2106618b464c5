import { int64, type Sql, sql } from '../fragment.ts'
import type { MetricQuery } from '../ir/metric-query.ts'

/** When the step begins in which `ns` lies. */
export function stepOf({ stepNs, window }: MetricQuery): Sql {
  if (stepNs === undefined) return sql`${int64(window.fromNs)}`
  return sql`intDiv(ns, ${int64(stepNs)}) * ${int64(stepNs)}`
}
