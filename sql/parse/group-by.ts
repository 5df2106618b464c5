import type { GroupAttribute } from '../ir/message-query.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { parseAttribute, type RawAttribute } from './condition.ts'
import { parseList } from './list.ts'
import { parseMessageField } from './message-query.ts'

/**
 * Parses the attributes `/group_by` of a request, by which messages are grouped.
 * @throws InvalidQuery with the faults of all attributes
 */
export function parseGroupBy(attributes: readonly RawAttribute[]): GroupAttribute[] {
  return parseList(attributes, { pointer: '/group_by' }, (raw, refuse): GroupAttribute | undefined => {
    if (raw.attribute_source !== 'message') return parseAttribute(raw, refuse, spanRecords)
    const field = parseMessageField(raw.attribute_key, refuse)
    return field && { field }
  })
}
