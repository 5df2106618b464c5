import { type MetricKind, noRecordedValueFlag } from '#sql'
import { isLonger } from '../records/attribute-list.ts'
import { metricNameCharactersMax, timeHighEnd } from '../records/record-limits.ts'
import type { Fixed64List } from '../wire/fixed64.ts'
import type { CurrentMetric } from './current-metric.ts'
import type { DataPoint } from './data-point.ts'

/** The reasons for rejecting a data point, as the text after "3 data points: ". */
export const pointFaults = {
  name: 'the metric has no name',
  long_name: 'the name of the metric is longer than 1,000 characters',
  temporality: 'the aggregation temporality of the metric is neither delta nor cumulative',
  time: 'the time is unset or after the year 2262',
  start_time: 'the start time is after the year 2262',
  value: 'the point has neither a value nor the flag for no recorded value',
  bounds: 'the explicit bounds are not strictly increasing',
  bucket_counts: 'the number of bucket counts is not the number of explicit bounds plus one',
  count: 'the count is not the sum of the bucket counts',
  quantiles: 'a quantile is not between 0 and 1',
  series_quota: 'the series is new, and the organization has reached its quota of series (ORG_SERIES_MAX)',
  size: 'the point with its resource and scope is larger than 8 MiB or has more than 50,000 values and exemplars',
} as const

export type PointFault = keyof typeof pointFaults

/** Returns the fault that all points of the metric share, if any. */
export function faultOfMetric(metric: CurrentMetric, bytes: Buffer): PointFault | undefined {
  const { hasTemporality, temporality } = metric
  const { start, end, length } = metric.message.name
  if (length === 0) return 'name'
  if (isLonger(bytes, start, end, metricNameCharactersMax)) return 'long_name'
  return hasTemporality && temporality === 0 ? 'temporality' : undefined
}

/** Returns the first fault of the point, or undefined for a valid point. The caller checks the size. */
export function faultOfPoint(point: DataPoint, kind: MetricKind): PointFault | undefined {
  const { timeUnixNano, startTimeUnixNano, flags } = point
  if (timeUnixNano.high >= timeHighEnd || timeUnixNano.isZero) return 'time'
  if (startTimeUnixNano.high >= timeHighEnd) return 'start_time'
  // Without a recorded value, the other fields have no meaning.
  if ((flags & noRecordedValueFlag) !== 0) return undefined
  return faultsOfKinds[kind](point)
}

const faultsOfKinds: Readonly<Record<MetricKind, (point: DataPoint) => PointFault | undefined>> = {
  gauge: faultOfNumber,
  sum: faultOfNumber,
  histogram: faultOfHistogram,
  exponential_histogram: faultOfExponential,
  summary: faultOfSummary,
}

function faultOfNumber({ asInt, asDouble }: DataPoint): PointFault | undefined {
  return asInt.isSet || asDouble.isSet ? undefined : 'value'
}

/**
 * Returns the fault of a histogram. A histogram may have neither buckets nor bounds; it then consists of a count and a
 * sum.
 */
function faultOfHistogram({ explicitBounds, bucketCounts, count }: DataPoint): PointFault | undefined {
  const hasBuckets = bucketCounts.count > 1 || explicitBounds.count > 0
  if (hasBuckets && bucketCounts.count !== explicitBounds.count + 1) return 'bucket_counts'
  if (!increases(explicitBounds)) return 'bounds'
  return bucketCounts.count > 0 && bucketCounts.total() !== count.bits ? 'count' : undefined
}

function faultOfExponential({ positive, negative, zeroCount, count }: DataPoint): PointFault | undefined {
  const total = positive.bucketCounts.total() + negative.bucketCounts.total() + zeroCount.bits
  return total === count.bits ? undefined : 'count'
}

function faultOfSummary({ quantiles }: DataPoint): PointFault | undefined {
  for (let i = 0; i < quantiles.count; i++) {
    const quantile = quantiles.double(i)
    if (!(quantile >= 0 && quantile <= 1)) return 'quantiles'
  }
  return undefined
}

function increases(bounds: Fixed64List): boolean {
  for (let i = 0; i < bounds.count; i++) {
    const previous = i === 0 ? Number.NEGATIVE_INFINITY : bounds.double(i - 1)
    if (!(bounds.double(i) > previous)) return false
  }
  return true
}
