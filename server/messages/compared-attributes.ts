/** The results of comparing messages in either way, and their order (docs/questions.md, section 14). */
import type { ComparedTotals, Comparison, Sql } from '#sql'
import { byCodePoint } from '../problem/record-input.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'
import { comparisonLabel, comparisonSettings } from './compared-keys.ts'

/** The limits of the work of one query. Within them, the memory of a query is bounded. */
export interface ComparisonLimits {
  /** The maximum number of messages of a side. */
  readonly messagesMax: number
  /** Up to this number of messages of a side, each query gets their ids, instead of searching for them again. */
  readonly fewMax: number
  /** Up to this number of steps of few messages, all their attributes are counted in one query. */
  readonly fewStepsMax: number
  /** Up to this number of traces that began before the oldest message to compare, a query reads only what is newer. */
  readonly tracesAcrossMax: number
  /** The maximum number of pairs and keys that this query holds. Beyond it, keys are read one after the other. */
  readonly groupsMax: number
  /** The maximum number of attributes that one query reads. */
  readonly keysPerQueryMax: number
  /**
   * The maximum number of steps that carry the attributes of a query whose values are not known to be few. It limits
   * the number of values that the query holds.
   */
  readonly unknownStepsMax: number
}

/** Two sides of messages, and where to read their steps. */
export interface ComparisonRun {
  readonly telemetry: ScopedTelemetry
  readonly comparison: Comparison
  /** The numbers of compared messages. */
  readonly totals: ComparedTotals
  readonly limits: ComparisonLimits
}

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

/** Reads the rows of one query of a comparison. */
export function readCompared<Row>({ telemetry }: ComparisonRun, query: Sql): Promise<Row[]> {
  return readInScope<Row>(telemetry, query, comparisonLabel, { settings: comparisonSettings })
}

/** Returns the difference of two shares as an integer: times the numbers of messages of both sides. */
export function differenceOfShares(counts: ComparedTotals, totals: ComparedTotals): number {
  return Math.abs(counts.a * atLeastOne(totals.b) - counts.b * atLeastOne(totals.a))
}

/** The share of an empty side is 0, not undefined. */
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
