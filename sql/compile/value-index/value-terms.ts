/** The hashes under which the value index has the records that satisfy a condition. */
import { taggedTextsEqualTo, valueTags } from '../../attribute-text.ts'
import { param, type Sql, sql } from '../../fragment.ts'
import type { Condition } from '../../ir/condition.ts'
import {
  hashOfText,
  type IndexedTable,
  indexedIntrinsics,
  isIndexedDouble,
  presenceHash,
  saltOf,
  valueHash,
} from '../../value-hash.ts'

/**
 * Returns the hashes of which every record of a table that satisfies the condition has at least one, as unsigned
 * integers, or undefined if the index does not contain such hashes.
 */
export function hashesOfCondition(condition: Condition, table: IndexedTable): number[] | undefined {
  return unsaltedHashes(condition, table)?.map((hash) => (hash ^ saltOf(table)) >>> 0)
}

function unsaltedHashes(
  { attribute: { source, key }, test, negated }: Condition,
  table: IndexedTable,
): number[] | undefined {
  if (negated) return undefined
  if (source === 'intrinsic') return test.kind === 'eq' ? hashesOfIntrinsic(table, key, test.value) : undefined
  const keyHash = hashOfText(key)
  if (test.kind !== 'eq') return [presenceHash(keyHash) >>> 0]
  const equal = taggedTextsEqualTo(test.value)
  const isEvery = equal.every((tagged) => !tagged.startsWith(valueTags.double) || isIndexedDouble(tagged.slice(1)))
  if (!isEvery) return [presenceHash(keyHash) >>> 0]
  const texts = new Set(equal.map((tagged) => tagged.slice(1)))
  return [...texts].map((text) => valueHash(keyHash, hashOfText(text)) >>> 0)
}

/** The intrinsics of records that the index contains. */
const intrinsicsOf = {
  spans: ['service', 'name', 'scope_name', 'status_message'],
  log_records: ['service', 'severity'],
} as const satisfies Readonly<Record<IndexedTable, readonly (keyof typeof indexedIntrinsics)[]>>

function hashesOfIntrinsic(table: IndexedTable, key: string, value: string): number[] | undefined {
  const indexed = intrinsicsOf[table].find((each) => each === key)
  // The index has no empty texts of intrinsics.
  return indexed === undefined || value === '' ? undefined : [intrinsicHash(indexed, value)]
}

/** Returns the hash of an intrinsic with a text, as an unsigned integer. */
export function intrinsicHash(key: Exclude<keyof typeof indexedIntrinsics, 'trace_id'>, text: string): number {
  return valueHash(hashOfText(indexedIntrinsics[key]), hashOfText(text)) >>> 0
}

/** Returns hashes, as unsigned integers, as an array. */
export function hashList(hashes: readonly number[]): Sql {
  return sql`${param('Array(UInt32)', `[${hashes.join(',')}]`)}`
}
