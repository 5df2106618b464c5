/** Reads stored points. Conditions select series before any point is read. */
import { allOf, fromScoped, onSameShard, param, type Sql, sql, text, uint64 } from '../../fragment.ts'
import type { SeriesQuery } from '../../ir/metric-query.ts'
import { chosenSeries } from './metric-series.ts'

/** A row of `metricPoints`. Integers of 64 bits are texts, and so are doubles that are not finite. */
export interface MetricPointRow {
  /** Decimal text of the UInt128. */
  readonly series: string
  readonly ns: string
  /** `0` for a point without a start time. */
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

export interface PointsPage {
  /** Selects only points after this one: its time in nanoseconds since 1970 and its series, as decimal texts. */
  readonly after?: { readonly ns: string; readonly series: string }
  readonly limit: number
}

/** Selects the complete points of the selected series, newest first. */
export function metricPoints(query: SeriesQuery, { after, limit }: PointsPage): Sql {
  const isLater =
    after === undefined
      ? sql`1`
      : sql`((toUnixTimestamp64Nano(time), series) < (${param('Int64', after.ns)}, ${param('UInt128', after.series)}))`
  const where = allOf([
    sql`metric = ${text(query.metric)}`,
    sql`series IN ${onSameShard(chosenSeries(query))}`,
    isLater,
  ])
  return sql`
    SELECT
      series,
      toUnixTimestamp64Nano(time) AS ns,
      toUnixTimestamp64Nano(start_time) AS start_ns,
      flags,
      value_type,
      value_int,
      value_double,
      count,
      sum,
      min,
      max,
      bounds,
      bucket_counts,
      scale,
      zero_count,
      zero_threshold,
      positive_offset,
      positive_counts,
      negative_offset,
      negative_counts,
      quantiles,
      quantile_values,
      exemplars
    FROM ${fromScoped('metric_points', where)}
    ORDER BY time DESC, series DESC
    LIMIT ${uint64(limit)}
  `
}
