import {
  type Bounds,
  isAscending,
  type MessageQuery,
  messageDetails,
  type RankedMessageRow,
  type RankedOrder,
  type RankedPosition,
  rankedMessages,
} from '#sql'
import { readInScope, storedBy, storedByOf } from '../../telemetry/scope.ts'
import { boundsOfTraces, type MatchingSpans, readMatches, spansOfMatches } from './matching-spans.ts'
import { type FoundPage, type MessageRecord, newestFirst, type StoredMessage, toMessageRecord } from './message-page.ts'
import type { MessageSearch } from './search-strategies.ts'

/** A search in an order other than newest first. */
export interface RankedSearch extends Omit<MessageSearch, 'after'> {
  readonly order: RankedOrder
  readonly after?: RankedPosition
}

type RankedRecord = MessageRecord & RankedPosition

/** Up to this number of traces, whole messages of all of them are read at once, which saves a query. */
const wholeTracesMax = 200

/**
 * Finds the first matching messages in an order. Any message of the window may be among them, so it reads all of them
 * once, as a count does, and then those of the page.
 */
export async function rankedPage(search: RankedSearch): Promise<FoundPage> {
  const { limit } = search
  const found = await candidates(search, await spansOfMatches(search, search.telemetry, search.query))
  const records = await readRecords(search, found)
  return {
    messages: records.slice(0, limit),
    hasMore: records.length > limit,
    storedByMicros: storedByOf(found.telemetry, []),
  }
}

/** Returns the traces that have to be read in whole: up to one more than the page has, or a few traces. */
async function candidates(search: RankedSearch, found: MatchingSpans): Promise<MatchingSpans> {
  const { order, after, limit } = search
  const { query, bounds } = found
  const { traceIds } = bounds
  if (traceIds !== undefined && traceIds.length <= wholeTracesMax) return found
  const options = { order, limit: limit + 1, ...(after === undefined ? {} : { after }) }
  const ranked = rankedMessages(query, options, bounds)
  const rows = await readInScope<RankedMessageRow>(found.telemetry, ranked, 'messages in order')
  const ids = rows.map(({ trace_id }) => trace_id)
  return {
    telemetry: storedBy(found.telemetry, storedByOf(found.telemetry, rows)),
    query,
    bounds: boundsOfTraces(ids, bounds.places),
  }
}

/** Reads the messages of some traces that are after the position of a search, in its order. */
async function readRecords({ columns, order, after }: RankedSearch, found: MatchingSpans) {
  const details = (query: MessageQuery, bounds: Bounds) => messageDetails(query, bounds, columns)
  const rows = await readMatches<StoredMessage>(found, details, 'message details')
  const direction = isAscending(order) ? -1n : 1n
  const compare = (left: RankedPosition, right: RankedPosition) => {
    const difference = direction * (right.key - left.key)
    return difference === 0n ? newestFirst(left, right) : difference > 0n ? 1 : -1
  }
  return rows
    .map((row): RankedRecord => ({ ...toMessageRecord(row), key: keys[order](row) }))
    .filter((record) => after === undefined || compare(after, record) < 0)
    .sort(compare)
}

const durationOf = ({ started_ns, ended_ns }: StoredMessage) => BigInt(ended_ns) - BigInt(started_ns)

/** The keys of a message in each order. */
const keys: Readonly<Record<RankedOrder, (row: StoredMessage) => bigint>> = {
  oldest: ({ started_ns }) => BigInt(started_ns),
  longest: durationOf,
  shortest: durationOf,
  most_steps: ({ matched_step_count }) => BigInt(matched_step_count),
  most_errors: ({ error_step_count }) => BigInt(error_step_count),
}
