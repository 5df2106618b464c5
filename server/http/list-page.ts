import type { NewestPage } from '../metadata/record-store.ts'
import { decodeCursorText, encodeCursorText, foreignCursor } from './cursor-text.ts'

/** The default of `openapi/schemas/page-size.yaml`, which requests are not filled up with. */
export const pageSizeDefault = 50

/** What an operation that lists is asked, in its query. */
export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface PagedList<Item> {
  /** Names the list and all that selects or orders its items, the organization included, but not the size of the page. */
  readonly listed: readonly unknown[]
  readonly asked: PageRequest
  /** The items after a place, or from the first: `limit` of them where there are as many; what is more is left out. */
  readonly read: (limit: number, after: string | undefined) => Promise<readonly Item[]> | readonly Item[]
  readonly placeOf: (item: Item) => string
}

export interface Page<Item> {
  readonly items: Item[]
  readonly next_cursor: string | null
}

/**
 * A page of a list. Its cursor is the place of its last item, tied to the list: a cursor of another list is refused, and what
 * comes and goes in between moves no other item from page to page.
 * @throws Problem 400 `invalid_cursor`
 */
export async function readPage<Item>({ listed, asked, read, placeOf }: PagedList<Item>): Promise<Page<Item>> {
  const { limit = pageSizeDefault, cursor } = asked
  const name = JSON.stringify(listed)
  const found = await read(limit + 1, cursor === undefined ? undefined : decodePlace(name, cursor))
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items, next_cursor: last === undefined ? null : encodeCursorText([name, placeOf(last)]) }
}

/** A page of records, newest first. `list` is asked for those behind a place, which is the id of a record. */
export function readNewest<Item extends { readonly id: string }>(
  listed: PagedList<Item>['listed'],
  asked: PageRequest,
  list: (page: NewestPage) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  return readPage({ listed, asked, read: (limit, before) => list({ limit, before }), placeOf: ({ id }) => id })
}

function decodePlace(name: string, cursor: string): string {
  const [listed, place, ...others] = decodeCursorText(cursor)
  if (listed !== name || typeof place !== 'string' || others.length > 0) throw foreignCursor('#/query/cursor')
  return place
}
