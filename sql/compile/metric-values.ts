/** Aggregations of what points say by themselves, whatever was before them. */
import { allOf, fromScoped, onSameShard, perShard, type Sql, sql, text, uint64 } from '../fragment.ts'
import type { MetricAggregation, MetricQuery } from '../ir/metric-query.ts'
import { p50Level, p95Level, p99Level } from '../percentile.ts'
import { noRecordedValueFlag } from '../schema/metric-numbers.ts'
import { stepOf } from './metric-steps.ts'
import { andGroups, chosenSeries, groupedSeries } from './metric-streams.ts'

/** Rows of `step_ns`, the groups and `value`. */
export function pointValues(query: MetricQuery): Sql {
  const { groupBy, stream, window } = query
  const read = sql`SELECT series, toUnixTimestamp64Nano(time) AS ns, ${numberRead(query)} AS number FROM ${fromScoped('metric_points', pointsFit(query), { fromNs: window.fromNs })}`
  const placed = sql`SELECT ${stepOf(query)} AS step_ns, ns, number ${andGroups(groupBy)} FROM (${read}) AS points INNER JOIN (${groupedSeries(query, stream, groupBy)}) AS chosen USING (series) WHERE isFinite(number)`
  return sql`SELECT step_ns, ${aggregated(query)} AS value ${andGroups(groupBy)} FROM ${perShard(placed)} GROUP BY step_ns ${andGroups(groupBy)}`
}

/** The points of the chosen series that say something. */
export function pointsFit(query: MetricQuery): Sql {
  return allOf([
    sql`metric = ${text(query.metric)}`,
    sql`series IN ${onSameShard(chosenSeries(query, query.stream))}`,
    sql`bitAnd(flags, ${uint64(noRecordedValueFlag)}) = 0`,
  ])
}

/** A number, or NULL. */
function numberRead({ stream: { kind }, aggregation }: MetricQuery): Sql {
  if (kind === 'gauge' || kind === 'sum') return sql`if(value_type = 1, toFloat64(value_int), value_double)`
  if (kind === 'summary') return quantileOf(shares[aggregation] ?? sql`0`)
  return aggregation === 'min' ? sql`min` : sql`max`
}

/** What the sender made of its observations; others cannot be made of it. */
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
      // Of quantiles that were taken apart from each other no more is known than that all are at most the largest.
      return kind === 'summary' ? sql`max(number)` : sql`quantileExact(${levels[aggregation]})(number)`
    default:
      return sql`max(number)`
  }
}

const levels = { p50: p50Level, p95: p95Level, p99: p99Level } as const
