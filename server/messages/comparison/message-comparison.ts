/** What differs between two sides of messages (docs/questions.md, section 14). */
import { byCodePoint, type ComparedTotals, type Comparison, comparedMessagesMax } from '#sql'
import type { ScopedTelemetry } from '../../telemetry/scope.ts'
import { atLeastOne, type ComparedAttributes, type ComparedCarrier } from './compared-attributes.ts'
import type { ComparisonLimits } from './comparison-run.ts'
import { compareAtOnce } from './few-messages-comparison.ts'
import { findMessages } from './found-messages.ts'
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
  const { run, totals } = await findMessages(visible, sides, limits)
  const compared = run.totals
  if (totals.a + totals.b === 0) return { totals, compared, pairs: [], manyValued: [] }
  const { pairs, manyValued } = (await compareAtOnce(run)) ?? (await compareKeyByKey(run, retainedFromNs))
  return { totals, compared, pairs, manyValued: sortCarriers(manyValued, compared) }
}

/** Sorts keys with too many values by the larger share, then by key. */
function sortCarriers(keys: readonly ComparedCarrier[], totals: ComparedTotals): ComparedCarrier[] {
  const share = ({ counts }: ComparedCarrier) =>
    Math.max(counts.a * atLeastOne(totals.b), counts.b * atLeastOne(totals.a))
  return keys.toSorted((left, right) => share(right) - share(left) || byCodePoint(left.key, right.key))
}
