/** The window of a request, and the buckets into which a time series divides it. */
import { nsOfRfc3339, rfc3339OfNs, type TimeWindow } from '#sql'
import { invalid, raise } from '../problem/problem.ts'
import { nsOfMs, nsOfSeconds, nsPerMs } from './time-units.ts'

const defaultWindowNs = nsOfSeconds(3_600)

/** The window of all times that can be stored. */
export const allTime: TimeWindow = { fromNs: 0n, toNs: 2n ** 63n - 1n }

export interface WindowRequest {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Length of the window in seconds, as an alternative to `from`. */
  readonly last_s?: number | undefined
}

/**
 * Returns the window `[from, to)`. `to` defaults to now and `from` to one hour before `to`. `parent` is the JSON
 * pointer of the object that contains both: `#/query`, or empty for the request body.
 * @throws Problem 400 at `from` or `to`
 */
export function readWindow({ from, to, last_s }: WindowRequest, now: Date, parent: string): TimeWindow {
  const toNs = to === undefined ? nsOfMs(now.getTime()) + nsPerMs : readTimestamp(to, `${parent}/to`)
  const lengthNs = last_s === undefined ? defaultWindowNs : nsOfSeconds(last_s)
  const fromNs = from === undefined ? toNs - lengthNs : readTimestamp(from, `${parent}/from`)
  if (fromNs >= toNs) throw invalid(`${parent}/from`, 'empty_window', '`from` must be before `to`.')
  return { fromNs: clamp(fromNs), toNs: clamp(toNs) }
}

/** Returns a relative window as RFC 3339 times. */
export function rfc3339Window(window: WindowRequest, now: Date): { readonly from: string; readonly to: string } {
  const { fromNs, toNs } = readWindow(window, now, '')
  return { from: rfc3339OfNs(fromNs), to: rfc3339OfNs(toNs) }
}

/** Limits a time to `allTime`. Nothing is stored outside of it. */
function clamp(ns: bigint): bigint {
  if (ns < allTime.fromNs) return allTime.fromNs
  return ns > allTime.toNs ? allTime.toNs : ns
}

function readTimestamp(text: string, pointer: string): bigint {
  const ns = nsOfRfc3339(text)
  if (ns === undefined) throw invalid(pointer, 'format', 'Not a valid RFC 3339 timestamp.')
  return ns
}

/** The maximum number of buckets in a window, and therefore of points in a time series. */
const bucketsMax = 500

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Default bucket widths in seconds. The widest one divides all storable time into few enough buckets. */
const bucketWidths: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 30, 90, 365].map((days) => days * day),
]

/**
 * Returns the width of the buckets of a time series in seconds: the requested one, or by default the shortest of
 * `bucketWidths` that divides the window into at most `bucketsMax` buckets.
 * @throws Problem 400 at `pointer` when the requested width gives more buckets
 */
export function bucketWidthSeconds(
  window: TimeWindow,
  requested: number | undefined,
  pointer: '#/query/step_s' | '/step_s' = '#/query/step_s',
): number {
  if (requested === undefined) {
    const shortest = bucketWidths.find((width) => bucketCount(window, width) <= bucketsMax)
    return shortest ?? raise(new Error('No default bucket width fits a window of this length.'))
  }
  const count = bucketCount(window, requested)
  if (count <= bucketsMax) return requested
  const message = `\`step_s\` divides the window into ${count} buckets. At most ${bucketsMax} are allowed.`
  throw invalid(pointer, 'too_many', message)
}

/** Counts the buckets that overlap the window. The first and the last may overlap it only in part. */
function bucketCount({ fromNs, toNs }: TimeWindow, seconds: number): number {
  const widthNs = nsOfSeconds(seconds)
  return Number((toNs - 1n) / widthNs - fromNs / widthNs) + 1
}
