import { type Answer, dataOf } from './problem.ts'

/** A page of a list or of a search. */
type Page<Item> = { readonly next_cursor: string | null } & (
  | { readonly items: readonly Item[] }
  | { readonly messages: readonly Item[] }
)

/**
 * Yields the items of all pages. `read` requests the page of a cursor, which is undefined for the first:
 *
 *     for await (const view of items((cursor) => client.GET('/api/v1/saved-views', { params: { query: { cursor } } })))
 *
 * A page is requested when the items before it have been used.
 * @throws TracefoldProblem if the server refuses a page
 */
export async function* items<Item>(
  read: (cursor: string | undefined) => Promise<Answer<Page<Item>>>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const page: Page<Item> = await dataOf(read(cursor))
    yield* 'items' in page ? page.items : page.messages
    if (page.next_cursor === null) return
    cursor = page.next_cursor
  }
}
