/**
 * What differs between two sides of messages (docs/questions.md, section 14). First the keys with the number of steps
 * that carry each, then the values of some keys at a time: reading a key is cheap, reading all attributes is not.
 */
import { anyOf, fromScoped, joinSql, list, type Param, perShard, type Sql, sql, uint64 } from '../../fragment.ts'
import { attributeAlias, ownAttribute, ownAttributeOrNull } from '../../identifier.ts'
import type { FoundSides } from '../../ir/comparison.ts'
import type { Attribute } from '../../ir/condition.ts'
import { comparedPairsMax, comparedValuesMax } from '../../limits.ts'
import { spanRecords } from '../../record-kinds/record-kinds.ts'
import { hotAttributeKeys } from '../../schema/hot-attributes.ts'
import { isCarried, taggedText, textOf } from '../attribute.ts'
import { comparedBounds, comparedSteps } from './compared-steps.ts'

/** Numbers of steps of each side. Integers are texts. */
interface StepCountsRow {
  readonly a: string
  readonly b: string
}

/** A path of the attributes that `comparedPaths` finds. */
export interface ComparedPathRow extends StepCountsRow {
  readonly path: string
}

/** Selects a `ComparedPathRow` for each span attribute that is not hot. */
export function comparedPaths(found: FoundSides): Sql {
  return sql`
    SELECT arrayJoin(cold_paths) AS path, sum(in_a) AS a, sum(in_b) AS b
    FROM ${perShard(comparedSteps(found, [sql`cold_paths`]))}
    GROUP BY path
  `
}

/** A list of resource attributes, and the steps that carry hot keys beside it. */
export interface ComparedOriginRow extends StepCountsRow {
  readonly list: string
  /** The numbers of steps of each side that carry each hot key, in the order of `hotAttributeKeys`. */
  readonly hot_a: readonly string[]
  readonly hot_b: readonly string[]
}

/** Selects a `ComparedOriginRow` for each list of resource attributes: the keys that `comparedPaths` does not find. */
export function comparedOrigins(found: FoundSides): Sql {
  const keys = [...hotAttributeKeys]
  const carried = keys.map((key, index) => sql`${isCarried(ownAttribute(key))} AS ${attributeAlias(index)}`)
  const counts = (inSide: Sql) => list(keys.map((_, index) => sql`countIf(${inSide} AND ${attributeAlias(index)})`))
  return sql`
    SELECT
      list,
      sum(in_a) AS a,
      sum(in_b) AS b,
      [${counts(sql`in_a`)}] AS hot_a,
      [${counts(sql`in_b`)}] AS hot_b
    FROM ${perShard(comparedSteps(found, [sql`resource_attributes AS list`, ...carried]))}
    GROUP BY list
  `
}

/** What `comparedValueCounts` finds of each attribute, in order. */
export interface ComparedValuesRow {
  /** The numbers of distinct values on each side. A number beyond the limit is one more than the limit. */
  readonly values_a: readonly string[]
  readonly values_b: readonly string[]
  /** The numbers of messages that carry the attribute. */
  readonly a: readonly string[]
  readonly b: readonly string[]
}

/** For each attribute, in order, no fewer than the distinct values in all steps of either side. */
export interface ScopedValuesRow {
  readonly values: readonly string[]
}

/**
 * Selects one `ScopedValuesRow`. A number beyond the limit is one more than the limit. It matches no messages, so it
 * costs less than `comparedValueCounts`.
 */
export function scopedValueCounts(found: FoundSides, attributes: readonly Attribute[]): Sql {
  const values = attributes.map(
    (_, index) => sql`length(groupUniqArray(${uint64(comparedValuesMax + 1)})(${attributeAlias(index)}))`,
  )
  const columns = attributes.map((attribute, index) => {
    const isOwn = attribute.source === 'span'
    const tagged = isOwn ? ownAttributeOrNull(attribute.key) : taggedText(attribute, spanRecords)
    return sql`${tagged} AS ${attributeAlias(index)}`
  })
  const spans = comparedBounds(found).map(
    (bounds) => sql`SELECT ${list(columns)} FROM ${fromScoped('spans', sql`1`, bounds)}`,
  )
  return sql`SELECT [${list(values)}] AS values FROM ${perShard(joinSql(spans, sql` UNION ALL `))}`
}

/** Selects one `ComparedValuesRow`. It holds no more values than the limit of each side. */
export function comparedValueCounts(found: FoundSides, attributes: readonly Attribute[]): Sql {
  const limit = uint64(comparedValuesMax + 1)
  const values = (inSide: Sql) =>
    attributes.map((_, index) => {
      const tagged = attributeAlias(index)
      return sql`groupUniqArrayIf(${limit})(${textOf(tagged)}, ${inSide} AND ${isCarried(tagged)})`
    })
  const ofShard = sql`
    SELECT
      [${list(values(sql`in_a`))}] AS values_of_a,
      [${list(values(sql`in_b`))}] AS values_of_b,
      ${carryingMessages(attributes)}
    FROM (${comparedSteps(found, texts(attributes))})
  `
  return sql`
    SELECT
      arrayMap(each -> length(each), groupUniqArrayArrayForEach(${limit})(values_of_a)) AS values_a,
      arrayMap(each -> length(each), groupUniqArrayArrayForEach(${limit})(values_of_b)) AS values_b,
      sumForEach(messages_of_a) AS a,
      sumForEach(messages_of_b) AS b
    FROM ${perShard(ofShard)}
  `
}

/** A pair that `comparedPairs` finds: an attribute, a value, and the messages of each side that carry it. */
export interface ComparedPairRow {
  /** The position of the attribute, counted from 0. */
  readonly attribute: number
  readonly value: string
  readonly a: string
  readonly b: string
  /** The numbers of distinct values of the attribute. */
  readonly a_values: string
  readonly b_values: string
}

/** The numbers of compared messages. */
export type ComparedTotals = Readonly<Record<'a' | 'b', number>>

/**
 * Selects the `ComparedPairRow`s of each attribute with the largest difference of shares, at least one of each. If
 * `areRare`, steps that carry none of the attributes are left out before they are grouped for each.
 */
export function comparedPairs(
  found: FoundSides,
  attributes: readonly Attribute[],
  totals: ComparedTotals,
  areRare: boolean,
): Sql {
  const tagged = attributes.map((_, index) => attributeAlias(index))
  const condition = areRare ? anyOf(tagged.map(isCarried)) : sql`1`
  // A set for each attribute: one pass without a row for each attribute of a step. In a row of a set, all other
  // attributes are empty. A message may carry a text under two types, so messages are counted only by text.
  const byTaggedText = sql`
    SELECT
      [${list(tagged.map((each) => sql`toString(${each})`))}] AS tagged_texts,
      arrayFirstIndex(tagged_text -> tagged_text != '', tagged_texts) AS set,
      groupBitmapStateIf(number, in_a) AS numbers_of_a,
      groupBitmapStateIf(number, in_b) AS numbers_of_b
    FROM (${comparedSteps(found, taggedTexts(attributes), condition)})
    GROUP BY GROUPING SETS (${list(tagged.map((each) => sql`(${each})`))})
  `
  // All steps of a message are on one shard, so the sums over the shards are the numbers of messages.
  const ofShard = sql`
    SELECT
      toUInt16(set - 1) AS attribute,
      ${textOf(sql`tagged_texts[set]`)} AS value,
      groupBitmapMerge(numbers_of_a) AS messages_of_a,
      groupBitmapMerge(numbers_of_b) AS messages_of_b
    FROM (${byTaggedText})
    WHERE set > 0
    GROUP BY attribute, value
  `
  const counted = sql`
    SELECT attribute, value, sum(messages_of_a) AS a, sum(messages_of_b) AS b
    FROM ${perShard(ofShard)}
    GROUP BY attribute, value
  `
  return sql`
    SELECT
      attribute,
      value,
      a,
      b,
      countIf(a > 0) OVER (PARTITION BY attribute) AS a_values,
      countIf(b > 0) OVER (PARTITION BY attribute) AS b_values
    FROM (${counted})
    ORDER BY attribute, ${difference(totals)} DESC, value
    LIMIT ${uint64(comparedPairsMax)} BY attribute
  `
}

/** Returns the difference of the shares of `a` and `b`, times both totals: products of integers compare exactly. */
export function difference(totals: ComparedTotals): Sql {
  return sql`abs(toInt64(a * ${atLeastOne(totals.b)}) - toInt64(b * ${atLeastOne(totals.a)}))`
}

/** The share of an empty side is 0. */
function atLeastOne(total: number): Param {
  return uint64(Math.max(total, 1))
}

/** The numbers of messages that carry each attribute, in order. */
export interface ComparedCarriedRow {
  readonly a: readonly string[]
  readonly b: readonly string[]
}

/** Selects one `ComparedCarriedRow`. */
export function comparedCarriers(found: FoundSides, attributes: readonly Attribute[]): Sql {
  const ofShard = sql`
    SELECT ${carryingMessages(attributes)}
    FROM (${comparedSteps(found, texts(attributes))})
  `
  return sql`SELECT sumForEach(messages_of_a) AS a, sumForEach(messages_of_b) AS b FROM ${perShard(ofShard)}`
}

/** Selects the numbers of messages that carry each attribute, in order. All steps of a message are on one shard. */
function carryingMessages(attributes: readonly Attribute[]): Sql {
  const counts = (inSide: Sql) =>
    list(attributes.map((_, index) => sql`groupBitmapIf(number, ${inSide} AND ${isCarried(attributeAlias(index))})`))
  return sql`[${counts(sql`in_a`)}] AS messages_of_a, [${counts(sql`in_b`)}] AS messages_of_b`
}

/** Reads attributes as tagged texts, which are empty in steps that do not carry them. */
function taggedTexts(attributes: readonly Attribute[]): Sql[] {
  return attributes.map((attribute, index) => sql`${taggedText(attribute, spanRecords)} AS ${attributeAlias(index)}`)
}

/** Reads attributes like `taggedTexts`, all as one type. */
function texts(attributes: readonly Attribute[]): Sql[] {
  return attributes.map(
    (attribute, index) => sql`CAST(${taggedText(attribute, spanRecords)}, 'String') AS ${attributeAlias(index)}`,
  )
}
