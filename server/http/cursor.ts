import { createHash } from 'node:crypto'
import type { TimeWindow } from '#sql'
import { problem } from '../problem/problem.ts'
import { allTime } from '../telemetry/time-window.ts'

/** Reads one part of a position. Returns undefined for a text that no position contains there. */
export type ReadPart<Part> = (text: string) => Part | undefined

/** How each part of a position is read. */
export type PositionParts<Position extends readonly unknown[]> = {
  readonly [Index in keyof Position]: ReadPart<Position[Index]>
}

/** Any text, except one with unpaired surrogates, which cannot be encoded in UTF-8. */
export const textPart: ReadPart<string> = (text) => (Buffer.from(text).toString() === text ? text : undefined)

/** The number for the rest of a long text (sql/compile/list-order.ts). */
export const restPart = numberPart(2n ** 33n)

/** Returns the reader of a part that is one of a few texts. */
export function oneOfPart<Text extends string>(texts: readonly Text[]): ReadPart<Text> {
  return (text) => texts.find((each) => each === text)
}

/** The id of a record, a ULID. */
export const recordIdPart: ReadPart<string> = (text) => (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(text) ? text : undefined)

/** Returns the reader of a part that is a whole number below a limit. */
export function numberPart(limit: bigint): ReadPart<bigint> {
  return (text) => {
    const number = /^(0|[1-9]\d{0,38})$/.test(text) ? BigInt(text) : limit
    return number < limit ? number : undefined
  }
}

/**
 * Encodes the cursor of a list. `query` contains everything that selects or orders the items, including the
 * organization, but neither the page size nor the cursor. The cursor is valid for the same query only.
 */
export function encodeCursor(query: unknown, position: readonly (string | number | bigint)[]): string {
  return Buffer.from(JSON.stringify([hashOf(query), ...position.map(String)])).toString('base64url')
}

/**
 * Decodes a cursor. Clients may send anything, so each part is read as strictly as a field of a request. `pointer`
 * locates the cursor in the request.
 * @throws Problem 400 `invalid_cursor` for a cursor of another query, and for a text that `encodeCursor` never returns
 */
export function decodeCursor<Position extends readonly unknown[]>(
  query: unknown,
  cursor: string,
  parts: PositionParts<Position>,
  pointer: string,
): Position {
  const [hash, ...texts] = decodeText(cursor)
  if (hash !== hashOf(query) || texts.length !== parts.length) throw invalidCursor(pointer)
  return parts.map((read, index) => {
    const text = texts[index]
    const part = typeof text === 'string' ? read(text) : undefined
    if (part === undefined) throw invalidCursor(pointer)
    return part
  }) as unknown as Position
}

/** The position at which a search by time continues, newest first or oldest first. */
export interface SearchCursor {
  /** The last item: its time in nanoseconds since 1970, and the decimal text of its id, a UInt128. */
  readonly after: { readonly timeNs: bigint; readonly id: string }
  /** The window of the first page, because a relative window would move with the clock. */
  readonly window: TimeWindow
  /** Further numbers, none negative, that a kind of search adds. */
  readonly more?: readonly bigint[]
}

const timePart = numberPart(allTime.toNs + 1n)
const idPart = numberPart(2n ** 128n)

/** Encodes the cursor of a search, for `decodeSearchCursor`. */
export function encodeSearchCursor(query: unknown, { after, window, more = [] }: SearchCursor): string {
  return encodeCursor(query, [after.timeNs, after.id, window.fromNs, window.toNs, ...more])
}

/**
 * Decodes the cursor of a search with additional numbers, each below a limit.
 * @throws Problem 400 `invalid_cursor` for a position outside its window, and in the cases of `decodeCursor`
 */
export function decodeSearchCursor(
  query: unknown,
  cursor: string,
  pointer: string,
  moreLimits: readonly bigint[] = [],
): Required<SearchCursor> {
  const parts = [timePart, idPart, timePart, timePart, ...moreLimits.map(numberPart)]
  const [timeNs = 0n, id = 0n, fromNs = 0n, toNs = 0n, ...more] = decodeCursor<bigint[]>(query, cursor, parts, pointer)
  if (timeNs < fromNs || timeNs >= toNs) throw invalidCursor(pointer)
  return { after: { timeNs, id: id.toString() }, window: { fromNs, toNs }, more }
}

function hashOf(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 22)
}

/** Returns the content of a cursor, or an empty list for any other text. */
function decodeText(text: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}

function invalidCursor(pointer: string): Error {
  return problem('invalid_cursor', 'Restart without a cursor, or reuse the query that produced it.', {
    errors: [{ pointer, code: 'invalid_cursor', message: 'is not a cursor of this query' }],
  })
}
