/** 32 lower-case hexadecimal digits from the decimal text of a UInt128. */
export function hexOfTraceId(decimal: string): string {
  return BigInt(decimal).toString(16).padStart(32, '0')
}

/** The decimal text of the UInt128 from hexadecimal digits of any case. */
export function traceIdOfHex(hex: string): string {
  return BigInt(`0x${hex}`).toString()
}

/** 16 lower-case hexadecimal digits from the decimal text of a UInt64. */
export function hexOfSpanId(decimal: string): string {
  return BigInt(decimal).toString(16).padStart(16, '0')
}
