/** Returns the trace id at a position of RowBinary as the decimal text of a UInt128. */
export function readTraceId(bytes: Buffer, at: number): string {
  return String((bytes.readBigUInt64LE(at + 8) << 64n) | bytes.readBigUInt64LE(at))
}
