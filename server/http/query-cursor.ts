import { createHash } from 'node:crypto'
import { decodeCursorText, encodeCursorText, foreignCursor } from './cursor-text.ts'

/**
 * The cursor of a search: some whole numbers below 2^128, tied to what was asked. `query` is all of that, the organization
 * included, without page and cursor.
 */
export function encodeCursor(query: unknown, numbers: readonly bigint[]): string {
  return encodeCursorText([hashOf(query), ...numbers.map(String)])
}

/**
 * The numbers that `encodeCursor` was given.
 * @throws Problem 400 `invalid_cursor` for a cursor of another query, or for any other text; `pointer` is where it stands
 */
export function decodeCursor(query: unknown, cursor: string, count: number, pointer = '/cursor'): bigint[] {
  const [hash, ...numbers] = decodeCursorText(cursor)
  if (hash !== hashOf(query) || numbers.length !== count || !numbers.every(isSmallNumber)) throw foreignCursor(pointer)
  return numbers.map((number) => BigInt(number as string))
}

function isSmallNumber(part: unknown): boolean {
  return typeof part === 'string' && /^\d{1,39}$/.test(part) && BigInt(part) < 2n ** 128n
}

function hashOf(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 22)
}
