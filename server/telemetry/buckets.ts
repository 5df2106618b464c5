/** Divides windows into time buckets of one width, which are aligned to the Unix epoch. */
import type { TimeWindow } from '#sql'
import { invalid } from '../problem/problem.ts'
import { nsOfSeconds } from './time-units.ts'

/** The buckets that overlap a window. The first and the last may lie in the window only in part. */
export interface Buckets {
  readonly stepS: number
  readonly stepNs: bigint
  /** The number of the first bucket since 1970. */
  readonly first: bigint
  readonly count: number
}

/** The width of buckets if a request names none, and how many of them one response may have. */
interface BucketLimits {
  /** The default is the first of these widths that gives few enough buckets, or else a day. In seconds. */
  readonly widths: readonly number[]
  readonly countByDefault: number
  readonly countMax: number
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const upToDay: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * hour),
]

/** The buckets of time series. The last width divides all storable time into few enough of them. */
export const seriesBuckets: BucketLimits = {
  widths: [...upToDay, ...[2, 7, 30, 90, 365].map((days) => days * day)],
  countByDefault: 500,
  countMax: 500,
}

/** The buckets of a histogram of messages (docs/questions.md, section 12). */
export const histogramBuckets: BucketLimits = { widths: upToDay, countByDefault: 120, countMax: 1_000 }

/**
 * Returns the buckets of a window, of the requested width or the default one. `pointer` locates the width in the
 * request.
 * @throws Problem 400 at `pointer` for more buckets than allowed
 */
export function bucketsOf(
  window: TimeWindow,
  requestedS: number | undefined,
  { widths, countByDefault, countMax }: BucketLimits,
  pointer: '#/query/step_s' | '/step_s',
): Buckets {
  const fitting = widths.find((width) => divide(window, width).count <= countByDefault)
  const buckets = divide(window, requestedS ?? fitting ?? day)
  if (buckets.count <= countMax) return buckets
  const message =
    requestedS === undefined
      ? `A window of this length requires \`step_s\`: a bucket a day would give ${buckets.count} buckets.`
      : `\`step_s\` divides the window into ${buckets.count} buckets.`
  throw invalid(pointer, 'too_many', `${message} At most ${countMax} are allowed.`)
}

function divide({ fromNs, toNs }: TimeWindow, stepS: number): Buckets {
  const stepNs = nsOfSeconds(stepS)
  const first = fromNs / stepNs
  return { stepS, stepNs, first, count: Number((toNs - 1n) / stepNs - first) + 1 }
}
