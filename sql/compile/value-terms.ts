/** The hashes under which the value index has the spans that satisfy a condition. */
import { taggedTextsEqualTo, valueTags } from '../attribute-text.ts'
import { param, type Sql, sql } from '../fragment.ts'
import type { Condition } from '../ir/condition.ts'
import { hashOfText, indexedIntrinsics, isIndexedDouble, presenceHash, valueHash } from '../value-hash.ts'

/**
 * Returns the hashes of which every span that satisfies the condition has at least one, as unsigned integers, or
 * undefined if the index does not contain such hashes.
 */
export function hashesOfCondition({ attribute: { source, key }, test, negated }: Condition): number[] | undefined {
  if (negated) return undefined
  if (source === 'intrinsic') return test.kind === 'eq' ? hashesOfIntrinsic(key, test.value) : undefined
  const keyHash = hashOfText(key)
  if (test.kind !== 'eq') return [presenceHash(keyHash) >>> 0]
  const equal = taggedTextsEqualTo(test.value)
  const isEvery = equal.every((tagged) => !tagged.startsWith(valueTags.double) || isIndexedDouble(tagged.slice(1)))
  if (!isEvery) return [presenceHash(keyHash) >>> 0]
  const texts = new Set(equal.map((tagged) => tagged.slice(1)))
  return [...texts].map((text) => valueHash(keyHash, hashOfText(text)) >>> 0)
}

function hashesOfIntrinsic(key: string, value: string): number[] | undefined {
  switch (key) {
    case 'service':
    case 'name':
    case 'scope_name':
    case 'status_message':
      // The index has no empty texts of intrinsics.
      return value === '' ? undefined : [intrinsicHash(key, value)]
    default:
      return undefined
  }
}

/** Returns the hash of an intrinsic with a text, as an unsigned integer. */
export function intrinsicHash(key: Exclude<keyof typeof indexedIntrinsics, 'trace_id'>, text: string): number {
  return valueHash(hashOfText(indexedIntrinsics[key]), hashOfText(text)) >>> 0
}

/** Returns hashes, as unsigned integers, as an array. */
export function hashList(hashes: readonly number[]): Sql {
  return sql`${param('Array(UInt32)', `[${hashes.join(',')}]`)}`
}
