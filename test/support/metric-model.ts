import { type Attributes, toOtlpAttributes } from './span-model.ts'

export type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponential_histogram' | 'summary'

/** One side of an exponential histogram: the count of bucket `offset`, of the next one, and so on. */
export interface BucketSide {
  readonly offset: number
  readonly counts: readonly number[]
}

/** A data point as it is sent. Of the fields after `noValue`, it has those of its kind. */
export interface PointModel {
  readonly timeNs: bigint
  /** 0 if unknown. */
  readonly startNs: bigint
  /** Whether to set the flag `NO_RECORDED_VALUE`. */
  readonly noValue: boolean
  /** An integer, or a double. */
  readonly value: bigint | number
  readonly count: number
  readonly sum: number | undefined
  readonly min: number | undefined
  readonly max: number | undefined
  readonly bounds: readonly number[]
  readonly bucketCounts: readonly number[]
  readonly scale: number
  readonly zeroCount: number
  readonly zeroThreshold: number
  readonly positive: BucketSide
  readonly negative: BucketSide
  readonly quantiles: readonly (readonly [quantile: number, value: number])[]
}

/** The identity of a series, and its points in the order in which they are sent. */
export interface SeriesModel {
  readonly metric: string
  readonly kind: MetricKind
  readonly unit: string
  /** The temporality of sums and histograms; ignored for gauges and summaries. */
  readonly temporality: 'delta' | 'cumulative'
  readonly monotonic: boolean
  /** The text of the resource attribute `service.name`, which `resourceAttributes` always contains. */
  readonly service: string
  readonly scopeName: string
  readonly scopeVersion: string
  readonly attributes: Attributes
  readonly resourceAttributes: Attributes
  readonly points: readonly PointModel[]
}

const noBuckets: BucketSide = { offset: 0, counts: [] }

const pointDefaults: PointModel = {
  timeNs: 0n,
  startNs: 0n,
  noValue: false,
  value: 0,
  count: 0,
  sum: undefined,
  min: undefined,
  max: undefined,
  bounds: [],
  bucketCounts: [],
  scale: 0,
  zeroCount: 0,
  zeroThreshold: 0,
  positive: noBuckets,
  negative: noBuckets,
  quantiles: [],
}

export function makePoint(given: Partial<PointModel>): PointModel {
  return { ...pointDefaults, ...given }
}

const seriesDefaults: SeriesModel = {
  metric: 'm',
  kind: 'gauge',
  unit: '',
  temporality: 'cumulative',
  monotonic: true,
  service: 'shop',
  scopeName: '',
  scopeVersion: '',
  attributes: [],
  resourceAttributes: [],
  points: [],
}

/** Completes a series with defaults, and adds `service.name` to its resource if it is missing. */
export function makeSeries(given: Partial<SeriesModel>): SeriesModel {
  const series = { ...seriesDefaults, ...given }
  const others = series.resourceAttributes.filter(([key]) => key !== 'service.name')
  return { ...series, resourceAttributes: [['service.name', { stringValue: series.service }], ...others] }
}

/** Returns an OTLP/JSON ExportMetricsServiceRequest in which each series has its own resource and scope. */
export function toOtlpMetrics(series: readonly SeriesModel[]): { resourceMetrics: object[] } {
  return {
    resourceMetrics: series.map((one) => ({
      resource: { attributes: toOtlpAttributes(one.resourceAttributes) },
      scopeMetrics: [{ scope: { name: one.scopeName, version: one.scopeVersion }, metrics: [toOtlpMetric(one)] }],
    })),
  }
}

function toOtlpMetric({ metric: name, unit, kind, temporality, monotonic: isMonotonic, ...one }: SeriesModel): object {
  const aggregationTemporality = temporality === 'delta' ? 1 : 2
  const dataPoints = one.points.map((point) => ({
    timeUnixNano: String(point.timeNs),
    startTimeUnixNano: String(point.startNs),
    flags: point.noValue ? 1 : 0,
    attributes: toOtlpAttributes(one.attributes),
    ...(point.noValue ? {} : valuesOf(kind, point)),
  }))
  switch (kind) {
    case 'gauge':
      return { name, unit, gauge: { dataPoints } }
    case 'sum':
      return { name, unit, sum: { dataPoints, aggregationTemporality, isMonotonic } }
    case 'histogram':
      return { name, unit, histogram: { dataPoints, aggregationTemporality } }
    case 'exponential_histogram':
      return { name, unit, exponentialHistogram: { dataPoints, aggregationTemporality } }
    case 'summary':
      return { name, unit, summary: { dataPoints } }
  }
}

function valuesOf(kind: MetricKind, point: PointModel): object {
  const { value, count, sum, min, max, scale, zeroCount, zeroThreshold } = point
  const observed = { count: String(count), sum: double(sum) }
  const extremes = { min: double(min), max: double(max) }
  switch (kind) {
    case 'gauge':
    case 'sum':
      return typeof value === 'bigint' ? { asInt: String(value) } : { asDouble: double(value) }
    case 'histogram':
      return {
        ...observed,
        ...extremes,
        explicitBounds: point.bounds.map(double),
        bucketCounts: point.bucketCounts.map(String),
      }
    case 'exponential_histogram':
      return {
        ...observed,
        ...extremes,
        scale,
        zeroCount: String(zeroCount),
        zeroThreshold,
        positive: toOtlpSide(point.positive),
        negative: toOtlpSide(point.negative),
      }
    case 'summary':
      return {
        ...observed,
        quantileValues: point.quantiles.map(([quantile, reported]) => ({ quantile, value: double(reported) })),
      }
  }
}

function toOtlpSide({ offset, counts }: BucketSide): object {
  return { offset, bucketCounts: counts.map(String) }
}

/** The JSON mapping of proto3 encodes NaN and the infinities as strings. */
function double(value: number | undefined): number | string | undefined {
  return value === undefined || Number.isFinite(value) ? value : String(value)
}
