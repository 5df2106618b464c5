import type { TimeWindow } from '#sql'
import { nsOfMs } from '../../telemetry/time-units.ts'

/** `[at - window, at)`: what is measured at a moment. */
export function windowBefore(atMs: number, windowS: number): TimeWindow {
  return { fromNs: nsOfMs(atMs - windowS * 1_000), toNs: nsOfMs(atMs) }
}
