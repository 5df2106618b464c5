/** The results of comparing messages in either way, and their order (docs/questions.md, section 14). */
import { byCodePoint, type ComparedTotals } from '#sql'

export interface ComparedAttributes {
  /** The pairs with the largest difference of shares, in order. */
  readonly pairs: readonly ComparedPair[]
  /** The keys with too many values, in any order, with the number of messages that carry each. */
  readonly manyValued: readonly ComparedCarrier[]
}

export interface ComparedPair {
  readonly key: string
  readonly value: string
  readonly counts: ComparedTotals
}

export interface ComparedCarrier {
  readonly key: string
  readonly counts: ComparedTotals
}

/** Returns the difference of two shares as an integer: times the numbers of messages of both sides. */
export function differenceOfShares(counts: ComparedTotals, totals: ComparedTotals): number {
  return Math.abs(counts.a * atLeastOne(totals.b) - counts.b * atLeastOne(totals.a))
}

/** Returns the divisor of a share. That of an empty side is 1, so that its shares are 0, not NaN. */
export function atLeastOne(total: number): number {
  return Math.max(total, 1)
}

/** Sorts pairs by the difference of their shares, the largest first, then by key and value. */
export function comparePairs(left: ComparedPair, right: ComparedPair, totals: ComparedTotals): number {
  return (
    differenceOfShares(right.counts, totals) - differenceOfShares(left.counts, totals) ||
    byCodePoint(left.key, right.key) ||
    byCodePoint(left.value, right.value)
  )
}
