import { readInSteps } from '../background/read-in-steps.ts'
import type { NewestPage } from '../metadata/record-store.ts'
import { decodeCursor, encodeCursor, type PositionParts, recordIdPart } from './cursor.ts'

/** The default of `openapi/schemas/page-size.yaml`. Requests reach handlers without their defaults filled in. */
export const pageSizeDefault = 50

/** The query parameters of an operation that lists records. */
export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface PagedList<Item, Position extends readonly unknown[]> {
  /** Identifies the list by everything that selects or orders its items, including the organization. */
  readonly list: readonly unknown[]
  readonly page: PageRequest
  /** Reads the items after a position, or from the start. Items beyond `limit` are ignored. */
  readonly read: (limit: number, after: Position | undefined) => Promise<readonly Item[]> | readonly Item[]
  readonly positionOf: (item: Item) => readonly (string | number | bigint)[]
  /** How the parts that `positionOf` returns are read from a cursor. */
  readonly parts: PositionParts<Position>
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
export async function readPage<Item, Position extends readonly unknown[]>(
  paged: PagedList<Item, Position>,
): Promise<Page<Item>> {
  const { list, page, read, positionOf, parts } = paged
  const { limit = pageSizeDefault, cursor } = page
  const after = cursor === undefined ? undefined : decodeCursor<Position>(list, cursor, parts, '#/query/cursor')
  const found = await read(limit + 1, after)
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items, next_cursor: last === undefined ? null : encodeCursor(list, positionOf(last)) }
}

/** Reads one page of records, newest first. The position of a record is its id. */
export function readNewest<Item extends { readonly id: string }>(
  list: PagedList<Item, readonly [string]>['list'],
  page: PageRequest,
  readBefore: (page: NewestPage) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  return readPage<Item, readonly [string]>({
    list,
    page,
    read: (limit, after) =>
      readInSteps<Item>(limit, (count, last) => readBefore({ limit: count, before: last?.id ?? after?.[0] })),
    positionOf: ({ id }) => [id],
    parts: [recordIdPart],
  })
}
