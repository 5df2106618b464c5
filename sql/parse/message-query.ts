import { InvalidQuery, type QueryFault } from '../errors.ts'
import { type FieldRow, type MessageField, messageFields, messageFieldTypes } from '../ir/message-field.ts'
import type { MessageFilter, MessageRow, StepRow } from '../ir/message-query.ts'
import { numberOperators, type Operator, operatorTable, textOperators } from '../operators.ts'
import {
  type AcceptPattern,
  acceptAnyPattern,
  conditionsLimit,
  mustBeOneOf,
  parseCondition,
  parseTest,
  type RawCondition,
} from './condition.ts'
import { parseList, type Refuse } from './list.ts'
import { parseRelations, type RawRelation } from './relation.ts'

/** An unparsed row of a message filter. */
export interface RawMessageRow extends RawCondition {
  readonly includeDescendants?: unknown
}

/** The unparsed conditions of a message filter. */
export interface RawMessageFilter {
  readonly rows?: readonly RawMessageRow[] | undefined
  readonly relations?: readonly RawRelation[] | undefined
}

/**
 * Parses the conditions of a message filter. `pointer` locates the filter in the request body.
 * @throws InvalidQuery with the faults of all rows and relations
 */
export function parseMessageFilter(
  { rows = [], relations = [] }: RawMessageFilter,
  pointer = '',
  acceptPattern: AcceptPattern = acceptAnyPattern,
): MessageFilter {
  const faults: QueryFault[] = []
  const parsedRows = collect(faults, () => parseMessageRows(rows, `${pointer}/rows`, acceptPattern))
  const parsedRelations = collect(faults, () => parseRelations(relations, `${pointer}/relations`, acceptPattern))
  const filter = { rows: parsedRows, ...(parsedRelations.length === 0 ? {} : { relations: parsedRelations }) }
  if (faults.length === 0) faults.push(...excessOf(filter, pointer))
  if (faults.length > 0) throw new InvalidQuery(faults)
  return filter
}

/** Returns the fault of a filter whose rows and relations have too many conditions altogether. */
function excessOf({ rows, relations = [] }: MessageFilter, pointer: string): QueryFault[] {
  let count = rows.length
  for (const [index, relation] of relations.entries())
    for (const end of ['from', 'to'] as const) {
      count += relation[end].length
      if (count > conditionsLimit.max)
        return [
          {
            pointer: `${pointer}/relations/${index}/${end}`,
            code: 'too_many_conditions',
            message: conditionsLimit.message,
          },
        ]
    }
  return []
}

/** Returns the parsed items, or none after adding their faults to a list. */
function collect<Item>(faults: QueryFault[], parse: () => Item[]): Item[] {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    faults.push(...error.faults)
    return []
  }
}

/**
 * Parses the rows of a message filter. `pointer` locates the list in the request body.
 * @throws InvalidQuery with the faults of all rows
 */
export function parseMessageRows(
  rows: readonly RawMessageRow[],
  pointer = '/rows',
  acceptPattern: AcceptPattern = acceptAnyPattern,
): MessageRow[] {
  return parseList(rows, { pointer, limit: conditionsLimit }, (row, refuse) => parseRow(row, refuse, acceptPattern))
}

function parseRow(raw: RawMessageRow, refuse: Refuse, acceptPattern: AcceptPattern): MessageRow | undefined {
  return raw.attribute_source === 'message'
    ? parseFieldRow(raw, refuse, acceptPattern)
    : parseStepRow(raw, refuse, acceptPattern)
}

function parseFieldRow(raw: RawMessageRow, refuse: Refuse, acceptPattern: AcceptPattern): FieldRow | undefined {
  const { includeDescendants = false } = raw
  if (includeDescendants !== false)
    refuse(
      'includeDescendants',
      'descendants_not_allowed',
      'A row on a field of the message selects no steps, so it cannot include descendants.',
    )
  const field = parseMessageField(raw.attribute_key, refuse)
  const operator = field && parseFieldOperator(field, raw.operator, refuse)
  if (field === undefined || operator === undefined) return undefined
  const test = parseTest(operator, raw.value, refuse, acceptPattern)
  return test && { field, test, negated: operatorTable[operator].negated }
}

/** Parses the key of an attribute with the source `message`. Returns undefined after recording a fault. */
export function parseMessageField(key: unknown, refuse: Refuse): MessageField | undefined {
  const field = messageFields.find((each) => each === key)
  if (field !== undefined) return field
  return refuse('attribute_key', 'unknown_field', mustBeOneOf('A field of a message', messageFields, key))
}

function parseFieldOperator(field: MessageField, name: unknown, refuse: Refuse): Operator | undefined {
  const allowed = messageFieldTypes[field] === 'text' ? textOperators : numberOperators
  const operator = allowed.find((each) => each === name)
  if (operator !== undefined) return operator
  return refuse('operator', 'unknown_operator', mustBeOneOf(`An operator on \`${field}\``, allowed, name))
}

function parseStepRow(raw: RawMessageRow, refuse: Refuse, acceptPattern: AcceptPattern): StepRow | undefined {
  const condition = parseCondition(raw, refuse, { acceptPattern })
  if (condition === undefined) return undefined
  const { includeDescendants = false } = raw
  if (typeof includeDescendants !== 'boolean')
    return refuse('includeDescendants', 'wrong_type', '`includeDescendants` must be true or false.')
  if (includeDescendants && condition.negated)
    return refuse(
      'includeDescendants',
      'descendants_not_allowed',
      'A negative row excludes messages, so it cannot include descendants. Remove `includeDescendants`.',
    )
  if (includeDescendants && condition.attribute.source === 'intrinsic')
    return refuse(
      'includeDescendants',
      'descendants_not_allowed',
      'A row on an intrinsic cannot include descendants. Remove `includeDescendants`.',
    )
  return { condition, includesDescendants: includeDescendants }
}
