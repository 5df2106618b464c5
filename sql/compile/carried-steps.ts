/**
 * The matched steps of a trace that carry all of some attributes, as `carried_steps`: tuples of span id and tagged
 * texts. `flaggedSpans` reads the attributes.
 */
import { allOf, list, type Sql, sql, uint64 } from '../fragment.ts'
import { attributeAlias } from '../identifier.ts'
import type { Attribute } from '../ir/condition.ts'
import { attributeArray } from './trace-arrays.ts'

/** Returns the aggregate over the rows of a trace. A span that is stored as two rows counts once. */
export function aggregatedCarriedSteps(carried: readonly Attribute[], isMatched: Sql): Sql {
  const texts = carried.map((_, index) => attributeAlias(index))
  const isCarried = allOf([isMatched, ...texts.map((each) => sql`${each} != ''`)])
  return sql`
    arrayFilter(
      (step, occurrence) -> occurrence = 1,
      groupArrayIf((span_id, ${list(texts)}), ${isCarried}) AS carrying_rows,
      arrayEnumerateUniq(tupleElement(carrying_rows, 1))
    ) AS carried_steps
  `
}

/** Returns the column of a trace as arrays with `matched`. */
export function carriedStepsOfArrays(carried: readonly Attribute[]): Sql {
  const isCarried = carried.map((_, index) => sql`tupleElement(step, ${uint64(index + 2)}) != ''`)
  return sql`
    arrayFilter(
      (step, is_matched) -> ${allOf([sql`is_matched`, ...isCarried])},
      arrayZip(ids, ${list(carried.map((_, index) => attributeArray(index).name))}),
      matched
    ) AS carried_steps
  `
}
