/** Conversions between the nanoseconds of telemetry, the milliseconds of clocks and the seconds of the API. */

export const nsPerMs = 1_000_000n
const nsPerSecond = 1_000_000_000n
export const msPerDay = 86_400_000

/** Converts milliseconds to nanoseconds; a fraction of a millisecond is dropped. */
export function nsOfMs(ms: number): bigint {
  return BigInt(Math.trunc(ms)) * nsPerMs
}

/** Converts whole seconds, or the decimal text of them, to nanoseconds. */
export function nsOfSeconds(seconds: number | string): bigint {
  return BigInt(seconds) * nsPerSecond
}

/** Converts a duration, as ClickHouse returns it, to milliseconds with a fraction. */
export function msOfNs(ns: string | number): number {
  return Number(ns) / Number(nsPerMs)
}
