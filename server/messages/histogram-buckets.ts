import type { TimeWindow } from '#sql'
import { invalid } from '../problem/problem.ts'
import { nsOfSeconds } from '../telemetry/time-units.ts'

/** The widths that are chosen by default, in seconds. */
const widths: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * 3_600),
]
const widest = 86_400

/** The maximum number of buckets by default, and of any request. */
const bucketsByDefault = 120
const bucketsMax = 1_000

/** The buckets of a window, aligned to 1970. The first and the last may lie in the window only in part. */
export interface Buckets {
  readonly stepS: number
  readonly stepNs: bigint
  /** The number of the first bucket since 1970. */
  readonly first: bigint
  readonly count: number
}

/**
 * Returns the buckets of a histogram of messages: of the requested width, or of the smallest default width that gives
 * few enough (docs/questions.md, section 12).
 * @throws Problem 400 at `/step_s` for more buckets than allowed
 */
export function bucketsOf(window: TimeWindow, requestedS: number | undefined): Buckets {
  const fitting = widths.find((width) => divide(window, width).count <= bucketsByDefault)
  const buckets = divide(window, requestedS ?? fitting ?? widest)
  if (buckets.count <= bucketsMax) return buckets
  const message =
    requestedS === undefined
      ? `A window of this length requires \`step_s\`: a bucket a day would give ${buckets.count} buckets.`
      : `\`step_s\` divides the window into ${buckets.count} buckets.`
  throw invalid('/step_s', 'too_many', `${message} At most ${bucketsMax} are allowed.`)
}

function divide({ fromNs, toNs }: TimeWindow, stepS: number): Buckets {
  const stepNs = nsOfSeconds(stepS)
  const first = fromNs / stepNs
  return { stepS, stepNs, first, count: Number((toNs - 1n) / stepNs - first) + 1 }
}
