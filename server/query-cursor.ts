import { createHash } from 'node:crypto'
import { problem } from './http/problem.ts'

/**
 * The cursor of a search: some whole numbers below 2^128, tied to what was asked. `query` is all of that, the organization
 * included, without page and cursor.
 */
export function encodeCursor(query: unknown, numbers: readonly bigint[]): string {
  const wire = [hashOf(query), ...numbers.map(String)]
  return Buffer.from(JSON.stringify(wire)).toString('base64url')
}

/**
 * The numbers that `encodeCursor` was given.
 * @throws Problem 400 `invalid_cursor` for a cursor of another query, or for any other text; `pointer` is where it stands
 */
export function decodeCursor(query: unknown, cursor: string, count: number, pointer = '/cursor'): bigint[] {
  const [hash, ...numbers] = parseWire(cursor)
  if (hash !== hashOf(query) || numbers.length !== count || !numbers.every(isSmallNumber)) throw foreignCursor(pointer)
  return numbers.map((number) => BigInt(number as string))
}

function parseWire(cursor: string): unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}

function isSmallNumber(part: unknown): boolean {
  return typeof part === 'string' && /^\d{1,39}$/.test(part) && BigInt(part) < 2n ** 128n
}

function hashOf(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 22)
}

function foreignCursor(pointer: string): Error {
  return problem('invalid_cursor', 'Begin again without a cursor, or send it with the query that it came from.', {
    errors: [{ pointer, code: 'invalid_cursor', message: 'belongs to another query, or to none' }],
  })
}
