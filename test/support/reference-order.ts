/** The orders of texts and of groups that the references share. */

/** Compares by UTF-8 bytes, whose order differs from that of UTF-16 code units beyond the basic plane. */
export function byCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** Compares the values of groups one by one. A value that is not carried precedes every text. */
export function byGroupValues(left: readonly (string | null)[], right: readonly (string | null)[]): number {
  for (const [index, one] of left.entries()) {
    const other = right[index] ?? null
    if (one === other) continue
    if (one === null) return -1
    return other === null ? 1 : byCodePoints(one, other)
  }
  return 0
}
