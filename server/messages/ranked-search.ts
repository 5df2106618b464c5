import { type RankedMessageRow, type RankedOrder, type RankedPosition, rankedMessages } from '#sql'
import { readInScope } from '../telemetry/scope.ts'
import type { MessageRecord } from './message-page.ts'
import type { FoundPage } from './message-search.ts'
import { type MessageSearch, readDetails, storedBy, storedByOf } from './search-strategies.ts'

/** A search in an order other than newest first. */
export interface RankedSearch extends Pick<MessageSearch, 'telemetry' | 'query' | 'columns' | 'limit'> {
  readonly order: RankedOrder
  readonly after?: RankedPosition
}

/**
 * Finds the first matching messages in an order. Any message of the window may be among them, so it reads the window
 * once, as a count does, and then the messages of the page.
 */
export async function rankedPage(search: RankedSearch): Promise<FoundPage> {
  const { telemetry, query, order, after, limit } = search
  const options = { order, limit: limit + 1, ...(after === undefined ? {} : { after }) }
  const rows = await readInScope<RankedMessageRow>(telemetry, rankedMessages(query, options), 'messages in order')
  const shown = rows.slice(0, limit)
  const storedByMicros = storedByOf(telemetry, rows)
  const ids = shown.map(({ trace_id }) => trace_id)
  const details = await readDetails({ ...search, telemetry: storedBy(telemetry, storedByMicros) }, ids)
  const messageOf = new Map(details.map((record) => [record.traceId, record]))
  const messages = shown.flatMap(({ trace_id, key }): (MessageRecord & RankedPosition)[] => {
    const record = messageOf.get(trace_id)
    return record === undefined ? [] : [{ ...record, key: BigInt(key) }]
  })
  return { messages, hasMore: rows.length > limit, storedByMicros }
}
