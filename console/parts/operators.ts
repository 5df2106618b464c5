import type { components } from '../../openapi/types.ts'

export type MessageRow = components['schemas']['MessageRow']
export type Operator = MessageRow['operator']

interface OperatorWords {
  readonly words: string
  readonly needsValue: boolean
  /** Negative operators speak about every step of the message, so they have no anchor. */
  readonly isNegative: boolean
}

/** The operators of the message filter in the order in which they are offered. */
export const operators: Readonly<Record<Operator, OperatorWords>> = {
  eq: { words: 'equals', needsValue: true, isNegative: false },
  neq: { words: 'never equals', needsValue: true, isNegative: true },
  contains: { words: 'contains', needsValue: true, isNegative: false },
  not_contains: { words: 'never contains', needsValue: true, isNegative: true },
  starts_with: { words: 'starts with', needsValue: true, isNegative: false },
  ends_with: { words: 'ends with', needsValue: true, isNegative: false },
  matches: { words: 'matches', needsValue: true, isNegative: false },
  gt: { words: 'is greater than', needsValue: true, isNegative: false },
  gte: { words: 'is at least', needsValue: true, isNegative: false },
  lt: { words: 'is less than', needsValue: true, isNegative: false },
  lte: { words: 'is at most', needsValue: true, isNegative: false },
  exists: { words: 'is present', needsValue: false, isNegative: false },
  not_exists: { words: 'is never present', needsValue: false, isNegative: true },
}

export const operatorNames = Object.keys(operators) as readonly Operator[]

/** The child-spans choice exists only where there is an anchor: on positive rows about attributes. */
export function takesDescendants({ operator, attribute_source }: MessageRow): boolean {
  return !operators[operator].isNegative && attribute_source !== 'intrinsic' && attribute_source !== 'message'
}

/** Returns the row with another operator, without what that operator does not take. */
export function withOperator(row: MessageRow, operator: Operator): MessageRow {
  const { attribute_key, attribute_source } = row
  const base = { attribute_key, ...(attribute_source === undefined ? {} : { attribute_source }) }
  const value = 'value' in row && row.value !== undefined ? row.value : ''
  const next = operators[operator].needsValue ? { ...base, operator, value } : { ...base, operator }
  const keepsDescendants = row.includeDescendants === true && takesDescendants(next as MessageRow)
  return { ...next, ...(keepsDescendants ? { includeDescendants: true } : {}) } as MessageRow
}
