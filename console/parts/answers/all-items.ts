import type { Answer } from '../../../clients/typescript/problem.ts'
import { dataOf } from '../../app/api.ts'

/** The query parameters of a page. */
interface PageQuery {
  readonly limit: number
  readonly cursor?: string
}

/** The common part of the pages of all lists. */
interface Page {
  readonly next_cursor: string | null
}

/**
 * Returns the query parameters for the page of a cursor, or for the first page, with the maximum length that the server
 * allows.
 */
export function pageOf(cursor: string | null | undefined): PageQuery {
  return { limit: 200, ...(cursor == null ? {} : { cursor }) }
}

/** Yields the pages of a list. Each is requested once the previous one has been consumed. */
export async function* allPages<Read extends Page>(
  read: (page: PageQuery) => Promise<Answer<Read>>,
): AsyncGenerator<Read, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Read = await dataOf(read(pageOf(cursor)))
    yield page
    cursor = page.next_cursor
  }
}

/** Reads all pages of a list. */
export async function allItems<Item>(
  read: (page: PageQuery) => Promise<Answer<Page & { readonly items: readonly Item[] }>>,
): Promise<Item[]> {
  const all: Item[] = []
  for await (const { items } of allPages(read)) all.push(...items)
  return all
}
