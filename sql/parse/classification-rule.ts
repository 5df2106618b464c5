import { InvalidQuery, type QueryFault } from '../errors.ts'
import type { ClassificationRule, IoPair } from '../ir/facet.ts'
import { parseCondition, type Refuse, refuseAt } from './condition.ts'

/** A classification rule as it comes over the wire, its lists of closed values checked already. */
export interface RawClassificationRule {
  readonly attribute_source: 'span' | 'resource'
  readonly attribute_key: string
  readonly match_operator: string
  readonly match_value?: string
  readonly set_io_kind: IoPair['kind']
  readonly set_io_role: IoPair['role']
}

/** What the fields of a condition are called in a classification rule. */
const fieldNames: Readonly<Record<string, string>> = { operator: 'match_operator', value: 'match_value' }

/**
 * Classification rule -> IR. `pointer` is where it stands in the request's body.
 * @throws InvalidQuery with every fault of the rule
 */
export function parseClassificationRule(raw: RawClassificationRule, pointer = ''): ClassificationRule {
  const { attribute_source, attribute_key, match_operator: operator, match_value: value } = raw
  const faults: QueryFault[] = []
  const refuse = refuseAt(pointer, faults)
  const refuseField: Refuse = (field, code, message) => refuse(fieldNames[field] ?? field, code, message)
  const condition = parseCondition({ attribute_source, attribute_key, operator, value }, refuseField, 'mapping')
  if (condition === undefined) throw new InvalidQuery(faults)
  return { condition, pair: { kind: raw.set_io_kind, role: raw.set_io_role } }
}
