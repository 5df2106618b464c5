import type { Operator } from './reference-condition.ts'
import type { Row } from './reference-messages.ts'

/** How a message filter row is said (semantics section 6). */
export const messagePhrases: Readonly<Record<Operator, string>> = {
  eq: 'equals',
  neq: 'never equals',
  contains: 'contains',
  not_contains: 'never contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  matches: 'matches',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  exists: 'is present',
  not_exists: 'is never present',
}

/** The same, said of one span: the surfaces of section 6's last paragraph. Only what differs. */
export const spanPhrases: Readonly<Partial<Record<Operator, string>>> = {
  neq: 'is not',
  not_contains: "doesn't contain",
  exists: 'exists',
  not_exists: 'is absent',
}

/** What the summary of a row must say, in this order; the words between are the describer's own. */
export function summaryParts(row: Row): string[] {
  const valueless = row.operator === 'exists' || row.operator === 'not_exists'
  return [
    row.attribute_key,
    messagePhrases[row.operator],
    ...(valueless ? [] : [String(row.value)]),
    ...(row.includeDescendants === true ? ['(including child spans)'] : []),
  ]
}
