import { originColumns } from './origin.ts'

/**
 * The columns of `metric_series` that ingest writes, in this order, with their types. Those they share with spans are held as
 * there (schema/spans.ts).
 *
 * - `series`: the first 16 bytes of the SHA-256 of all that makes a series, which only equals itself.
 * - `kind`: a place in `metricKinds`, from 1. `temporality`: 0 none, 1 delta, 2 cumulative: the numbers of OTLP.
 * - `metadata`: as `scope_attributes`.
 */
export const metricSeriesColumns = {
  ...originColumns,
  metric: 'LowCardinality(String)',
  unit: 'LowCardinality(String)',
  kind: 'UInt8',
  temporality: 'UInt8',
  monotonic: 'UInt8',
  description: 'LowCardinality(String)',
  metadata: 'LowCardinality(String)',
  series: 'UInt128',
  first_seen: "DateTime64(9, 'UTC')",
  last_seen: "DateTime64(9, 'UTC')",
  attributes: 'JSON',
} as const

/**
 * The columns of `metric_points` that ingest writes, in this order, with their types. `stored_rank` is left to ClickHouse.
 *
 * - `start_time`: 1970 when the point has none.
 * - `value_type`: 0 none, 1 the int in `value_int`, 2 the double in `value_double`.
 * - `exemplars`: a compact JSON array, the empty string for none. An exemplar is
 *   `{"t":"<ns>","v":tagged int or double,"x":trace id, 32 hex,"s":span id, 16 hex,"a":[[key, tagged text]…]}`; `v`, `x`, `s`, `a`
 *   are left out when empty.
 */
export const metricPointsColumns = {
  org: 'LowCardinality(String)',
  metric: 'LowCardinality(String)',
  series: 'UInt128',
  time: "DateTime64(9, 'UTC')",
  start_time: "DateTime64(9, 'UTC')",
  flags: 'UInt32',
  value_type: 'UInt8',
  value_int: 'Int64',
  value_double: 'Float64',
  count: 'UInt64',
  sum: 'Nullable(Float64)',
  min: 'Nullable(Float64)',
  max: 'Nullable(Float64)',
  bounds: 'Array(Float64)',
  bucket_counts: 'Array(UInt64)',
  scale: 'Int32',
  zero_count: 'UInt64',
  zero_threshold: 'Float64',
  positive_offset: 'Int32',
  positive_counts: 'Array(UInt64)',
  negative_offset: 'Int32',
  negative_counts: 'Array(UInt64)',
  quantiles: 'Array(Float64)',
  quantile_values: 'Array(Float64)',
  exemplars: 'String',
} as const

const metricKinds = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const

export type MetricKind = (typeof metricKinds)[number]

/** `metric_series.kind` counts from 1. */
export function numberOfKind(kind: MetricKind): number {
  return metricKinds.indexOf(kind) + 1
}

export function kindOfNumber(number: number): MetricKind {
  return metricKinds[number - 1] ?? 'gauge'
}

/** `metric_series.temporality`: a place in this list. */
const temporalities = ['unspecified', 'delta', 'cumulative'] as const

export type Temporality = (typeof temporalities)[number]

export function temporalityOfNumber(number: number): Temporality {
  return temporalities[number] ?? 'unspecified'
}

/** The flag of OTLP for a point that says that there is no value. */
export const noRecordedValueFlag = 1
