import { InvalidQuery, type QueryFault } from '../errors.ts'
import type { AttributeSource, Test } from '../ir/condition.ts'
import type { MessageRow } from '../ir/message-query.ts'
import { conditionsMax } from '../limits.ts'
import { type Operator, operatorTable } from '../operators.ts'
import { parseCondition, type RawCondition, type Refuse, refuseAt } from './condition.ts'

export interface RawMessageRow extends RawCondition {
  readonly includeDescendants?: unknown
}

/**
 * Message filter rows -> IR. `pointer` is where the list stands in the request's body.
 * @throws InvalidQuery with every fault of every row
 */
export function parseMessageRows(rows: readonly RawMessageRow[], pointer = '/rows'): MessageRow[] {
  const faults: QueryFault[] = []
  if (rows.length > conditionsMax)
    throw new InvalidQuery([
      { pointer, code: 'too_many_conditions', message: `A query has at most ${conditionsMax} conditions.` },
    ])
  const parsed = rows.map((row, index) => parseRow(row, refuseAt(`${pointer}/${index}`, faults)))
  if (faults.length > 0) throw new InvalidQuery(faults)
  return parsed.filter((row) => row !== undefined)
}

/** A row that `parseMessageRows` has taken before: what may be asked is not checked again, which for a pattern takes long. */
export interface AcceptedMessageRow {
  readonly attribute_source?: AttributeSource
  readonly attribute_key: string
  readonly operator: Operator
  readonly value?: unknown
  readonly includeDescendants?: boolean
}

export function readAcceptedRow(row: AcceptedMessageRow): MessageRow {
  const { test: kind, negated } = operatorTable[row.operator]
  const attribute = { source: row.attribute_source ?? 'any', key: row.attribute_key }
  const test: Test = kind === 'exists' ? { kind } : { kind, value: String(row.value) }
  return { condition: { attribute, test, negated }, includesDescendants: row.includeDescendants ?? false }
}

function parseRow(raw: RawMessageRow, refuse: Refuse): MessageRow | undefined {
  const condition = parseCondition(raw, refuse)
  if (condition === undefined) return undefined
  const { includeDescendants = false } = raw
  if (typeof includeDescendants !== 'boolean')
    return refuse('includeDescendants', 'wrong_type', 'includeDescendants is true or false.')
  if (includeDescendants && condition.negated)
    return refuse(
      'includeDescendants',
      'descendants_not_allowed',
      'A negative row excludes messages: it has no step whose child spans could be included.',
    )
  if (includeDescendants && condition.attribute.source === 'intrinsic')
    return refuse(
      'includeDescendants',
      'descendants_not_allowed',
      'Child spans can be included on attribute rows alone, not on intrinsics.',
    )
  return { condition, includesDescendants: includeDescendants }
}
