import { InvalidQuery, type QueryFault } from '../errors.ts'
import type { ClassificationRule, IoPair } from '../ir/facet.ts'
import { classificationRulesMax } from '../limits.ts'
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
 * Classification rules -> IR. `pointer` is where the list stands in the request's body.
 * @throws InvalidQuery with every fault of every rule
 */
export function parseClassificationRules(rules: readonly RawClassificationRule[], pointer: string): ClassificationRule[] {
  const faults: QueryFault[] = []
  if (rules.length > classificationRulesMax)
    throw new InvalidQuery([
      { pointer, code: 'too_many_conditions', message: `A service has at most ${classificationRulesMax} rules.` },
    ])
  const parsed = rules.map((raw, index) => parseRule(raw, refuseAt(`${pointer}/${index}`, faults)))
  if (faults.length > 0) throw new InvalidQuery(faults)
  return parsed.filter((rule) => rule !== undefined)
}

/** One rule, which is the whole body. @throws InvalidQuery with every fault of it */
export function parseClassificationRule(raw: RawClassificationRule): ClassificationRule {
  const faults: QueryFault[] = []
  const rule = parseRule(raw, refuseAt('', faults))
  if (rule === undefined) throw new InvalidQuery(faults)
  return rule
}

function parseRule(raw: RawClassificationRule, refuse: Refuse): ClassificationRule | undefined {
  const { attribute_source, attribute_key, match_operator: operator, match_value: value } = raw
  const refuseField: Refuse = (field, code, message) => refuse(fieldNames[field] ?? field, code, message)
  const condition = parseCondition({ attribute_source, attribute_key, operator, value }, refuseField, 'mapping')
  return condition && { condition, pair: { kind: raw.set_io_kind, role: raw.set_io_role } }
}
