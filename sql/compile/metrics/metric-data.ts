/**
 * Values of one stream of a metric over time. This file has the aggregations of single points; aggregations of
 * increases from point to point are in metric-increase.ts.
 */
import { fromScoped, int64, joinSql, list, perShard, type Sql, sql } from '../../fragment.ts'
import { groupColumn } from '../../identifier.ts'
import type { MetricAggregation, MetricQuery } from '../../ir/metric-query.ts'
import { p50Level, p95Level, p99Level } from '../../percentile.ts'
import { histogramPercentiles } from './histogram-percentiles.ts'
import { increaseSums, rates } from './metric-increase.ts'
import { andGroups, bucketStart, groupedSeries, pointsFit } from './metric-series.ts'

/** A row of `metricData`. Integers of 64 bits are texts. */
export interface MetricDataRow {
  /** The rank of the group by its largest value, from 1. */
  readonly group_rank: string
  /** The number of groups, shown or not. */
  readonly group_count: string
  /** The names of the group, in the order of `groupBy`; null for series without the attribute. */
  readonly names: readonly (string | null)[]
  /** The start of the time bucket, which may precede the window. */
  readonly step_ns: string
  readonly value: number
}

/**
 * Selects `MetricDataRow`s, one for each group and time bucket with a finite value, sorted by rank and then by time.
 * The window of the scope must begin `metricLookbackNs` before that of the query, because increases depend on the point
 * before the window.
 */
export function metricData(query: MetricQuery): Sql {
  const columns = query.groupBy.map((_, index) => groupColumn(index))
  const known = sql`SELECT * FROM (${values(query)}) WHERE isFinite(value)`
  return sql`
    SELECT
      group_rank,
      max(group_rank) OVER () AS group_count,
      CAST([${list(columns)}], 'Array(Nullable(String))') AS names,
      step_ns,
      toFloat64(value) AS value
    FROM (${ranked(known, columns)})
    QUALIFY group_rank <= ${int64(BigInt(query.groupsMax))}
    ORDER BY group_rank, step_ns
  `
}

function ranked(values: Sql, columns: readonly Sql[]): Sql {
  if (columns.length === 0) return sql`SELECT *, toUInt64(1) AS group_rank FROM (${values})`
  const peaks = sql`SELECT *, max(value) OVER (PARTITION BY ${list(columns)}) AS peak FROM (${values})`
  const order = sql`peak DESC, ${joinSql(columns, sql` NULLS FIRST, `)} NULLS FIRST`
  return sql`SELECT *, dense_rank() OVER (ORDER BY ${order}) AS group_rank FROM (${peaks})`
}

/** Selects `step_ns`, the groups and `value`. */
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
      return isNumber || stream.kind === 'summary' ? pointValues(query) : histogramPercentiles(query)
    case 'min':
    case 'max':
    case 'last':
      return pointValues(query)
  }
}

/** Selects an aggregate of single points, independent of the points before them. */
function pointValues(query: MetricQuery): Sql {
  const { groupBy, window } = query
  const read = sql`
    SELECT series, toUnixTimestamp64Nano(time) AS ns, ${numberRead(query)} AS number
    FROM ${fromScoped('metric_points', pointsFit(query), { fromNs: window.fromNs })}
  `
  const numbers = sql`
    SELECT ${bucketStart(query)} AS step_ns, ns, number ${andGroups(groupBy)}
    FROM (${read}) AS points
    INNER JOIN (${groupedSeries(query)}) AS chosen USING (series)
    WHERE isFinite(number)
  `
  return sql`
    SELECT step_ns, ${aggregated(query)} AS value ${andGroups(groupBy)}
    FROM ${perShard(numbers)}
    GROUP BY step_ns ${andGroups(groupBy)}
  `
}

/** Returns the number to aggregate of a point, or NULL. */
function numberRead({ stream: { kind }, aggregation }: MetricQuery): Sql {
  if (kind === 'gauge' || kind === 'sum') return sql`if(value_type = 1, toFloat64(value_int), value_double)`
  if (kind === 'summary') return quantileOf(shares[aggregation] ?? sql`0`)
  return aggregation === 'min' ? sql`min` : sql`max`
}

/** Returns a quantile that the sender computed. Other quantiles cannot be derived from it. */
function quantileOf(share: Sql): Sql {
  return sql`if(has(quantiles, ${share}), quantile_values[indexOf(quantiles, ${share})], NULL)`
}

const shares: Readonly<Partial<Record<MetricAggregation, Sql>>> = {
  min: sql`0`,
  p50: sql`0.5`,
  p95: sql`0.95`,
  p99: sql`0.99`,
  max: sql`1`,
}

function aggregated({ stream: { kind }, aggregation }: MetricQuery): Sql {
  switch (aggregation) {
    case 'avg':
      return sql`avg(number)`
    case 'min':
      return sql`min(number)`
    case 'sum':
      return sql`sum(number)`
    case 'count':
      return sql`toFloat64(count())`
    case 'last':
      return sql`max((ns, number)).2`
    case 'p50':
    case 'p95':
    case 'p99':
      // For separately computed quantiles, only the largest is known to be an upper bound of the combined one.
      return kind === 'summary' ? sql`max(number)` : sql`quantileExact(${levels[aggregation]})(number)`
    default:
      return sql`max(number)`
  }
}

const levels = { p50: p50Level, p95: p95Level, p99: p99Level } as const
