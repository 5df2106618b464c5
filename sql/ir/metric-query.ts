import type { MetricKind } from '../schema/metric-numbers.ts'
import type { Attribute, Condition } from './condition.ts'
import type { TimeWindow } from './scope.ts'

/** Selects the series of one metric for which all conditions are true. */
export interface SeriesQuery {
  readonly metric: string
  readonly conditions: readonly Condition[]
}

/** The points of one metric with one kind and unit. Values of different streams are never combined. */
export interface MetricStream {
  readonly kind: MetricKind
  readonly unit: string
}

export const metricAggregations = ['avg', 'min', 'max', 'sum', 'count', 'rate', 'p50', 'p95', 'p99', 'last'] as const

export type MetricAggregation = (typeof metricAggregations)[number]

/** An aggregation of the points of one stream. */
export interface MetricQuery extends SeriesQuery {
  readonly stream: MetricStream
  readonly aggregation: MetricAggregation
  readonly groupBy: readonly Attribute[]
  /** The maximum number of groups to select. The groups with the largest values are selected. */
  readonly groupsMax: number
  readonly window: TimeWindow
  /**
   * The length of a time bucket. Buckets begin at multiples of it since 1970. If it is absent, the whole window is one
   * bucket.
   */
  readonly bucketNs?: bigint
}

const ofNumbers: readonly MetricAggregation[] = ['avg', 'min', 'max', 'sum', 'count', 'p50', 'p95', 'p99', 'last']
const ofObservations: readonly MetricAggregation[] = ['avg', 'min', 'max', 'sum', 'count', 'rate', 'p50', 'p95', 'p99']

/**
 * The aggregations that are available for points of each kind. A gauge has no rate; histograms and summaries have no
 * last observation.
 */
export const aggregationsOfKind: Readonly<Record<MetricKind, readonly MetricAggregation[]>> = {
  gauge: ofNumbers,
  sum: [...ofNumbers, 'rate'],
  histogram: ofObservations,
  exponential_histogram: ofObservations,
  summary: ofObservations,
}
