import type { PagePosition, TimeWindow } from '#sql'
import { decodeCursor, encodeCursor } from '../http/paging.ts'

/** Where a search goes on, as of when, and in which window: a window that was not asked for would move with the clock. */
export interface MessageCursor {
  readonly after: PagePosition
  readonly window: TimeWindow
  /** Microseconds since 1970: only spans stored up to then take part, so no message moves between pages. */
  readonly storedByMicros: bigint
}

/** `query` is all that was asked, without page and cursor. */
export function encodeMessageCursor(query: unknown, { after, window, storedByMicros }: MessageCursor): string {
  const numbers = [after.startedNs, BigInt(after.traceId), window.fromNs, window.toNs, storedByMicros]
  return encodeCursor(query, numbers)
}

/** @throws Problem 400 `invalid_cursor` for a cursor of another query, or for any other text */
export function decodeMessageCursor(query: unknown, cursor: string): MessageCursor {
  const [startedNs = 0n, traceId = 0n, fromNs = 0n, toNs = 0n, storedByMicros = 0n] = decodeCursor(query, cursor, 5)
  return { after: { startedNs, traceId: traceId.toString() }, window: { fromNs, toNs }, storedByMicros }
}
