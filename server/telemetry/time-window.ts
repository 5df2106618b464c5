/** The window of a request. */
import { nsOfRfc3339, rfc3339OfNs, type TimeWindow } from '#sql'
import { invalid } from '../problem/problem.ts'
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
  const fromNs = from === undefined ? toNs - lengthNsOf(last_s) : readTimestamp(from, `${parent}/from`)
  if (fromNs >= toNs) throw invalid(`${parent}/from`, 'empty_window', '`from` must be before `to`.')
  return { fromNs: clamp(fromNs), toNs: clamp(toNs) }
}

/**
 * Returns the window of a request with its times as they were sent, for a text that states them. `window` is what
 * `readWindow` returned, which moves times outside of `allTime`.
 */
export function sentWindow({ from, to, last_s }: WindowRequest, window: TimeWindow): TimeWindow {
  const toNs = to === undefined ? window.toNs : (nsOfRfc3339(to) ?? window.toNs)
  if (from !== undefined) return { fromNs: nsOfRfc3339(from) ?? window.fromNs, toNs }
  return { fromNs: to === undefined ? window.fromNs : toNs - lengthNsOf(last_s), toNs }
}

function lengthNsOf(last_s: number | undefined): bigint {
  return last_s === undefined ? defaultWindowNs : nsOfSeconds(last_s)
}

/** Reports whether a request names a window by its times. */
export function hasWindow({ from, to }: WindowRequest): boolean {
  return from !== undefined || to !== undefined
}

/** Returns the window of a request like `readWindow`, but all times for a request that names none. */
export function readWindowOrAllTime(request: WindowRequest, now: Date, parent: string): TimeWindow {
  return hasWindow(request) ? readWindow(request, now, parent) : allTime
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
