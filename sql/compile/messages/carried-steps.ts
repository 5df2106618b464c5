/**
 * The matched steps of a trace that carry all of some attributes: an array of tagged texts for each attribute, with one
 * element per step. `flaggedSpans` reads the attributes.
 */
import { allOf, list, type Sql, sql } from '../../fragment.ts'
import { attributeAlias, carriedArray } from '../../identifier.ts'
import type { Attribute } from '../../ir/condition.ts'
import { attributeArray, collectedRows } from '../trace-arrays.ts'

/**
 * Returns the aggregates over the rows of a trace. A span that is stored as two rows counts once. The ids of all
 * matched steps are collected, also of those that lack an attribute, because counts of steps share this array. Without
 * `isMatched`, every span that is read is a matched step.
 */
export function aggregatedCarriedSteps(carried: readonly Attribute[], isMatched: Sql | undefined): Sql[] {
  const names = carried.map((_, index) => attributeAlias(index))
  const collected = names.map((name) => collectedRows(name, isMatched))
  const isCarried = allOf([sql`occurrence = 1`, ...names.map((name) => sql`${name} != ''`)])
  return collected.map(
    (each, index) => sql`
      arrayFilter(
        (text, occurrence, ${list(names)}) -> ${isCarried},
        ${each},
        arrayEnumerateUniq(${collectedRows(sql`span_id`, isMatched)}),
        ${list(collected)}
      ) AS ${carriedArray(index)}
    `,
  )
}

/** Returns the columns of a trace as arrays with `matched`. */
export function carriedStepsOfArrays(carried: readonly Attribute[]): Sql[] {
  const texts = carried.map((_, index) => attributeArray(index).name)
  const isCarried = carried.map((_, index) => sql`${attributeAlias(index)} != ''`)
  const names = list(carried.map((_, index) => attributeAlias(index)))
  return texts.map(
    (each, index) => sql`
      arrayFilter(
        (text, is_matched, ${names}) -> ${allOf([sql`is_matched`, ...isCarried])},
        ${each},
        matched,
        ${list(texts)}
      ) AS ${carriedArray(index)}
    `,
  )
}
