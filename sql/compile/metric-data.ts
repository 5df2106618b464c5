/** Values of one stream of a metric over time. What points say stands in metric-values.ts and metric-increase.ts. */
import { int64, joinSql, list, type Sql, sql } from '../fragment.ts'
import { groupColumn } from '../identifier.ts'
import type { MetricQuery } from '../ir/metric-query.ts'
import { bucketPercentiles } from './metric-buckets.ts'
import { increaseSums, rates } from './metric-increase.ts'
import { pointValues } from './metric-values.ts'

/** A row of `metricData`; integers of 64 bits are texts. */
export interface MetricDataRow {
  /** 1 for the group with the largest value. */
  readonly place: string
  /** How many groups there are, shown or not. */
  readonly group_count: string
  /** In the order of `groupBy`; null where the series have no such attribute. */
  readonly names: readonly (string | null)[]
  /** When the step begins, which may be before the window does. */
  readonly step_ns: string
  readonly value: number
}

/**
 * Selects `MetricDataRow`s, one for each group and step about which something is known, by place, then by step. The scope's
 * window must begin `metricLookbackNs` before the query's: what a series grew by is told by the point before.
 */
export function metricData(query: MetricQuery): Sql {
  const columns = query.groupBy.map((_, index) => groupColumn(index))
  const known = sql`SELECT * FROM (${values(query)}) WHERE isFinite(value)`
  return sql`SELECT place, max(place) OVER () AS group_count, CAST([${list(columns)}], 'Array(Nullable(String))') AS names, step_ns, toFloat64(value) AS value FROM (${ranked(known, columns)}) QUALIFY place <= ${int64(BigInt(query.groupsMax))} ORDER BY place, step_ns`
}

function ranked(values: Sql, columns: readonly Sql[]): Sql {
  if (columns.length === 0) return sql`SELECT *, toUInt64(1) AS place FROM (${values})`
  const peaks = sql`SELECT *, max(value) OVER (PARTITION BY ${list(columns)}) AS peak FROM (${values})`
  return sql`SELECT *, dense_rank() OVER (ORDER BY peak DESC, ${joinSql(columns, sql` NULLS FIRST, `)} NULLS FIRST) AS place FROM (${peaks})`
}

/** Rows of `step_ns`, the groups and `value`. */
function values(query: MetricQuery): Sql {
  const { aggregation, stream } = query
  const isNumber = stream.kind === 'gauge' || stream.kind === 'sum'
  switch (aggregation) {
    case 'rate':
      return rates(query)
    case 'sum':
      return stream.kind === 'gauge' ? pointValues(query) : increaseSums(query)
    case 'avg':
    case 'count':
      return isNumber ? pointValues(query) : increaseSums(query)
    case 'p50':
    case 'p95':
    case 'p99':
      return isNumber || stream.kind === 'summary' ? pointValues(query) : bucketPercentiles(query)
    default:
      return pointValues(query)
  }
}
