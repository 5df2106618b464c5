/** What differs between two sides of messages (docs/questions.md, section 14). */
import {
  byCodePoint,
  type ComparedCountsRow,
  type ComparedSide,
  type ComparedTotals,
  type Comparison,
  comparedCounts,
  comparedMessagesMax,
  type MessagePositionRow,
  newestOfSide,
  type SideName,
} from '#sql'
import { readInScope, type ScopedTelemetry, storedBy } from '../../telemetry/scope.ts'
import { atLeastOne, type ComparedAttributes, type ComparedCarrier } from './compared-attributes.ts'
import { shortenWindows } from './compared-windows.ts'
import { type ComparisonLimits, comparisonLabel } from './comparison-run.ts'
import { compareAtOnce } from './few-messages-comparison.ts'
import { compareKeyByKey } from './keyed-comparison.ts'

/** The result of a comparison. */
export interface ComparedMessages extends ComparedAttributes {
  /** The numbers of messages of each side, and how many of them were compared. */
  readonly totals: ComparedTotals
  readonly compared: ComparedTotals
}

const comparisonLimits: ComparisonLimits = {
  messagesMax: comparedMessagesMax,
  fewMax: 1_000,
  veryFewMax: 50,
  fewStepsMax: 50_000,
  tracesAcrossMax: 1_000,
  groupsMax: 1_000_000,
  keysPerQueryMax: 32,
  unknownStepsMax: 500_000,
}

interface ComparisonOptions {
  /** Spans that started before this time have expired. By default, none have. */
  readonly retainedFromNs?: bigint
  readonly limits?: ComparisonLimits
}

/** Compares the messages of two sides. All queries see the spans that are stored at the first one. */
export async function compareMessages(
  visible: ScopedTelemetry,
  sides: Comparison,
  { retainedFromNs = 0n, limits = comparisonLimits }: ComparisonOptions,
): Promise<ComparedMessages> {
  const { telemetry, comparison, totals, compared } = await readSides(visible, sides, limits)
  if (totals.a + totals.b === 0) return { totals, compared, pairs: [], manyValued: [] }
  const run = { telemetry, comparison, totals: compared, limits }
  const { pairs, manyValued } = (await compareAtOnce(run)) ?? (await compareKeyByKey(run, retainedFromNs))
  return { totals, compared, pairs, manyValued: sortCarriers(manyValued, compared) }
}

/** Counts the messages of both sides, and finds those to compare. */
async function readSides(visible: ScopedTelemetry, sides: Comparison, limits: ComparisonLimits) {
  const { messagesMax, fewMax, tracesAcrossMax } = limits
  const query = comparedCounts(sides, fewMax)
  const [counts] = await readInScope<ComparedCountsRow>(visible, query, comparisonLabel)
  const telemetry = storedBy(visible, BigInt(counts?.asked_micros ?? 0))
  const totals = { a: Number(counts?.a ?? 0), b: Number(counts?.b ?? 0) }
  const few = { a: counts?.few_a ?? [], b: counts?.few_b ?? [] }
  const [a, b] = await Promise.all([sideOf('a'), sideOf('b')])
  const found = { a, b: { ...b, isRest: sides.b.isRest && b.traceIds === undefined } }
  const comparison = await shortenWindows(telemetry, found, tracesAcrossMax)
  const compared = { a: Math.min(totals.a, messagesMax), b: Math.min(totals.b, messagesMax) }
  return { telemetry, comparison, totals, compared }

  async function sideOf(name: SideName): Promise<ComparedSide> {
    const side = sides[name]
    if (totals[name] <= Math.min(fewMax, messagesMax)) return { ...side, traceIds: few[name] }
    if (totals[name] <= messagesMax) return side
    const newest = newestOfSide(sides, name, messagesMax)
    const [last] = await readInScope<MessagePositionRow>(telemetry, newest, comparisonLabel)
    if (last === undefined) return side
    return { ...side, oldest: { startedNs: BigInt(last.started_ns), traceId: last.trace_id } }
  }
}

/** Sorts keys with too many values by the larger share, then by key. */
function sortCarriers(keys: readonly ComparedCarrier[], totals: ComparedTotals): ComparedCarrier[] {
  const share = ({ counts }: ComparedCarrier) =>
    Math.max(counts.a * atLeastOne(totals.b), counts.b * atLeastOne(totals.a))
  return keys.toSorted((left, right) => share(right) - share(left) || byCodePoint(left.key, right.key))
}
