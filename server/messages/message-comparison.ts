/** What differs between two sides of messages (docs/questions.md, section 14). */
import {
  type Attribute,
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
  type ScopedValuesRow,
  type SideName,
  type Sql,
  scopedValueCounts,
} from '#sql'
import { byCodePoint } from '../problem/record-input.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'
import { type ComparedKey, comparisonLabel, comparisonSettings, readComparedKeys } from './compared-keys.ts'
import { type IndexedKeys, readIndexedKeys } from './few-valued-keys.ts'
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

interface ComparisonOptions {
  /** Spans that started before this time have expired. By default, none have. */
  readonly retainedFromNs?: bigint
  readonly limits?: ComparisonLimits
}

/**
 * Compares the messages of two sides. All queries see the spans that are stored at the first one. Reads keys in the
 * order of the largest difference that they can have, and leaves out those that cannot be among the results.
 */
export async function compareMessages(
  visible: ScopedTelemetry,
  sides: Comparison,
  { retainedFromNs = 0n, limits = comparisonLimits }: ComparisonOptions = {},
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
  const comparison = { a, b: { ...sides.b, ...b } }
  const keys = totals.a + totals.b === 0 ? [] : await readComparedKeys(telemetry, comparison)
  const indexed = await readIndexedKeys(telemetry, keys.filter(mayHaveMany), retainedFromNs)
  const run: Run = { telemetry, comparison, totals: compared, limits, indexed }
  const mayHaveTooMany = (key: ComparedKey) => mayHaveMany(key) && !indexed.few.has(key)
  // A query could not hold all values of a frequent key.
  const isFrequent = ({ steps }: ComparedKey) => steps.a + steps.b > limits.unknownStepsMax / limits.keysPerQueryMax
  const { few, many } = await splitByValues(
    run,
    keys.filter((key) => isFrequent(key) && mayHaveTooMany(key)),
  )
  const counted = new Set([...few, ...many.map(({ key }) => key)])
  const unread = keys.filter((key) => !counted.has(key))
  const { pairs, manyValued } = await readPairs(
    run,
    [...few, ...unread],
    (key) => !counted.has(key) && mayHaveTooMany(key),
  )
  return { totals, compared, pairs, manyValued: sortCarriers(run, [...many, ...manyValued]) }
}

interface Run {
  readonly telemetry: ScopedTelemetry
  readonly comparison: Comparison
  /** The numbers of compared messages. */
  readonly totals: ComparedTotals
  readonly limits: ComparisonLimits
  readonly indexed: IndexedKeys
}

async function withOldest(telemetry: ScopedTelemetry, sides: Comparison, name: SideName, messages: number) {
  const query = newestOfSide(sides, name, messages)
  const [row] = await readInScope<ComparedPositionRow>(telemetry, query, comparisonLabel)
  if (row === undefined) return sides[name]
  return { ...sides[name], oldest: { startedNs: BigInt(row.started_ns), traceId: row.trace_id } }
}

/** A key with too many values, and the numbers of messages that carry it. */
interface ManyValued {
  readonly key: ComparedKey
  readonly counts: ComparedTotals
}

/** Separates keys that have too many values on a side. Most keys have few in all spans, which is cheaper to find. */
async function splitByValues(run: Run, keys: readonly ComparedKey[]) {
  const few: ComparedKey[] = []
  const unproven = keys.filter((key) => run.indexed.many.has(key))
  for (const batch of inBatches(
    keys.filter((key) => !run.indexed.many.has(key)),
    run.limits.keysPerQueryMax,
  )) {
    const [row] = await read<ScopedValuesRow>(run, scopedValueCounts(attributesOf(batch)))
    for (const [index, key] of batch.entries())
      (Number(row?.values[index]) > comparedValuesMax ? unproven : few).push(key)
  }
  const many: ManyValued[] = []
  for (const batch of inBatches(unproven, run.limits.keysPerQueryMax)) {
    const [row] = await read<ComparedValuesRow>(run, comparedValueCounts(run.comparison, attributesOf(batch)))
    for (const [index, key] of batch.entries()) {
      const most = Math.max(Number(row?.values_a[index]), Number(row?.values_b[index]))
      if (most <= comparedValuesMax) few.push(key)
      else many.push({ key, counts: { a: Number(row?.a[index]), b: Number(row?.b[index]) } })
    }
  }
  return { few, many }
}

/**
 * Reads the pairs of keys, and finds the keys that have too many values after all. Keys that cannot be among the
 * results are not read, unless they may have too many values.
 */
async function readPairs(run: Run, keys: readonly ComparedKey[], mayHaveTooMany: (key: ComparedKey) => boolean) {
  const { comparison, totals, limits } = run
  const excludedKeys: ComparedKey[] = []
  let pairs: ComparedPair[] = []
  const sorted = keys
    .map((key) => ({ key, most: mostDifference(key, totals) }))
    .sort((left, right) => right.most - left.most || byCodePoint(left.key.attribute.key, right.key.attribute.key))
  let at = 0
  for (;;) {
    // Often the common keys alone decide the results, so they are read first.
    const first = (sorted[0]?.most ?? 0) / 2
    const last = pairs.length < comparedPairsMax ? undefined : pairs.at(-1)
    const least = at === 0 ? first : last === undefined ? 0 : difference(last.counts, totals)
    // Of pairs with equal differences, those of the smaller keys come first.
    const isBefore = (key: ComparedKey) => last === undefined || byCodePoint(key.attribute.key, last.key) <= 0
    const batch = sorted
      .slice(at, at + limits.keysPerQueryMax)
      .filter(({ most, key }) => most > least || (most === least && isBefore(key)))
      .map(({ key }) => key)
    if (batch.length === 0) break
    at += batch.length
    const rows = await read<ComparedPairRow>(run, comparedPairs(comparison, attributesOf(batch), totals))
    const isTooMany = (row: ComparedPairRow) => Math.max(Number(row.a_values), Number(row.b_values)) > comparedValuesMax
    const excluded = new Set(rows.filter(isTooMany).map(({ attribute }) => attribute))
    excludedKeys.push(...batch.filter((_, index) => excluded.has(index)))
    const found = rows
      .filter(({ attribute }) => !excluded.has(attribute))
      .map(({ attribute, value, a, b }) => ({
        key: batch[attribute]?.attribute.key ?? '',
        value,
        counts: { a: Number(a), b: Number(b) },
      }))
    pairs = [...pairs, ...found].sort((left, right) => comparePairs(left, right, totals)).slice(0, comparedPairsMax)
  }
  const unread = sorted.slice(at).map(({ key }) => key)
  const { many } = await splitByValues(run, unread.filter(mayHaveTooMany))
  return { pairs, manyValued: [...(await readCarriers(run, excludedKeys)), ...many] }
}

/** Reports whether a key may have too many values on a side, which takes as many steps. */
function mayHaveMany({ steps }: ComparedKey): boolean {
  return Math.max(steps.a, steps.b) > comparedValuesMax
}

function attributesOf(keys: readonly ComparedKey[]): Attribute[] {
  return keys.map(({ attribute }) => attribute)
}

function read<Row>({ telemetry }: Run, query: Sql): Promise<Row[]> {
  return readInScope<Row>(telemetry, query, comparisonLabel, { settings: comparisonSettings })
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

/** Counts the messages that carry keys with too many values. */
async function readCarriers(run: Run, keys: readonly ComparedKey[]): Promise<ManyValued[]> {
  const carriers: ManyValued[] = []
  for (const batch of inBatches(keys, run.limits.keysPerQueryMax)) {
    const [row] = await read<ComparedCarriedRow>(run, comparedCarriers(run.comparison, attributesOf(batch)))
    for (const [index, key] of batch.entries())
      carriers.push({ key, counts: { a: Number(row?.a[index]), b: Number(row?.b[index]) } })
  }
  return carriers
}

/** Sorts keys with too many values by the larger share, then by key. */
function sortCarriers({ totals }: Run, keys: readonly ManyValued[]): ComparedCarrier[] {
  const share = ({ counts }: ComparedCarrier) =>
    Math.max(counts.a * atLeastOne(totals.b), counts.b * atLeastOne(totals.a))
  return keys
    .map(({ key, counts }) => ({ key: key.attribute.key, counts }))
    .sort((left, right) => share(right) - share(left) || byCodePoint(left.key, right.key))
}

function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
