import { items } from '../../clients/typescript/pages.ts'

/** The query parameters of a page. */
interface PageQuery {
  readonly limit: number
  readonly cursor?: string
}

type ReadPage<Item> = (page: PageQuery) => ReturnType<Parameters<typeof items<Item>>[0]>

/** Returns the query parameters of the page of a cursor, or of the first, which is as long as the server allows. */
export function pageOf(cursor: string | null | undefined): PageQuery {
  return { limit: 200, ...(cursor == null ? {} : { cursor }) }
}

/** Reads a list to its end, page by page. */
export async function allItems<Item>(read: ReadPage<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items<Item>((cursor) => read(pageOf(cursor)))) all.push(item)
  return all
}

/** Yields the pages of a list, each of which is requested when the one before has been used. */
export async function* allPages<Page extends { readonly next_cursor: string | null }>(
  read: (page: PageQuery) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read(pageOf(cursor))
    yield page
    cursor = page.next_cursor
  }
}
