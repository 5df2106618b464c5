import type { components } from '../../../openapi/types.ts'
import { defined, filled, readWindowSearch, text } from '../../app/search.ts'
import { isCondition } from '../../parts/conditions/operators.ts'
import type { WindowSearch } from '../../parts/time/time.ts'

export type SeriesCondition = components['schemas']['SeriesCondition']
export type SeriesAttribute = components['schemas']['SeriesAttribute']
export type Aggregation = components['schemas']['MetricAggregation']
export type MetricKind = components['schemas']['MetricKind']

export const aggregationWords: Readonly<Record<Aggregation, string>> = {
  rate: 'rate per second',
  sum: 'sum',
  count: 'count',
  avg: 'average',
  min: 'minimum',
  max: 'maximum',
  p50: 'median',
  p95: '95th percentile',
  p99: '99th percentile',
  last: 'last value',
}

/** The numbers of groups that can be chosen. */
export const groupsMaxima = [5, 10, 20, 50] as const
export const groupsMaxDefault = 10

/** The search parameters of the explorer of metrics. */
export interface MetricsSearch extends WindowSearch {
  /** A part of the names in the catalog. */
  readonly q?: string
  readonly metric?: string
  readonly conditions?: readonly SeriesCondition[]
  /** By default, the one that suits the kind of the metric. */
  readonly aggregation?: Aggregation
  readonly by?: readonly SeriesAttribute[]
  readonly groups?: number
  /** What is shown instead of the chart: the numbers behind it, or the points as they were sent. */
  readonly show?: 'table' | 'points'
}

/** Reads the search parameters of an address, and ignores the ones that it cannot read. */
export function readMetricsSearch(search: Record<string, unknown>): MetricsSearch {
  const { aggregation, groups, show } = search
  return {
    ...readWindowSearch(search),
    ...(defined({
      q: text(search.q),
      metric: text(search.metric),
      conditions: filled(search.conditions, isSeriesCondition),
      aggregation: isAggregation(aggregation) ? aggregation : undefined,
      by: filled(search.by, isAttribute)?.slice(0, 4),
      groups: groupsMaxima.find((each) => String(each) === String(groups)),
      show: show === 'table' || show === 'points' ? show : undefined,
    }) as MetricsSearch),
  }
}

function isAggregation(value: unknown): value is Aggregation {
  return typeof value === 'string' && Object.hasOwn(aggregationWords, value)
}

function isAttribute(value: unknown): value is SeriesAttribute {
  return typeof value === 'object' && value !== null && typeof (value as SeriesAttribute).attribute_key === 'string'
}

const isSeriesCondition = (value: unknown): value is SeriesCondition => isCondition(value)

/** Returns the default aggregation for metrics of a kind. */
export function usualAggregation(kind: MetricKind, isMonotonic: boolean): Aggregation {
  if (kind === 'sum') return isMonotonic ? 'rate' : 'sum'
  return kind === 'gauge' || kind === 'summary' ? 'avg' : 'p95'
}
