import type { Row } from './reference-messages.ts'
import { messagePhrase, operandOf } from './reference-operators.ts'

/** Returns what the summary of a row must contain, in this order. The words between are free. */
export function summaryParts(row: Row): string[] {
  return [
    row.attribute_key,
    messagePhrase(row.operator),
    ...(operandOf(row.operator) === 'none' ? [] : [String(row.value)]),
    ...(row.includeDescendants === true ? ['(including child spans)'] : []),
  ]
}
