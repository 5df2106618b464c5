/**
 * Counts the distinct values of keys by the value index, without reading spans. The counts are of hashes, so they prove
 * that a key has few values only with a margin (docs/decisions/0006-value-index.md).
 */
import { fromStored, fromUnrestricted, type Sql, sql, uint64 } from '../../fragment.ts'
import { presenceHash } from '../../value-hash.ts'
import { hashList } from './value-terms.ts'

/** The entries of a key in the value index. */
export interface IndexedValuesRow {
  readonly key_hash: number
  /** The number of distinct hashes of values, at most one more than the limit. */
  readonly hashes: string
  /** 1 if the key also has values that are not indexed. */
  readonly has_others: number
  /** The number of spans whose values may not be in the index. */
  readonly uncovered: string
}

export interface ValueCountOptions {
  readonly hashesMax: number
  /** Spans that started before this time have expired, and entries before it may be gone. */
  readonly retainedFromNs: bigint
}

/**
 * Selects an `IndexedValuesRow` for each of some keys, by their hashes as unsigned integers. The uncovered spans belong
 * to the left side of a join for the same reason as in `findPlaces`.
 */
export function indexedValueCounts(keyHashes: readonly number[], options: ValueCountOptions): Sql {
  const { hashesMax, retainedFromNs } = options
  const present = keyHashes.map((hash) => presenceHash(hash) >>> 0)
  const isOfKeys = sql`key_hash IN ${hashList(keyHashes)}`
  const withoutKeys = sql`(SELECT count() FROM ${fromStored('spans', sql`is_indexed < 2`)})`
  const expired = sql`(SELECT count() FROM ${fromStored('spans', sql`1`, { toNs: retainedFromNs })})`
  const values = sql`
    SELECT
      key_hash,
      length(groupUniqArray(${uint64(hashesMax + 1)})(hash)) AS hashes,
      max(hash IN ${hashList(present)}) AS has_others
    FROM ${fromUnrestricted('value_index', isOfKeys)}
    GROUP BY key_hash
  `
  return sql`
    SELECT *
    FROM (SELECT ${withoutKeys} + ${expired} AS uncovered) AS known
    CROSS JOIN (${values}) AS found
  `
}
