import type { TimeWindow } from '#sql'
import { invalid, raise } from '../problem/problem.ts'
import { nsOfSeconds } from './time-units.ts'

/** Points that one series has at most. */
export const pointsMax = 500

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** What a step may be when none is asked for, in seconds; the last one suits all the time that can be stored. */
const ladder: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 30, 90, 365].map((days) => days * day),
]

/**
 * The step asked for, else the shortest of the ladder with which the window has at most `pointsMax` steps.
 * @throws Problem 400 at `pointer` when the step asked for gives more
 */
export function bucketSeconds(window: TimeWindow, asked: number | undefined, pointer = '#/query/step_s'): number {
  if (asked === undefined) {
    const shortest = ladder.find((step) => stepCount(window, step) <= pointsMax)
    return shortest ?? raise(new Error('The ladder has no step for a window of this length.'))
  }
  const count = stepCount(window, asked)
  if (count <= pointsMax) return asked
  throw invalid(pointer, 'too_many', `The window has ${count} such steps; at most ${pointsMax} are shown.`)
}

/** Steps that the window touches; the first and last may lie in it only in part. */
function stepCount({ fromNs, toNs }: TimeWindow, step: number): number {
  const stepNs = nsOfSeconds(step)
  return Number((toNs - 1n) / stepNs - fromNs / stepNs) + 1
}
