const rfc3339 = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?[Zz]$/

/** Nanoseconds since 1970 of an RFC 3339 moment in UTC with up to nine digits; undefined for anything else. */
export function nsOfRfc3339(text: string): bigint | undefined {
  const found = rfc3339.exec(text)
  if (found === null) return undefined
  const [, seconds = '', fraction = ''] = found
  const millis = Date.parse(`${seconds.toUpperCase()}Z`)
  return Number.isNaN(millis) ? undefined : BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** All nine digits after the second, or none when they are zero. */
export function rfc3339OfNs(ns: bigint): string {
  const fraction = ((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const seconds = (ns - fraction) / 1_000_000_000n
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return fraction === 0n ? `${whole}Z` : `${whole}.${fraction.toString().padStart(9, '0')}Z`
}
