import { createHash } from 'node:crypto'
import type { NewestPage } from '../metadata/record-store.ts'
import { problem } from '../problem/problem.ts'

/** The default of `openapi/schemas/page-size.yaml`. Requests reach handlers without their defaults filled in. */
export const pageSizeDefault = 50

/** The query parameters of an operation that lists records. */
export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface PagedList<Item> {
  /** Identifies the list by everything that selects or orders its items, including the organization. */
  readonly list: readonly unknown[]
  readonly page: PageRequest
  /** Reads the items after a position, or from the start. Items beyond `limit` are ignored. */
  readonly read: (limit: number, after: string | undefined) => Promise<readonly Item[]> | readonly Item[]
  readonly positionOf: (item: Item) => string
}

export interface Page<Item> {
  readonly items: Item[]
  readonly next_cursor: string | null
}

/**
 * Reads one page of a list. The cursor is the position of the last item and is bound to its list, so concurrent inserts
 * and deletes do not move other items between pages.
 * @throws Problem 400 `invalid_cursor` for a cursor of another list
 */
export async function readPage<Item>({ list, page, read, positionOf }: PagedList<Item>): Promise<Page<Item>> {
  const { limit = pageSizeDefault, cursor } = page
  const name = JSON.stringify(list)
  const found = await read(limit + 1, cursor === undefined ? undefined : decodePosition(name, cursor))
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items, next_cursor: last === undefined ? null : encodeText([name, positionOf(last)]) }
}

/** Reads one page of records, newest first. The position of a record is its id. */
export function readNewest<Item extends { readonly id: string }>(
  list: PagedList<Item>['list'],
  page: PageRequest,
  readBefore: (page: NewestPage) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  return readPage({ list, page, read: (limit, before) => readBefore({ limit, before }), positionOf: ({ id }) => id })
}

function decodePosition(name: string, cursor: string): string {
  const [list, position, ...others] = decodeText(cursor)
  if (list !== name || typeof position !== 'string' || others.length > 0) throw foreignCursor('#/query/cursor')
  return position
}

/**
 * Encodes the cursor of a search: whole numbers below 2^128, bound to the query. `query` contains everything that
 * selects or orders the results, including the organization, but neither the page size nor the cursor.
 */
export function encodeCursor(query: unknown, numbers: readonly bigint[]): string {
  return encodeText([hashOf(query), ...numbers.map(String)])
}

/**
 * Decodes the numbers of a cursor made by `encodeCursor`. `pointer` locates the cursor in the request.
 * @throws Problem 400 `invalid_cursor` for a cursor of another query, or for any other text
 */
export function decodeCursor(query: unknown, cursor: string, count: number, pointer = '/cursor'): bigint[] {
  const [hash, ...numbers] = decodeText(cursor)
  if (hash !== hashOf(query) || numbers.length !== count || !numbers.every(isSmallNumber)) throw foreignCursor(pointer)
  return numbers.map((number) => BigInt(number as string))
}

function isSmallNumber(part: unknown): boolean {
  return typeof part === 'string' && /^\d{1,39}$/.test(part) && BigInt(part) < 2n ** 128n
}

function hashOf(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 22)
}

function encodeText(content: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/**
 * Returns the content that was passed to `encodeText`, or an empty list for any other text, because clients may send
 * anything.
 */
function decodeText(text: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}

function foreignCursor(pointer: string): Error {
  return problem('invalid_cursor', 'Restart without a cursor, or reuse the query that produced it.', {
    errors: [{ pointer, code: 'invalid_cursor', message: 'is not a cursor of this query' }],
  })
}
