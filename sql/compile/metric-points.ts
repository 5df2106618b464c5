/** Points as they were stored. Conditions choose series before a point is read. */
import { allOf, fromScoped, onSameShard, param, type Sql, sql, text, uint64 } from '../fragment.ts'
import type { SeriesQuery } from '../ir/metric-query.ts'
import { chosenSeries } from './metric-streams.ts'

/** A row of `metricPoints`; integers of 64 bits are texts, and so are doubles that are no finite numbers. */
export interface MetricPointRow {
  /** Decimal text of the UInt128. */
  readonly series: string
  readonly ns: string
  /** `0`: it was not sent. */
  readonly start_ns: string
  readonly flags: number
  readonly value_type: number
  readonly value_int: string
  readonly value_double: number | string
  readonly count: string
  readonly sum: number | string | null
  readonly min: number | string | null
  readonly max: number | string | null
  readonly bounds: readonly (number | string)[]
  readonly bucket_counts: readonly string[]
  readonly scale: number
  readonly zero_count: string
  readonly zero_threshold: number | string
  readonly positive_offset: number
  readonly positive_counts: readonly string[]
  readonly negative_offset: number
  readonly negative_counts: readonly string[]
  readonly quantiles: readonly number[]
  readonly quantile_values: readonly (number | string)[]
  readonly exemplars: string
}

/** A row of `seriesWithIds`. */
export interface SeriesRow {
  readonly series: string
  readonly kind: number
  readonly temporality: number
  readonly monotonic: number
  readonly unit: string
  readonly description: string
  /** Attribute lists (attribute-list-text.ts), as are those of scope and resource. */
  readonly metadata: string
  readonly service: string
  readonly scope_name: string
  readonly scope_version: string
  readonly scope_attributes: string
  readonly resource_attributes: string
  readonly attributes: Readonly<Record<string, string>>
}

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
  const where = allOf([sql`metric = ${text(query.metric)}`, sql`series IN ${onSameShard(chosenSeries(query))}`, later])
  return sql`SELECT series, toUnixTimestamp64Nano(time) AS ns, toUnixTimestamp64Nano(start_time) AS start_ns, flags, value_type, value_int, value_double, count, sum, min, max, bounds, bucket_counts, scale, zero_count, zero_threshold, positive_offset, positive_counts, negative_offset, negative_counts, quantiles, quantile_values, exemplars FROM ${fromScoped('metric_points', where)} ORDER BY time DESC, series DESC LIMIT ${uint64(limit)}`
}

/** Selects what describes the series with these ids, decimal texts of UInt128; one row each. */
export function seriesWithIds(metric: string, ids: readonly string[]): Sql {
  const where = allOf([
    sql`metric = ${text(metric)}`,
    sql`has(${param('Array(UInt128)', `[${ids.join(',')}]`)}, series)`,
  ])
  return sql`SELECT series, any(kind) AS kind, any(temporality) AS temporality, any(monotonic) AS monotonic, any(unit) AS unit, any(description) AS description, any(metadata) AS metadata, any(service) AS service, any(scope_name) AS scope_name, any(scope_version) AS scope_version, any(scope_attributes) AS scope_attributes, any(resource_attributes) AS resource_attributes, any(attributes) AS attributes FROM ${fromScoped('metric_series', where)} GROUP BY series`
}
