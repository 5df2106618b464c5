/**
 * The groups of a message (docs/questions.md, section 13): the texts of the attributes that its matched steps carry. A
 * group is a tuple of 0 and a text for each attribute. The group null is a tuple of 1 and empty texts, so it sorts
 * last.
 */
import { list, type Sql, sql, text, uint8 } from '../../fragment.ts'
import { carriedArray } from '../../identifier.ts'
import type { Attribute } from '../../ir/condition.ts'
import type { MessageField } from '../../ir/message-field.ts'
import type { GroupAttribute } from '../../ir/message-query.ts'
import { textOf } from '../attribute.ts'
import { columnsOfFields, fieldText, readStepCounts } from '../message-fields.ts'
import type { SelectedColumns } from './selected-columns.ts'

/** The columns of `matchingTraces` that `groupsOfMessage` reads. */
export function columnsOfGroups(
  groupBy: readonly GroupAttribute[],
): Pick<SelectedColumns, 'steps'> & Required<Pick<SelectedColumns, 'trace' | 'carried'>> {
  const fields = groupBy.flatMap((attribute): MessageField[] => ('field' in attribute ? [attribute.field] : []))
  const carried = groupBy.flatMap((attribute): Attribute[] => ('field' in attribute ? [] : [attribute]))
  return { trace: columnsOfFields(fields), carried, ...(readStepCounts(fields) ? { steps: 'counts' } : {}) }
}

/**
 * Returns `message_groups` of a message: a group for each matched step that carries the attributes, so equal ones
 * repeat. A message without any is in the group null.
 */
export function groupsOfMessage(groupBy: readonly GroupAttribute[]): Sql {
  const texts = list(arraysOf(groupBy))
  if (!areOfSteps(groupBy)) return sql`[${groupOf(groupBy)}] AS message_groups`
  return sql`
    if(
      empty(${carriedArray(0)}),
      [${nullGroup(groupBy)}],
      arrayMap((${texts}) -> ${groupOf(groupBy)}, ${texts})
    ) AS message_groups
  `
}

function arraysOf(groupBy: readonly GroupAttribute[]): Sql[] {
  return groupBy.filter((attribute) => !('field' in attribute)).map((_, index) => carriedArray(index))
}

/** Reports whether the groups of a message are those of its steps. */
export function areOfSteps(groupBy: readonly GroupAttribute[]): boolean {
  return groupBy.some((attribute) => !('field' in attribute))
}

/** Returns the group of a step, with the tagged texts that it carries under the names of their arrays. */
function groupOf(groupBy: readonly GroupAttribute[]): Sql {
  const carried = arraysOf(groupBy).values()
  const texts = groupBy.map((attribute) =>
    'field' in attribute ? fieldText(attribute.field) : textOf(carried.next().value ?? sql`''`),
  )
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

/** A tuple of the type of a group, for rows that belong to no single group: it begins with 2. */
export function beyondGroups(groupBy: readonly GroupAttribute[]): Sql {
  return tuple(
    2,
    groupBy.map(() => sql`''`),
  )
}

function tuple(isNull: number, texts: readonly Sql[]): Sql {
  return sql`(${list([sql`${uint8(isNull)}`, ...texts.map((each) => sql`CAST(${each}, 'String')`)])})`
}
