/** Telemetry counts nanoseconds, clocks count milliseconds, and people seconds. */

export const nsPerMs = 1_000_000n
const nsPerSecond = 1_000_000_000n
export const msPerDay = 86_400_000

/** What is less than a millisecond is cut off. */
export function nsOfMs(ms: number): bigint {
  return BigInt(Math.trunc(ms)) * nsPerMs
}

/** Of whole seconds. */
export function nsOfSeconds(seconds: number): bigint {
  return BigInt(seconds) * nsPerSecond
}

/** Of a length, as ClickHouse answers it; with its fraction. */
export function msOfNs(ns: string | number): number {
  return Number(ns) / Number(nsPerMs)
}
