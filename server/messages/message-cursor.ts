import { createHash } from 'node:crypto'
import type { PagePosition, TimeWindow } from '#sql'
import { problem } from '../http/problem.ts'

/** Where a search goes on, as of when, and in which window: a window that was not asked for would move with the clock. */
export interface MessageCursor {
  readonly after: PagePosition
  readonly window: TimeWindow
  /** Microseconds since 1970: only spans stored up to then take part, so no message moves between pages. */
  readonly storedByMicros: bigint
}

type Wire = readonly [query: string, started: string, traceId: string, from: string, to: string, storedBy: string]

/** `query` is all that was asked, without page and cursor; its hash ties the cursor to it. */
export function encodeCursor(query: unknown, { after, window, storedByMicros }: MessageCursor): string {
  const wire: Wire = [
    hashOf(query),
    after.startedNs.toString(),
    after.traceId,
    window.fromNs.toString(),
    window.toNs.toString(),
    storedByMicros.toString(),
  ]
  return Buffer.from(JSON.stringify(wire)).toString('base64url')
}

/** @throws Problem 400 `invalid_cursor` for a cursor of another query, or for any other text */
export function decodeCursor(query: unknown, cursor: string): MessageCursor {
  const wire = parseWire(cursor)
  if (wire?.[0] !== hashOf(query)) throw foreignCursor()
  const [, started, traceId, from, to, storedBy] = wire
  return {
    after: { startedNs: BigInt(started), traceId },
    window: { fromNs: BigInt(from), toNs: BigInt(to) },
    storedByMicros: BigInt(storedBy),
  }
}

function parseWire(cursor: string): Wire | undefined {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const isWire = Array.isArray(content) && content.length === 6 && content.slice(1).every(isSmallNumber)
    return isWire ? (content as unknown as Wire) : undefined
  } catch {
    return undefined
  }
}

function isSmallNumber(part: unknown): boolean {
  return typeof part === 'string' && /^\d{1,39}$/.test(part) && BigInt(part) < 2n ** 128n
}

function hashOf(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 22)
}

function foreignCursor(): Error {
  return problem('invalid_cursor', 'Begin again without a cursor, or send it with the query that it came from.', {
    errors: [{ pointer: '/cursor', code: 'invalid_cursor', message: 'belongs to another query, or to none' }],
  })
}
