import type { TimeWindow } from '#sql'

const nsPerMs = 1_000_000n

export function nsOfMs(ms: number): bigint {
  return BigInt(Math.trunc(ms)) * nsPerMs
}

/** `[at - window, at)`: what is measured at a moment. */
export function windowBefore(atMs: number, windowS: number): TimeWindow {
  return { fromNs: nsOfMs(atMs - windowS * 1_000), toNs: nsOfMs(atMs) }
}
