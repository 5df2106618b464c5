/**
 * What differs between two sides of few messages (docs/questions.md, section 14): all attributes of their steps in one
 * query, which reads every attribute of every step.
 */
import { perShard, type Sql, sql, uint64 } from '../../fragment.ts'
import type { FoundSides } from '../../ir/comparison.ts'
import { comparedPairsMax, comparedValuesMax } from '../../limits.ts'
import { ownAttributes, resourceAttributes, textOf } from '../attribute.ts'
import { type ComparedTotals, difference } from './compare.ts'
import { comparedSteps } from './compared-steps.ts'

/** A pair of key and value, or a key with too many values, and the messages of each side that carry it. */
export interface ComparedAttributeRow {
  /** 1 for a key, whose value is the empty text. */
  readonly is_key: number
  readonly key: string
  readonly value: string
  readonly a: string
  readonly b: string
}

/**
 * Selects the `ComparedAttributeRow`s of the pairs with the largest difference of shares, in order, and of all keys
 * with too many values.
 */
export function comparedAttributes(found: FoundSides, totals: ComparedTotals): Sql {
  const steps = comparedSteps(found, [
    sql`${ownAttributes()} AS own`,
    sql`arrayMap(attribute -> attribute.1, own) AS keys`,
    sql`${resourceAttributes()} AS shared`,
  ])
  // Where a step carries a key itself, the attribute of its resource does not count.
  const carried = sql`
    SELECT
      trace_id,
      in_a,
      in_b,
      arrayJoin(arrayConcat(own, arrayFilter(attribute -> NOT has(keys, attribute.1), shared))) AS carried,
      carried.1 AS key,
      ${textOf(sql`carried.2`)} AS value
    FROM (${steps})
  `
  // All steps of a message are on one shard, so the sums over the shards are the numbers of messages.
  const ofShard = sql`
    SELECT
      key,
      value,
      toUInt8(grouping(value)) AS is_key,
      uniqExactIf(trace_id, in_a) AS messages_of_a,
      uniqExactIf(trace_id, in_b) AS messages_of_b
    FROM (${carried})
    GROUP BY GROUPING SETS ((key, value), (key))
  `
  const counted = sql`
    SELECT is_key, key, value, sum(messages_of_a) AS a, sum(messages_of_b) AS b
    FROM ${perShard(ofShard)}
    GROUP BY is_key, key, value
  `
  const withValues = sql`
    SELECT
      *,
      countIf(is_key = 0 AND a > 0) OVER (PARTITION BY key) AS a_values,
      countIf(is_key = 0 AND b > 0) OVER (PARTITION BY key) AS b_values
    FROM (${counted})
  `
  return sql`
    SELECT is_key, key, value, a, b
    FROM (${withValues})
    WHERE is_key = (greatest(a_values, b_values) > ${uint64(comparedValuesMax)})
    ORDER BY is_key, ${difference(totals)} DESC, key, value
    LIMIT ${uint64(comparedPairsMax)} BY is_key, if(is_key = 1, key, '')
  `
}
