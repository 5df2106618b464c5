import type { Answer } from '../../../clients/typescript/problem.ts'
import { dataOf } from '../../app/api.ts'

/** The query parameters of a page. */
interface PageQuery {
  readonly limit: number
  readonly cursor?: string
}

/** Any page of a list. */
interface Page {
  readonly next_cursor: string | null
}

/** Returns the query parameters of the page of a cursor, or of the first, which is as long as the server allows. */
export function pageOf(cursor: string | null | undefined): PageQuery {
  return { limit: 200, ...(cursor == null ? {} : { cursor }) }
}

/** Yields the pages of a list, each of which is requested when the one before has been used. */
export async function* allPages<Read extends Page>(
  read: (page: PageQuery) => Promise<Answer<Read>>,
): AsyncGenerator<Read, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Read = await dataOf(read(pageOf(cursor)))
    yield page
    cursor = page.next_cursor
  }
}

/** Reads a list to its end, page by page. */
export async function allItems<Item>(
  read: (page: PageQuery) => Promise<Answer<Page & { readonly items: readonly Item[] }>>,
): Promise<Item[]> {
  const all: Item[] = []
  for await (const { items } of allPages(read)) all.push(...items)
  return all
}
