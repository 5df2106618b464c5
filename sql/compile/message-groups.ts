/**
 * The groups of a message (docs/questions.md, section 13): the texts of the attributes that its matched steps carry. A
 * group is a tuple of 0 and a text for each attribute. The group null is a tuple of 1 and empty texts, so it sorts
 * last.
 */
import { list, type Sql, sql, text, uint8, uint64 } from '../fragment.ts'
import type { Attribute } from '../ir/condition.ts'
import type { GroupAttribute, MessageField } from '../ir/message-query.ts'
import { columnsOfFields, fieldText } from './message-fields.ts'
import type { SelectedColumns } from './selected-columns.ts'

/** The columns of `matchingTraces` that `groupsOfMessage` reads. */
export function columnsOfGroups(
  groupBy: readonly GroupAttribute[],
): Required<Pick<SelectedColumns, 'trace' | 'carried'>> {
  const fields = groupBy.flatMap((attribute): MessageField[] => ('field' in attribute ? [attribute.field] : []))
  const carried = groupBy.flatMap((attribute): Attribute[] => ('field' in attribute ? [] : [attribute]))
  return { trace: columnsOfFields(fields), carried }
}

/**
 * Returns columns of a message that end in `message_groups`, its distinct groups, and `group_step_counts`, the number
 * of matched steps in each. A message without any is in the group null, with all of its matched steps.
 */
export function groupsOfMessage(groupBy: readonly GroupAttribute[]): Sql[] {
  const isOfSteps = groupBy.some((attribute) => !('field' in attribute))
  if (!isOfSteps) return [sql`[${groupOf(groupBy)}] AS message_groups`, sql`[step_count] AS group_step_counts`]
  return [
    sql`arraySort(arrayMap(step -> ${groupOf(groupBy)}, carried_steps)) AS groups_of_steps`,
    // The last of equal neighbours has the highest number, and the next number is 1.
    sql`arrayEnumerateUniq(groups_of_steps) AS numbers`,
    sql`arrayPushBack(arrayPopFront(numbers), 1) AS next_numbers`,
    sql`
      if(
        empty(groups_of_steps),
        [${nullGroup(groupBy)}],
        arrayFilter((step_group, next) -> next = 1, groups_of_steps, next_numbers)
      ) AS message_groups
    `,
    sql`
      if(
        empty(groups_of_steps),
        [toUInt64(step_count)],
        arrayFilter((number, next) -> next = 1, arrayMap(number -> toUInt64(number), numbers), next_numbers)
      ) AS group_step_counts
    `,
  ]
}

/** Returns the group of `step`, an element of `carried_steps`: its id and the tagged texts that it carries. */
function groupOf(groupBy: readonly GroupAttribute[]): Sql {
  let carried = 0
  const texts = groupBy.map((attribute) => {
    if ('field' in attribute) return fieldText(attribute.field)
    carried += 1
    return sql`substring(tupleElement(step, ${uint64(carried + 1)}), 2)`
  })
  return tuple(0, texts)
}

function nullGroup(groupBy: readonly GroupAttribute[]): Sql {
  return tuple(
    1,
    groupBy.map(() => sql`''`),
  )
}

/** A group as a query returns it: whether it is the group null, and the texts. */
export type GroupRow = readonly [isNull: number, ...texts: string[]]

/** Returns the tuple of a group that a query returned. */
export function groupLiteral([isNull, ...texts]: GroupRow): Sql {
  return tuple(
    isNull,
    texts.map((each) => sql`${text(each)}`),
  )
}

function tuple(isNull: number, texts: readonly Sql[]): Sql {
  return sql`(${list([sql`${uint8(isNull)}`, ...texts.map((each) => sql`CAST(${each}, 'String')`)])})`
}
