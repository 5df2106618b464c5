import { type MetricKind, noRecordedValueFlag } from '#sql'
import type { Fixed64List, Optional64 } from '../wire/fixed64.ts'
import { highOfTimesEnd } from '../wire/widths.ts'
import { kindsWithTemporality, type MetricReader } from './metric-message.ts'
import type { MetricPoint } from './point-message.ts'

/** Why a data point is rejected, in the words that its sender reads after "3 data points: ". */
export const pointFaults = {
  name: 'the metric has no name',
  temporality: 'the aggregation temporality of the metric is neither delta nor cumulative',
  time: 'the time is unset or after the year 2262',
  start_time: 'the start time is after the year 2262',
  value: 'the point has no value, and no flag that says so',
  bounds: 'the explicit bounds do not increase',
  bucket_counts: 'the number of bucket counts is not one more than that of the explicit bounds',
  count: 'the count is not the sum of the bucket counts',
  quantiles: 'a quantile is not between 0 and 1',
  size: 'the point with its resource is larger than 8 MiB',
} as const

export type PointFault = keyof typeof pointFaults

/** The fault that all points of a metric have. */
export function faultOfMetric({ kind, nameStart, nameEnd, temporality }: MetricReader): PointFault | undefined {
  if (nameEnd === nameStart) return 'name'
  if (kind !== undefined && kindsWithTemporality.has(kind) && temporality === 0) return 'temporality'
  return undefined
}

/** The first fault of a point as read, undefined for one that is stored. Its size is for the caller to check. */
export function faultOfPoint(point: MetricPoint, kind: MetricKind): PointFault | undefined {
  const { time, startTime } = point
  if (time.high >= highOfTimesEnd || isZero(time)) return 'time'
  if (startTime.high >= highOfTimesEnd) return 'start_time'
  // Whatever else such a point carries means nothing.
  if ((point.flags & noRecordedValueFlag) !== 0) return undefined
  return faultsOfKinds[kind](point)
}

function isZero({ low, high }: Optional64): boolean {
  return low === 0 && high === 0
}

const faultsOfKinds: Readonly<Record<MetricKind, (point: MetricPoint) => PointFault | undefined>> = {
  gauge: faultOfNumber,
  sum: faultOfNumber,
  histogram: faultOfHistogram,
  exponential_histogram: faultOfExponential,
  summary: faultOfSummary,
}

function faultOfNumber({ valueInt, valueDouble }: MetricPoint): PointFault | undefined {
  return valueInt.isSet || valueDouble.isSet ? undefined : 'value'
}

/** Without buckets it has no bounds either: a histogram may be no more than count and sum. */
function faultOfHistogram({ bounds, bucketCounts, count }: MetricPoint): PointFault | undefined {
  if (bucketCounts.count !== (bounds.count === 0 ? Math.min(bucketCounts.count, 1) : bounds.count + 1))
    return 'bucket_counts'
  if (!increases(bounds)) return 'bounds'
  return bucketCounts.count > 0 && bucketCounts.total() !== count.bits ? 'count' : undefined
}

function faultOfExponential({ positive, negative, zeroCount, count }: MetricPoint): PointFault | undefined {
  const total = positive.counts.total() + negative.counts.total() + zeroCount.bits
  return total === count.bits ? undefined : 'count'
}

function faultOfSummary({ quantiles }: MetricPoint): PointFault | undefined {
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
