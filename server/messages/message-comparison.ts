/** What differs between two sides of messages (docs/questions.md, section 14). */
import {
  type ComparedCarriedRow,
  type ComparedCountsRow,
  type ComparedPairRow,
  type ComparedPositionRow,
  type ComparedTotals,
  type ComparedValuesRow,
  type Comparison,
  comparedCarriers,
  comparedCounts,
  comparedMessagesMax,
  comparedPairs,
  comparedPairsMax,
  comparedValueCounts,
  comparedValuesMax,
  newestOfSide,
  type SideName,
} from '#sql'
import { byCodePoint } from '../problem/record-input.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'
import { type ComparedKey, comparisonLabel, readComparedKeys } from './compared-keys.ts'
import { storedBy } from './search-strategies.ts'

/** The result of a comparison. */
export interface ComparedMessages {
  /** The numbers of messages of each side, and how many of them were compared. */
  readonly totals: ComparedTotals
  readonly compared: ComparedTotals
  /** The pairs with the largest difference of shares, in order. */
  readonly pairs: readonly ComparedPair[]
  /** The keys with too many values, in order, with the number of messages that carry each. */
  readonly manyValued: readonly ComparedCarrier[]
}

interface ComparedPair {
  readonly key: string
  readonly value: string
  readonly counts: ComparedTotals
}

interface ComparedCarrier {
  readonly key: string
  readonly counts: ComparedTotals
}

/** The limits of the work of one query. Within them, the memory of a query is bounded. */
export interface ComparisonLimits {
  /** The maximum number of messages of a side. */
  readonly messagesMax: number
  /** The maximum number of attributes that one query reads. */
  readonly keysPerQueryMax: number
  /**
   * The maximum number of steps that carry the attributes of a query whose values are not known to be few. It limits
   * the number of values that the query holds.
   */
  readonly unknownStepsMax: number
}

const comparisonLimits: ComparisonLimits = {
  messagesMax: comparedMessagesMax,
  keysPerQueryMax: 32,
  unknownStepsMax: 500_000,
}

/**
 * Compares the messages of two sides. All queries see the spans that are stored at the first one. Reads keys in the
 * order of the largest difference that they can have, and leaves out those that cannot be among the results.
 */
export async function compareMessages(
  visible: ScopedTelemetry,
  sides: Comparison,
  limits: ComparisonLimits = comparisonLimits,
): Promise<ComparedMessages> {
  const [counts] = await readInScope<ComparedCountsRow>(visible, comparedCounts(sides), comparisonLabel)
  const telemetry = storedBy(visible, BigInt(counts?.asked_micros ?? 0))
  const totals = { a: Number(counts?.a ?? 0), b: Number(counts?.b ?? 0) }
  const max = limits.messagesMax
  const compared = { a: Math.min(totals.a, max), b: Math.min(totals.b, max) }
  const [a, b] = await Promise.all([
    totals.a > max ? withOldest(telemetry, sides, 'a', max) : sides.a,
    totals.b > max ? withOldest(telemetry, sides, 'b', max) : sides.b,
  ])
  const run: Run = { telemetry, comparison: { a, b: { ...sides.b, ...b } }, totals: compared, limits }
  const keys = totals.a + totals.b === 0 ? [] : await readComparedKeys(telemetry, run.comparison)
  const { few, many, unknown } = await sortByValues(run, keys)
  const { pairs, manyValued } = await readPairs(run, [...few, ...unknown])
  return { totals, compared, pairs, manyValued: await readCarriers(run, [...many, ...manyValued]) }
}

interface Run {
  readonly telemetry: ScopedTelemetry
  readonly comparison: Comparison
  /** The numbers of compared messages. */
  readonly totals: ComparedTotals
  readonly limits: ComparisonLimits
}

async function withOldest(telemetry: ScopedTelemetry, sides: Comparison, name: SideName, messages: number) {
  const query = newestOfSide(sides, name, messages)
  const [row] = await readInScope<ComparedPositionRow>(telemetry, query, comparisonLabel)
  if (row === undefined) return sides[name]
  return { ...sides[name], oldest: { startedNs: BigInt(row.started_ns), traceId: row.trace_id } }
}

/** A key, and whether its values are known to be within the limit. */
interface CheckedKey extends ComparedKey {
  readonly isChecked: boolean
}

/** Counts the values of frequent keys, because a query could not hold all of their values. */
async function sortByValues({ telemetry, comparison, limits }: Run, keys: readonly ComparedKey[]) {
  const few: CheckedKey[] = []
  const many: ComparedKey[] = []
  const isFrequent = ({ steps }: ComparedKey) => steps.a + steps.b > limits.unknownStepsMax / limits.keysPerQueryMax
  for (const batch of inBatches(keys.filter(isFrequent), limits.keysPerQueryMax)) {
    const query = comparedValueCounts(
      comparison,
      batch.map(({ attribute }) => attribute),
    )
    const [counts] = await readInScope<ComparedValuesRow>(telemetry, query, comparisonLabel)
    for (const [index, key] of batch.entries()) {
      const most = Math.max(Number(counts?.a[index]), Number(counts?.b[index]))
      if (most > comparedValuesMax) many.push(key)
      else few.push({ ...key, isChecked: true })
    }
  }
  const unknown = keys.filter((key) => !isFrequent(key)).map((key) => ({ ...key, isChecked: false }))
  return { few, many, unknown }
}

/** Reads the pairs of keys, and finds the keys that have too many values after all. */
async function readPairs(run: Run, keys: readonly CheckedKey[]) {
  const { telemetry, comparison, totals, limits } = run
  const manyValued: ComparedKey[] = []
  let pairs: ComparedPair[] = []
  const waiting = keys
    .map((key) => ({ key, most: mostDifference(key, totals) }))
    .sort((left, right) => right.most - left.most)
  while (waiting.length > 0) {
    const least = pairs.length < comparedPairsMax ? -1 : difference(pairs.at(-1)?.counts ?? totals, totals)
    const batch = waiting.splice(0, limits.keysPerQueryMax).filter(({ key, most }) => most >= least || mayHaveMany(key))
    if (batch.length === 0) continue
    const query = comparedPairs(
      comparison,
      batch.map(({ key }) => key.attribute),
      totals,
    )
    const rows = await readInScope<ComparedPairRow>(telemetry, query, comparisonLabel)
    const isTooMany = (row: ComparedPairRow) => Math.max(Number(row.a_values), Number(row.b_values)) > comparedValuesMax
    const excluded = new Set(rows.filter(isTooMany).map(({ attribute }) => attribute))
    manyValued.push(...batch.filter((_, index) => excluded.has(index)).map(({ key }) => key))
    const found = rows
      .filter(({ attribute }) => !excluded.has(attribute))
      .map(({ attribute, value, a, b }) => ({
        key: batch[attribute]?.key.attribute.key ?? '',
        value,
        counts: { a: Number(a), b: Number(b) },
      }))
    pairs = [...pairs, ...found].sort((left, right) => comparePairs(left, right, totals)).slice(0, comparedPairsMax)
  }
  return { pairs, manyValued }
}

/** Reports whether a key may have too many values on a side, which takes as many steps. */
function mayHaveMany({ isChecked, steps }: CheckedKey): boolean {
  return !isChecked && Math.max(steps.a, steps.b) > comparedValuesMax
}

/** Returns a number that no difference of a value of the key exceeds. */
function mostDifference({ steps }: ComparedKey, totals: ComparedTotals): number {
  return Math.max(
    Math.min(steps.a, totals.a) * atLeastOne(totals.b),
    Math.min(steps.b, totals.b) * atLeastOne(totals.a),
  )
}

/** Returns the difference of two shares as an integer: times the numbers of messages of both sides. */
function difference(counts: ComparedTotals, totals: ComparedTotals): number {
  return Math.abs(counts.a * atLeastOne(totals.b) - counts.b * atLeastOne(totals.a))
}

/** The share of an empty side is 0, not undefined. */
function atLeastOne(total: number): number {
  return Math.max(total, 1)
}

function comparePairs(left: ComparedPair, right: ComparedPair, totals: ComparedTotals): number {
  return (
    difference(right.counts, totals) - difference(left.counts, totals) ||
    byCodePoint(left.key, right.key) ||
    byCodePoint(left.value, right.value)
  )
}

/** Counts the messages that carry keys with too many values. Sorts them by the larger share, then by key. */
async function readCarriers({ telemetry, comparison, totals, limits }: Run, keys: readonly ComparedKey[]) {
  const carriers: ComparedCarrier[] = []
  for (const batch of inBatches(keys, limits.keysPerQueryMax)) {
    const query = comparedCarriers(
      comparison,
      batch.map(({ attribute }) => attribute),
    )
    const [row] = await readInScope<ComparedCarriedRow>(telemetry, query, comparisonLabel)
    for (const [index, { attribute }] of batch.entries())
      carriers.push({ key: attribute.key, counts: { a: Number(row?.a[index]), b: Number(row?.b[index]) } })
  }
  const share = ({ counts }: ComparedCarrier) =>
    Math.max(counts.a * atLeastOne(totals.b), counts.b * atLeastOne(totals.a))
  return carriers.sort((left, right) => share(right) - share(left) || byCodePoint(left.key, right.key))
}

function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
