/** Points as they were stored. Conditions choose series before a point is read. */
import { allOf, param, recordsOf, type Sql, sql, text } from '../fragment.ts'
import type { SeriesQuery } from '../ir/metric-query.ts'
import { chosenSeries } from './metric-streams.ts'

export interface PointsPage {
  /** Go on after this point: its time in nanoseconds since 1970 and its series, as decimal texts. */
  readonly after?: { readonly ns: string; readonly series: string }
  readonly limit: number
}

/** Selects the points of the chosen series, whole, newest first. */
export function metricPoints(query: SeriesQuery, { after, limit }: PointsPage): Sql {
  const later =
    after === undefined
      ? sql`1`
      : sql`((toUnixTimestamp64Nano(time), series) < (${param('Int64', after.ns)}, ${param('UInt128', after.series)}))`
  const where = allOf([sql`metric = ${text(query.metric)}`, sql`series IN (${chosenSeries(query)})`, later])
  return sql`SELECT series, toUnixTimestamp64Nano(time) AS ns, toUnixTimestamp64Nano(start_time) AS start_ns, flags, value_type, value_int, value_double, count, sum, min, max, bounds, bucket_counts, scale, zero_count, zero_threshold, positive_offset, positive_counts, negative_offset, negative_counts, quantiles, quantile_values, exemplars FROM ${recordsOf('metric_points', where)} ORDER BY time DESC, series DESC LIMIT ${param('UInt64', String(limit))}`
}

/** Selects what describes the series with these ids, decimal texts of UInt128; one row each. */
export function seriesWithIds(metric: string, ids: readonly string[]): Sql {
  const where = allOf([
    sql`metric = ${text(metric)}`,
    sql`has(${param('Array(UInt128)', `[${ids.join(',')}]`)}, series)`,
  ])
  return sql`SELECT series, any(kind) AS kind, any(temporality) AS temporality, any(monotonic) AS monotonic, any(unit) AS unit, any(description) AS description, any(metadata) AS metadata, any(service) AS service, any(scope_name) AS scope_name, any(scope_version) AS scope_version, any(scope_attributes) AS scope_attributes, any(resource_attributes) AS resource_attributes, any(attributes) AS attributes FROM ${recordsOf('metric_series', where)} GROUP BY series`
}
