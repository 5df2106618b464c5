/** Compares texts by code point, as both stores do, instead of by UTF-16 code unit. */
export function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
