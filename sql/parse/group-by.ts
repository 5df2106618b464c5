import type { GroupAttribute } from '../ir/message-query.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { parseAttribute, type RawAttribute } from './condition.ts'
import { parseList } from './list.ts'
import { parseMessageField } from './message-query.ts'

/**
 * Parses the attributes by which messages are grouped. `pointer` locates the list in the request body.
 * @throws InvalidQuery with the faults of all attributes
 */
export function parseGroupBy(attributes: readonly RawAttribute[], pointer = '/group_by'): GroupAttribute[] {
  return parseList(attributes, { pointer }, (raw, refuse): GroupAttribute | undefined => {
    if (raw.attribute_source !== 'message') return parseAttribute(raw, refuse, spanRecords)
    const field = parseMessageField(raw.attribute_key, refuse)
    return field && { field }
  })
}
