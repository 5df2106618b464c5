import type { TimeWindow } from '#sql'
import { invalid } from '../problem/problem.ts'
import { nsOfMs, nsOfSeconds, nsPerMs } from '../telemetry/time-units.ts'
import { allTime } from '../telemetry/time-window.ts'

/** The window of a request. Times are digits: seconds since 1970, or nanoseconds. */
export interface TempoWindowRequest {
  readonly start?: string | undefined
  readonly end?: string | undefined
}

const defaultLengthNs = nsOfSeconds(3_600)
/** Times of more digits are nanoseconds. */
const secondsDigitsMax = 11

/** Returns the times that a request gives. Tempo and its clients write zero for both if there are none. */
export function givenTimes({ start, end }: TempoWindowRequest): TempoWindowRequest {
  return Number(start) === 0 && Number(end) === 0 ? {} : { start, end }
}

/**
 * Returns the window `[start, end)`. `end` defaults to now and `start` to one hour before `end`. Two equal times, which
 * Grafana sends for an interval of less than a second, become one second.
 * @throws Problem 400 at `start`
 */
export function readTempoWindow(request: TempoWindowRequest, now: Date): TimeWindow {
  const { start, end } = givenTimes(request)
  const endNs = end === undefined ? nsOfMs(now.getTime()) + nsPerMs : readTime(end)
  const fromNs = start === undefined ? endNs - defaultLengthNs : readTime(start)
  const toNs = fromNs === endNs ? endNs + nsOfSeconds(1) : endNs
  if (fromNs >= toNs) throw invalid('#/query/start', 'empty_window', '`start` must be before `end`.')
  return { fromNs: fromNs < 0n ? 0n : fromNs, toNs: toNs > allTime.toNs ? allTime.toNs : toNs }
}

function readTime(digits: string): bigint {
  const ns = digits.length > secondsDigitsMax ? BigInt(digits) : BigInt(digits) * nsOfSeconds(1)
  return ns > allTime.toNs ? allTime.toNs : ns
}
