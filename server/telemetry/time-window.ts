import { nsOfRfc3339, type TimeWindow } from '#sql'
import { invalid } from '../problem/problem.ts'
import { nsOfMs, nsOfSeconds, nsPerMs } from './time-units.ts'

const defaultWindowNs = nsOfSeconds(3_600)

/** All that can be stored: for reads that are about one trace, whenever it was. */
export const allTime: TimeWindow = { fromNs: 0n, toNs: 2n ** 63n - 1n }

export interface WindowRequest {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The last so many seconds; with it neither `from` nor `to` is asked for. */
  readonly last_s?: number | undefined
}

/**
 * `[from, to)`; without them the last hour, without one of them an hour on its other side, or up to now.
 * @throws Problem 400 at `from` or `to`; `place` is where the two stand: `` for the body, or `#/query`
 */
export function readWindow({ from, to, last_s }: WindowRequest, now: Date, place: string): TimeWindow {
  const toNs = to === undefined ? nsOfMs(now.getTime()) + nsPerMs : readMoment(to, `${place}/to`)
  const lengthNs = last_s === undefined ? defaultWindowNs : nsOfSeconds(last_s)
  const fromNs = from === undefined ? toNs - lengthNs : readMoment(from, `${place}/from`)
  if (fromNs >= toNs) throw invalid(`${place}/from`, 'empty_window', '`from` must be before `to`.')
  return { fromNs: clamp(fromNs), toNs: clamp(toNs) }
}

/** Nothing is stored outside of `allTime`, so a longer window asks for no more. */
function clamp(ns: bigint): bigint {
  if (ns < allTime.fromNs) return allTime.fromNs
  return ns > allTime.toNs ? allTime.toNs : ns
}

function readMoment(text: string, pointer: string): bigint {
  const ns = nsOfRfc3339(text)
  if (ns === undefined) throw invalid(pointer, 'format', 'This is no moment of the calendar.')
  return ns
}
