import { InvalidQuery, type QueryFault } from '../errors.ts'
import type { ClassificationRule, IoPair } from '../ir/facet.ts'
import { takesValue } from '../operators.ts'
import { type AcceptPattern, acceptAnyPattern, parseCondition } from './condition.ts'
import { type Refuse, refuseAt } from './list.ts'

/** An unparsed classification rule, whose enumerated fields have already been checked. */
export interface RawClassificationRule {
  readonly attribute_source: 'span' | 'resource'
  readonly attribute_key: string
  readonly match_operator: string
  readonly match_value?: unknown
  readonly set_io_kind: IoPair['kind']
  readonly set_io_role: IoPair['role']
}

/** The names of condition fields that differ in classification rules. */
const fieldNames: Readonly<Record<string, string>> = { operator: 'match_operator', value: 'match_value' }

/**
 * Parses a classification rule. `pointer` locates it in the request body.
 * @throws InvalidQuery with every fault of the rule
 */
export function parseClassificationRule(
  raw: RawClassificationRule,
  pointer = '',
  acceptPattern: AcceptPattern = acceptAnyPattern,
): ClassificationRule {
  const { attribute_source, attribute_key, match_operator: operator, match_value: value } = raw
  const faults: QueryFault[] = []
  const refuse = refuseAt(pointer, faults)
  const refuseField: Refuse = (field, code, message) => refuse(fieldNames[field] ?? field, code, message)
  const rawCondition = { attribute_source, attribute_key, operator, value }
  const condition = isText(raw)
    ? parseCondition(rawCondition, refuseField, { surface: 'mapping', acceptPattern })
    : refuseField('value', 'wrong_type', 'A value must be a string.')
  if (condition === undefined) throw new InvalidQuery(faults)
  return { condition, pair: { kind: raw.set_io_kind, role: raw.set_io_role } }
}

/** Reports whether the value of a rule is a text, unless it is missing or ignored. */
function isText({ match_operator, match_value: value }: RawClassificationRule): boolean {
  return typeof value === 'string' || value === undefined || value === null || !takesValue(match_operator, 'mapping')
}
