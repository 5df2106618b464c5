/** Compares messages key by key: reading a key is cheap, reading all attributes of many messages is not. */
import {
  type Attribute,
  byCodePoint,
  type ComparedCarriedRow,
  type ComparedPairRow,
  type ComparedTotals,
  type ComparedValuesRow,
  comparedCarriers,
  comparedPairs,
  comparedPairsMax,
  comparedValueCounts,
  comparedValuesMax,
  type ScopedValuesRow,
  type SideName,
  scopedValueCounts,
} from '#sql'
import { inBatches } from '../../telemetry/in-batches.ts'
import {
  atLeastOne,
  type ComparedAttributes,
  type ComparedPair,
  comparePairs,
  differenceOfShares,
} from './compared-attributes.ts'
import { type ComparedKey, readComparedKeys } from './compared-keys.ts'
import { type ComparisonRun, readCompared } from './comparison-run.ts'
import { type IndexedKeys, readIndexedKeys } from './few-valued-keys.ts'

/**
 * Compares the attributes of all steps. Reads keys in the order of the largest difference that they can have, and
 * leaves out those that cannot be among the results. Spans that started before `retainedFromNs` have expired.
 */
export async function compareKeyByKey(compared: ComparisonRun, retainedFromNs: bigint): Promise<ComparedAttributes> {
  const { telemetry, limits } = compared
  const keys = await readComparedKeys(compared)
  const indexed = await readIndexedKeys(telemetry, keys.filter(mayHaveMany), retainedFromNs)
  const run: Run = { ...compared, indexed }
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
  return { pairs, manyValued: [...many, ...manyValued].map(({ key, counts }) => ({ key: key.attribute.key, counts })) }
}

interface Run extends ComparisonRun {
  readonly indexed: IndexedKeys
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
    const [row] = await readCompared<ScopedValuesRow>(run, scopedValueCounts(run.found, attributesOf(batch)))
    for (const [index, key] of batch.entries())
      (Number(row?.values[index]) > comparedValuesMax ? unproven : few).push(key)
  }
  const many: ManyValued[] = []
  for (const batch of inBatches(unproven, run.limits.keysPerQueryMax)) {
    const [row] = await readCompared<ComparedValuesRow>(run, comparedValueCounts(run.found, attributesOf(batch)))
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
  const { found, totals, limits } = run
  const excludedKeys: ComparedKey[] = []
  const unread: ComparedKey[] = []
  let pairs: ComparedPair[] = []
  const sorted = keys
    .map((key) => ({ key, most: mostDifference(key.steps, totals) }))
    .sort((left, right) => right.most - left.most || byCodePoint(left.key.attribute.key, right.key.attribute.key))
  const stepsMax = keys.reduce((max, key) => Math.max(max, stepsOf(key)), 0)
  let at = 0
  for (;;) {
    // Often the common keys alone decide the results, so they are read first.
    const first = (sorted[0]?.most ?? 0) / 2
    const last = pairs.length < comparedPairsMax ? undefined : pairs.at(-1)
    const least = at === 0 ? first : last === undefined ? 0 : differenceOfShares(last.counts, totals)
    // Of pairs with equal differences, those of the smaller keys come first.
    const isBefore = (key: ComparedKey) => last === undefined || byCodePoint(key.attribute.key, last.key) <= 0
    const mayCount = (key: ComparedKey, most: number) => most > least || (most === least && isBefore(key))
    const candidates = sorted
      .slice(at, at + limits.keysPerQueryMax)
      .filter(({ most, key }) => mayCount(key, most))
      .map(({ key }) => key)
    if (candidates.length === 0) break
    at += candidates.length
    const most = last === undefined ? undefined : await readMostDifferences(run, candidates)
    const batch = most === undefined ? candidates : candidates.filter((key, index) => mayCount(key, most[index] ?? 0))
    unread.push(...candidates.filter((key) => !batch.includes(key)))
    if (batch.length === 0) continue
    const areRare = batch.reduce((sum, key) => sum + stepsOf(key), 0) < stepsMax
    const query = comparedPairs(found, attributesOf(batch), totals, areRare)
    const rows = await readCompared<ComparedPairRow>(run, query)
    const isTooMany = (row: ComparedPairRow) => Math.max(Number(row.a_values), Number(row.b_values)) > comparedValuesMax
    const excluded = new Set(rows.filter(isTooMany).map(({ attribute }) => attribute))
    excludedKeys.push(...batch.filter((_, index) => excluded.has(index)))
    const newPairs = rows
      .filter(({ attribute }) => !excluded.has(attribute))
      .map(({ attribute, value, a, b }) => ({
        key: batch[attribute]?.attribute.key ?? '',
        value,
        counts: { a: Number(a), b: Number(b) },
      }))
    pairs = [...pairs, ...newPairs].sort((left, right) => comparePairs(left, right, totals)).slice(0, comparedPairsMax)
  }
  unread.push(...sorted.slice(at).map(({ key }) => key))
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

function stepsOf({ steps }: ComparedKey): number {
  return steps.a + steps.b
}

/**
 * Returns for each key, in order, a number that no difference of a value exceeds, from the values that the messages of
 * a side have. Often a rare key has another value in each. Returns undefined unless the messages are very few: their
 * traces would be in most granules, and reading a key there takes as long as reading it on both sides.
 */
async function readMostDifferences(run: Run, keys: readonly ComparedKey[]): Promise<number[] | undefined> {
  const { found, totals, limits } = run
  const areVeryFew = (name: SideName) => found[name].traceIds !== undefined && totals[name] <= limits.veryFewMax
  const name = (['a', 'b'] as const).find(areVeryFew)
  if (name === undefined) return undefined
  const side = found[name]
  const none = { ...side, traceIds: [] }
  const ofSide = name === 'a' ? { a: side, b: none } : { a: none, b: side }
  const query = comparedPairs(ofSide, attributesOf(keys), totals, false)
  const rows = await readCompared<ComparedPairRow>(run, query)
  const mostOfSide = keys.map(() => 0)
  for (const { attribute, a, b } of rows)
    mostOfSide[attribute] = Math.max(mostOfSide[attribute] ?? 0, Number(name === 'a' ? a : b))
  return keys.map(({ steps }, index) => mostDifference({ ...steps, [name]: mostOfSide[index] }, totals))
}

/** Returns a number that no difference of a value exceeds, if no value is in more steps of a side than `steps`. */
function mostDifference(steps: ComparedTotals, totals: ComparedTotals): number {
  return Math.max(
    Math.min(steps.a, totals.a) * atLeastOne(totals.b),
    Math.min(steps.b, totals.b) * atLeastOne(totals.a),
  )
}

/** Counts the messages that carry keys with too many values. */
async function readCarriers(run: Run, keys: readonly ComparedKey[]): Promise<ManyValued[]> {
  const carriers: ManyValued[] = []
  for (const batch of inBatches(keys, run.limits.keysPerQueryMax)) {
    const [row] = await readCompared<ComparedCarriedRow>(run, comparedCarriers(run.found, attributesOf(batch)))
    for (const [index, key] of batch.entries())
      carriers.push({ key, counts: { a: Number(row?.a[index]), b: Number(row?.b[index]) } })
  }
  return carriers
}
