const nanosecondsPerSecond = 1_000_000_000n

/** Returns a time as RFC 3339 in UTC, with all nine digits of the second unless they are zero. */
export function toRfc3339(ns: bigint): string {
  const seconds = ns / nanosecondsPerSecond
  const fraction = (ns % nanosecondsPerSecond).toString().padStart(9, '0')
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return fraction === '000000000' ? `${whole}Z` : `${whole}.${fraction}Z`
}

/** Returns the nanoseconds since 1970 of an RFC 3339 time with up to nine digits. @throws Error for other texts */
export function fromRfc3339(text: string): bigint {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text)
  if (found === null) throw new Error(`Not an RFC 3339 time in UTC: ${text}`)
  const [, whole, fraction = ''] = found
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}
