/** Finds keys with few values by the value index, which takes far less than reading their values. */
import { comparedValuesMax, hashOfText, type IndexedValuesRow, indexedValueCounts } from '#sql'
import { inBatches } from '../../telemetry/in-batches.ts'
import { readInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import type { ComparedKey } from './compared-keys.ts'
import { comparisonLabel } from './comparison-run.ts'

/**
 * The maximum number of distinct hashes of a key that has few values. Different values may share a hash, but of 1,001
 * values only 0.0001 do on average, so half of `comparedValuesMax` leaves a margin that chance does not exceed. Values
 * that were chosen for their hashes could exceed it (docs/decisions/0006-value-index.md).
 */
const hashesMax = comparedValuesMax / 2
/** The maximum number of keys of one query. */
const keysPerQueryMax = 10_000

/** What the value index tells about the numbers of values of keys in all spans of the organization and the window. */
export interface IndexedKeys {
  /** The keys that have at most `comparedValuesMax` values. */
  readonly few: ReadonlySet<ComparedKey>
  /** Keys that probably have more. */
  readonly many: ReadonlySet<ComparedKey>
}

/** Asks the value index about keys. Both sets are empty if it does not cover all spans. */
export async function readIndexedKeys(
  telemetry: ScopedTelemetry,
  keys: readonly ComparedKey[],
  retainedFromNs: bigint,
): Promise<IndexedKeys> {
  const few = new Set<ComparedKey>()
  const many = new Set<ComparedKey>()
  for (const batch of inBatches(keys, keysPerQueryMax)) {
    const hashes = batch.map(({ attribute }) => hashOfText(attribute.key) >>> 0)
    const query = indexedValueCounts([...new Set(hashes)], { hashesMax, retainedFromNs })
    const rows = await readInScope<IndexedValuesRow>(telemetry, query, comparisonLabel)
    const found = new Map(rows.filter(({ uncovered }) => uncovered === '0').map((row) => [row.key_hash, row]))
    for (const [index, key] of batch.entries()) {
      const row = found.get(hashes[index] ?? 0)
      if (row === undefined) continue
      if (Number(row.hashes) > hashesMax) many.add(key)
      else if (row.has_others === 0) few.add(key)
    }
  }
  return { few, many }
}
