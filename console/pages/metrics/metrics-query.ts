import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf } from '../../app/api.ts'
import { allItems } from '../../parts/answers/all-items.ts'
import { stepSecondsOf } from '../../parts/chart/units.ts'
import { isComplete } from '../../parts/conditions/operators.ts'
import { counted } from '../../parts/counted.ts'
import type { Suggestion } from '../../parts/forms/suggestions.tsx'
import { type TimeWindow, windowAt } from '../../parts/time/time.ts'
import type { Aggregation, MetricsSearch, SeriesAttribute } from './metrics-search.ts'

export type Metric = components['schemas']['MetricSummary']
export type MetricData = components['schemas']['MetricData']
export type MetricPoint = components['schemas']['MetricPoint']
type MetricQuery = components['schemas']['MetricQuery']

/** Selects the series to read. */
export type SeriesFilter = Pick<MetricQuery, 'metric' | 'conditions'> & TimeWindow

const pointsLimit = 50

/** SDKs send metrics once a minute by default, so shorter buckets would leave gaps between points. */
const intervalSeconds = 60

/** Lists all metrics of a window. The console searches their names itself, so it reads every page. */
export function useMetrics({ from, to }: TimeWindow, isEnabled: boolean) {
  return useQuery({
    queryKey: ['metrics', from, to],
    queryFn: ({ signal }) =>
      allItems((page) => api.GET('/api/v1/metrics-catalog', { params: { query: { from, to, ...page } }, signal })),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })
}

interface Aggregated {
  readonly aggregation: Aggregation
  readonly group_by: readonly SeriesAttribute[]
  readonly groups_max: number
}

/** Reads the values of a metric over time. The previous result stays until the next one arrives. */
export function useMetricData(filter: SeriesFilter, { aggregation, group_by, groups_max }: Aggregated) {
  return useQuery({
    queryKey: ['metric data', filter, aggregation, group_by, groups_max],
    queryFn: async ({ signal }) => {
      const step_s = Math.max(stepSecondsOf(filter), intervalSeconds)
      const body = { ...filter, aggregation, groups_max, group_by: [...group_by], step_s }
      const data = await dataOf(api.POST('/api/v1/metrics/query', { body, signal }))
      // The generated types lose the lengths of pairs.
      return { data: data as MetricData, window: { from: filter.from, to: filter.to }, aggregation }
    },
    placeholderData: keepPreviousData,
  })
}

/** Returns the series of an address. Unfinished conditions are ignored. */
export function seriesFilterOf(search: MetricsSearch, at: Date): SeriesFilter {
  const { metric = '', conditions = [] } = search
  const sent = conditions.filter(isComplete)
  return { metric, ...windowAt(search, at), ...(sent.length === 0 ? {} : { conditions: sent }) }
}

/** Reads for each filter whether any series has points; undefined until it is known. */
export function useAnyPoint(filters: readonly SeriesFilter[]): (boolean | 'failed' | undefined)[] {
  return useQueries({
    queries: filters.map((filter) => ({
      queryKey: ['any point', filter],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(api.POST('/api/v1/metrics/points/search', { body: { ...filter, limit: 1 }, signal })),
    })),
  }).map(({ data, isError }) => (isError ? 'failed' : data && data.items.length > 0))
}

/** Reads the points of series as they were sent, newest first. */
export function usePoints(filter: SeriesFilter) {
  return useInfiniteQuery({
    queryKey: ['metric points', filter],
    queryFn: ({ pageParam, signal }) => {
      const body = { ...filter, limit: pointsLimit, cursor: pageParam }
      return dataOf(api.POST('/api/v1/metrics/points/search', { body, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })
}

/**
 * Suggests the values of an attribute in the series of a metric, those with the most points first. For a histogram, the
 * API returns the number of observations and not of points.
 */
export function useSeriesValues({ metric, from, to }: SeriesFilter, attribute: SeriesAttribute, isEnabled: boolean) {
  return useQuery({
    queryKey: ['series values', metric, from, to, attribute],
    queryFn: async ({ signal }) => {
      const body = { metric, from, to, aggregation: 'count' as const, group_by: [attribute], groups_max: 50 }
      const data = await dataOf(api.POST('/api/v1/metrics/query', { body, signal }))
      return countedValues(data as MetricData)
    },
    enabled: isEnabled && metric !== '' && attribute.attribute_key !== '',
    staleTime: 60_000,
  })
}

function countedValues({ series }: MetricData): Suggestion[] {
  const counts = new Map<string, { readonly point: number; readonly observation: number }>()
  for (const { kind, group, points } of series) {
    const [value] = group
    if (value == null) continue
    const { point, observation } = counts.get(value) ?? { point: 0, observation: 0 }
    const count = points.reduce((sum, [, each]) => sum + each, 0)
    const isOfPoints = kind === 'gauge' || kind === 'sum'
    counts.set(value, isOfPoints ? { point: point + count, observation } : { point, observation: observation + count })
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b.point + b.observation - a.point - a.observation)
    .map(([text, { point, observation }]) => ({
      text,
      note: [
        ...(point > 0 ? [counted(point, 'point')] : []),
        ...(observation > 0 ? [counted(observation, 'observation')] : []),
      ].join(', '),
    }))
}
