import type { BucketSide, MetricKind, PointModel } from './metric-model.ts'
import { groupBy } from './reference-descendants.ts'

/** The number of observations above `low` and up to `high`. */
export interface Bucket {
  readonly low: number
  readonly high: number
  readonly count: number
}

/** A bucket of one side, or the zero bucket. At coarse scales several have the same bounds, such as 0 and 0. */
interface PlacedBucket extends Bucket {
  readonly place: string
}

export function bucketsOf(kind: MetricKind, point: PointModel): Bucket[] {
  if (kind === 'histogram') return explicitBuckets(point.bounds, point.bucketCounts)
  return kind === 'exponential_histogram' ? exponentialBuckets(point, point.scale) : []
}

/** Returns what a histogram grew by, which is unknown if its bounds changed. */
export function bucketDifference(kind: MetricKind, point: PointModel, since: PointModel): Bucket[] {
  if (kind === 'histogram') {
    if (String(point.bounds) !== String(since.bounds)) return []
    return explicitBuckets(
      point.bounds,
      point.bucketCounts.map((count, index) => count - (since.bucketCounts[index] ?? 0)),
    )
  }
  if (kind !== 'exponential_histogram') return []
  // The finer of the two is read at the scale of the coarser. The zero bucket keeps its current width.
  const scale = Math.min(point.scale, since.scale)
  const before = exponentialBuckets({ ...since, zeroThreshold: point.zeroThreshold }, scale)
  const left = exponentialBuckets(point, scale).map(({ place, low, high, count }) => {
    const earlier = before.find((bucket) => bucket.place === place)
    return { low, high, count: count - (earlier?.count ?? 0) }
  })
  return left.filter(({ count }) => count > 0)
}

function explicitBuckets(bounds: readonly number[], counts: readonly number[]): Bucket[] {
  return counts
    .map((count, index) => ({
      low: bounds[index - 1] ?? Number.NEGATIVE_INFINITY,
      high: bounds[index] ?? Number.POSITIVE_INFINITY,
      count,
    }))
    .filter(({ count }) => count > 0)
}

function exponentialBuckets(point: PointModel, scale: number): PlacedBucket[] {
  const { zeroThreshold, zeroCount } = point
  const low = zeroThreshold === 0 ? 0 : -zeroThreshold
  const zero = { place: 'zero', low, high: zeroThreshold, count: zeroCount }
  const positive = sideBuckets(point.positive, point.scale, scale)
  const negative = sideBuckets(point.negative, point.scale, scale)
  const mirrored = negative.map((bucket) => ({
    ...bucket,
    place: `-${bucket.place}`,
    low: -bucket.high,
    high: -bucket.low,
  }))
  return [...mirrored, zero, ...positive].filter(({ count }) => count > 0)
}

/** Bucket i of a scale holds values above 2^(i / 2^scale) and up to 2^((i + 1) / 2^scale). */
function sideBuckets({ offset, counts }: BucketSide, ownScale: number, scale: number): PlacedBucket[] {
  const indexed = counts.map((count, index) => ({
    index: Math.floor((offset + index) / 2 ** (ownScale - scale)),
    count,
  }))
  return [...groupBy(indexed, ({ index }) => String(index))].map(([index, own]) => ({
    place: `+${index}`,
    low: 2 ** (Number(index) * 2 ** -scale),
    high: 2 ** ((Number(index) + 1) * 2 ** -scale),
    count: own.reduce((total, { count }) => total + count, 0),
  }))
}

/** Interpolates in the bucket that reaches this share of the observations, as if it were evenly filled. */
export function bucketPercentile(buckets: readonly Bucket[], share: number): number | undefined {
  const sorted = [...groupBy(buckets.filter(isBounded).map(closed), ({ low, high }) => `${low} ${high}`).values()]
    .map((same) => ({ ...(same[0] as Bucket), count: same.reduce((total, { count }) => total + count, 0) }))
    .sort((left, right) => left.high - right.high || left.low - right.low || 0)
  const total = sorted.reduce((sum, { count }) => sum + count, 0)
  const rank = share * total
  let before = 0
  for (const { low, high, count } of sorted) {
    if (before + count >= rank) return low + ((high - low) * (rank - before)) / count
    before += count
  }
  return undefined
}

function isBounded({ low, high }: Bucket): boolean {
  return Number.isFinite(low) || Number.isFinite(high)
}

/** Replaces missing bounds: values above the highest bound equal it, and a bucket without a lower bound starts at 0. */
function closed({ low, high, count }: Bucket): Bucket {
  const upper = high === Number.POSITIVE_INFINITY ? low : high
  return { low: low === Number.NEGATIVE_INFINITY ? Math.min(upper, 0) : low, high: upper, count }
}
