/**
 * The columns that a search adds to its messages (docs/questions.md, section 11): for each column the value of the
 * first matched step that carries it, otherwise that of the root. `flaggedSpans` reads the attributes as tagged texts.
 */
import { list, type Sql, sql, uint64 } from '../../fragment.ts'
import { attributeAlias, firstCarried, rootCarried } from '../../identifier.ts'
import type { Attribute } from '../../ir/condition.ts'
import { attributeArray } from '../trace-arrays.ts'

/**
 * Returns aggregates over the rows of a trace that end in `column_values`, pairs of tagged text and span id. The text
 * is empty if neither a matched step nor the root carries the column.
 */
export function aggregatedColumnValues(columns: readonly Attribute[], isMatched: Sql = sql`1`): Sql[] {
  const values = columns.map((_, index) => {
    const text = attributeAlias(index)
    const isCarried = sql`${isMatched} AND ${text} != ''`
    return sql`argMinIf((${text}, span_id), (start, span_id), ${isCarried}) AS ${firstCarried(index)}`
  })
  return [...values, ...rootValues(columns), columnValues(columns)]
}

/** Returns aggregates for `columnValuesOfArrays`: what the root carries. */
export function rootValues(columns: readonly Attribute[]): Sql[] {
  const isFirst = sql`(parent_id != 0, start, span_id)`
  return columns.map(
    (_, index) => sql`argMin((${attributeAlias(index)}, span_id), ${isFirst}) AS ${rootCarried(index)}`,
  )
}

/** Returns the names of `rootValues`, for use in an outer query. */
export function rootValueNames(columns: readonly Attribute[]): Sql[] {
  return columns.map((_, index) => rootCarried(index))
}

/** Returns columns that end in `column_values`, from the arrays of a trace, `matched` and `rootValues`. */
export function columnValuesOfArrays(columns: readonly Attribute[]): Sql[] {
  const steps = sql`
    arraySort(
      arrayFilter(
        (step, is_matched) -> is_matched,
        arrayZip(starts, ids, ${list(columns.map((_, index) => attributeArray(index).name))}),
        matched
      )
    ) AS steps_in_order
  `
  const values = columns.map((_, index) => {
    const text = sql`tupleElement(step, ${uint64(index + 3)})`
    const first = sql`arrayFirst(step -> ${text} != '', steps_in_order)`
    return sql`arrayMap(step -> (${text}, tupleElement(step, 2)), [${first}])[1] AS ${firstCarried(index)}`
  })
  return [steps, ...values, columnValues(columns)]
}

function columnValues(columns: readonly Attribute[]): Sql {
  const values = columns.map((_, index) => {
    const first = firstCarried(index)
    return sql`if(tupleElement(${first}, 1) != '', ${first}, ${rootCarried(index)})`
  })
  return sql`[${list(values)}] AS column_values`
}
