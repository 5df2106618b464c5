import { InvalidQuery, type QueryFault } from '../errors.ts'
import type { Attribute, Condition } from '../ir/condition.ts'
import { conditionsMax } from '../limits.ts'
import type { RecordKind } from '../record-kinds/record-kinds.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { parseAttribute, parseCondition, type RawAttribute, type RawCondition, refuseAt } from './condition.ts'

/**
 * Conditions of one surface, joined with `and` -> IR. `pointer` is where the list stands in the request's body.
 * @throws InvalidQuery with every fault of every condition
 */
export function parseConditions(
  conditions: readonly RawCondition[],
  records: RecordKind = spanRecords,
  pointer = '/conditions',
): Condition[] {
  const faults: QueryFault[] = []
  if (conditions.length > conditionsMax)
    throw new InvalidQuery([
      { pointer, code: 'too_many_conditions', message: `A query has at most ${conditionsMax} conditions.` },
    ])
  const parsed = conditions.map((raw, index) =>
    parseCondition(raw, refuseAt(`${pointer}/${index}`, faults), 'span', records),
  )
  if (faults.length > 0) throw new InvalidQuery(faults)
  return parsed.filter((condition) => condition !== undefined)
}

/** @throws InvalidQuery with every fault of every attribute */
export function parseAttributes(
  attributes: readonly RawAttribute[],
  records: RecordKind,
  pointer: string,
): Attribute[] {
  const faults: QueryFault[] = []
  const parsed = attributes.map((raw, index) => parseAttribute(raw, refuseAt(`${pointer}/${index}`, faults), records))
  if (faults.length > 0) throw new InvalidQuery(faults)
  return parsed.filter((attribute) => attribute !== undefined)
}
