/** Conversions of ids and times to the forms outside the database: hexadecimal digits and RFC 3339. */

/** Returns 32 lower-case hexadecimal digits for the decimal text of a UInt128. */
export function hexOfTraceId(decimal: string): string {
  return BigInt(decimal).toString(16).padStart(32, '0')
}

/** Returns the decimal text of the UInt128 with these hexadecimal digits, in upper or lower case. */
export function traceIdOfHex(hex: string): string {
  return BigInt(`0x${hex}`).toString()
}

/** Returns 16 lower-case hexadecimal digits for the decimal text of a UInt64. */
export function hexOfSpanId(id: string | bigint): string {
  return BigInt(id).toString(16).padStart(16, '0')
}

/** Returns the decimal text of the UInt64 with these hexadecimal digits, in upper or lower case. */
export function spanIdOfHex(hex: string): string {
  return BigInt(`0x${hex}`).toString()
}

const rfc3339 = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:)(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:?\d{2})$/

/**
 * Returns an RFC 3339 time, with any offset and up to nine fractional digits, as nanoseconds since 1970. Returns
 * undefined for any other text. A leap second (section 5.7) has the times of the second after it, as in Unix time.
 */
export function nsOfRfc3339(text: string): bigint | undefined {
  const found = rfc3339.exec(text)
  if (found === null) return undefined
  const [, minute = '', second = '', fraction = '', offset = ''] = found
  // Python formats offsets without a colon, which `Date` does not parse.
  const zone = offset.replace(/^(.\d\d)(\d\d)$/, '$1:$2')
  const parse = (seconds: string) => Date.parse(`${minute}${seconds}${zone}`.toUpperCase())
  const isLeap = second === '60' && isEndOfMonth(parse('59'))
  const millis = isLeap ? parse('59') + 1_000 : parse(second)
  // An offset can move the first and the last day beyond the years that RFC 3339 can write in UTC.
  const isWritable = millis >= Date.parse('0000-01-01T00:00:00Z') && millis <= Date.parse('9999-12-31T23:59:59Z')
  return isWritable ? BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) : undefined
}

/** Reports whether a time in milliseconds is in the last second of a month in UTC, which a leap second may follow. */
function isEndOfMonth(millis: number): boolean {
  return /^....-..-01T00:00:00/.test(Number.isNaN(millis) ? '' : new Date(millis + 1_000).toISOString())
}

/** Returns an RFC 3339 time in UTC with nine fractional digits, or without a fraction if it is zero. */
export function rfc3339OfNs(ns: bigint): string {
  const fraction = ((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const seconds = (ns - fraction) / 1_000_000_000n
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return fraction === 0n ? `${whole}Z` : `${whole}.${fraction.toString().padStart(9, '0')}Z`
}
