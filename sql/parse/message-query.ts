import type { MessageRow } from '../ir/message-query.ts'
import {
  type AcceptPattern,
  acceptAnyPattern,
  conditionsLimit,
  parseCondition,
  type RawCondition,
} from './condition.ts'
import { parseList, type Refuse } from './list.ts'

/** An unparsed row of a message filter. */
export interface RawMessageRow extends RawCondition {
  readonly includeDescendants?: unknown
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
  const condition = parseCondition(raw, refuse, { acceptPattern })
  if (condition === undefined) return undefined
  const { includeDescendants = false } = raw
  if (typeof includeDescendants !== 'boolean')
    return refuse('includeDescendants', 'wrong_type', '`includeDescendants` must be true or false.')
  if (includeDescendants && condition.negated)
    return refuse(
      'includeDescendants',
      'descendants_not_allowed',
      'A negative row excludes messages, so it cannot include child spans. Remove `includeDescendants`.',
    )
  if (includeDescendants && condition.attribute.source === 'intrinsic')
    return refuse(
      'includeDescendants',
      'descendants_not_allowed',
      'A row on an intrinsic cannot include child spans. Remove `includeDescendants`.',
    )
  return { condition, includesDescendants: includeDescendants }
}
