import type { MetricKind } from '../schema/metric-numbers.ts'
import type { Attribute, Condition } from './condition.ts'
import type { TimeWindow } from './scope.ts'

/** Series of one metric: those for which all conditions are true. */
export interface SeriesQuery {
  readonly metric: string
  readonly conditions: readonly Condition[]
}

/** Values of other kinds or units are never put together. */
export interface MetricStream {
  readonly kind: MetricKind
  readonly unit: string
}

export const metricAggregations = ['avg', 'min', 'max', 'sum', 'count', 'rate', 'p50', 'p95', 'p99', 'last'] as const

export type MetricAggregation = (typeof metricAggregations)[number]

/** What is made of the points of one stream. */
export interface MetricQuery extends SeriesQuery {
  readonly stream: MetricStream
  readonly aggregation: MetricAggregation
  readonly groupBy: readonly Attribute[]
  /** The groups with the largest values; there may be more. */
  readonly groupsMax: number
  readonly window: TimeWindow
  /** Steps begin at multiples of this since 1970. Left out: the whole window is one. */
  readonly bucketNs?: bigint
}

const ofNumbers: readonly MetricAggregation[] = ['avg', 'min', 'max', 'sum', 'count', 'p50', 'p95', 'p99', 'last']
const ofObservations: readonly MetricAggregation[] = ['avg', 'min', 'max', 'sum', 'count', 'rate', 'p50', 'p95', 'p99']

/** What can be asked of points of each kind: a gauge has no rate, and there is no last observation. */
export const aggregationsOfKind: Readonly<Record<MetricKind, readonly MetricAggregation[]>> = {
  gauge: ofNumbers,
  sum: [...ofNumbers, 'rate'],
  histogram: ofObservations,
  exponential_histogram: ofObservations,
  summary: ofObservations,
}
