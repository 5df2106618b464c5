/** A page of messages: its records, their order, and the cursor of the next page. */
import {
  hexOfSpanId,
  hexOfTraceId,
  type MessageOrder,
  type PagePosition,
  type RankedPosition,
  rfc3339OfNs,
  type TimeWindow,
  typeOfTag,
} from '#sql'
import type { components } from '../../../openapi/types.ts'
import { decodeSearchCursor, encodeSearchCursor } from '../../http/cursor.ts'

/** A row of `messageDetails`. */
export interface StoredMessage {
  readonly trace_id: string
  readonly started_ns: string
  readonly ended_ns: string
  readonly root: readonly [service: string, name: string]
  readonly services: readonly string[]
  readonly span_count: string
  readonly error_count: string
  readonly matched_step_count: string
  readonly error_step_count: string
  readonly matched_step_ids: readonly string[]
  /** Present if the search has columns. The text has a type tag; it is empty if the message lacks the column. */
  readonly column_values?: readonly (readonly [tagged: string, spanId: string])[]
}

/** A message and its position in a search. */
export interface MessageRecord extends PagePosition {
  readonly message: components['schemas']['Message']
}

export interface FoundPage {
  readonly messages: readonly MessageRecord[]
  readonly hasMore: boolean
  /** The page reflects the spans stored up to this time, in microseconds since 1970 on ClickHouse's clock. */
  readonly storedByMicros: bigint
}

/** Converts a row to the message that the API returns, with its position in the order of a search. */
export function toMessageRecord(row: StoredMessage): MessageRecord {
  const startedNs = BigInt(row.started_ns)
  const message = {
    trace_id: hexOfTraceId(row.trace_id),
    started_at: rfc3339OfNs(startedNs),
    duration_ns: (BigInt(row.ended_ns) - startedNs).toString(),
    status: Number(row.error_step_count) > 0 ? ('error' as const) : ('ok' as const),
    root: { service: row.root[0], name: row.root[1] },
    services: row.services.toSorted(),
    span_count: Number(row.span_count),
    error_count: Number(row.error_count),
    matched_step_count: Number(row.matched_step_count),
    matched_step_ids: row.matched_step_ids.map(hexOfSpanId),
    ...(row.column_values === undefined ? {} : { columns: row.column_values.map(toColumnValue) }),
  }
  return { startedNs, traceId: row.trace_id, message }
}

function toColumnValue([tagged, spanId]: readonly [tagged: string, spanId: string]) {
  if (tagged === '') return null
  return { value: tagged.slice(1), type: typeOfTag(tagged.slice(0, 1)), from_span_id: hexOfSpanId(spanId) }
}

/** Compares messages in the order of a search: by start, then by trace id, both descending. */
export function newestFirst(left: PagePosition, right: PagePosition): number {
  if (left.startedNs !== right.startedNs) return left.startedNs > right.startedNs ? -1 : 1
  return BigInt(left.traceId) > BigInt(right.traceId) ? -1 : 1
}

/**
 * The position at which a search continues. It includes the window, because a relative window would move with the
 * clock.
 */
export interface MessageCursor {
  /** The last message of the page. In an order other than newest first, with its key in that order. */
  readonly after: PagePosition | RankedPosition
  readonly window: TimeWindow
  /** Only spans stored up to this time count, so that no message moves between pages. In microseconds since 1970. */
  readonly storedByMicros: bigint
}

/** Encodes a cursor. It is valid only for `query`, the whole request without page size and cursor. */
export function encodeMessageCursor(query: unknown, { after, window, storedByMicros }: MessageCursor): string {
  const position = { timeNs: after.startedNs, id: after.traceId }
  const more = 'key' in after ? [storedByMicros, after.key] : [storedByMicros]
  return encodeSearchCursor(query, { after: position, window, more })
}

/** The limit of a time in microseconds, and that of a key: a duration is a UInt64. */
const [timeLimit, keyLimit] = [2n ** 63n, 2n ** 64n]

/**
 * Decodes a cursor of a search in an order.
 * @throws Problem 400 `invalid_cursor` for the cursor of another query and for any other text
 */
export function decodeMessageCursor(query: unknown, cursor: string, order: MessageOrder): MessageCursor {
  const isRanked = order !== 'newest'
  const limits = isRanked ? [timeLimit, keyLimit] : [timeLimit]
  const { after, window, more } = decodeSearchCursor(query, cursor, '/cursor', limits)
  const [storedByMicros = 0n, key = 0n] = more
  const position = { startedNs: after.timeNs, traceId: after.id }
  return { after: isRanked ? { ...position, key } : position, window, storedByMicros }
}
