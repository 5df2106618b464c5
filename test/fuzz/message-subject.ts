import type { MessageCounts } from '../support/reference-messages.ts'
import type { toRequestBody, WireMessage } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'

export type RequestBody = ReturnType<typeof toRequestBody>

export interface SearchPage {
  readonly messages: readonly WireMessage[]
  readonly next_cursor: string | null
}

/** What is tested against the reference: something that stores spans and answers questions in the shapes of the wire. */
export interface MessageSubject {
  /** Resolves when the spans take part in answers; a later delivery replaces rows of the same span. */
  store(org: string, spans: readonly SpanModel[]): Promise<void>
  search(org: string, body: RequestBody & { limit: number; cursor?: string }): Promise<SearchPage>
  count(org: string, body: RequestBody): Promise<MessageCounts>
}

/** Every message of a search, page by page; it throws when a page is longer than asked for or the pages do not end. */
export async function searchAll(
  subject: MessageSubject,
  org: string,
  body: RequestBody,
  limit: number,
): Promise<WireMessage[]> {
  const found: WireMessage[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await subject.search(org, { ...body, limit, ...(cursor === undefined ? {} : { cursor }) })
    if (page.messages.length > limit) throw new Error(`A page of ${limit} has ${page.messages.length} messages.`)
    found.push(...page.messages)
    cursor = page.next_cursor ?? undefined
    if (cursor !== undefined && seen.has(cursor)) throw new Error('A cursor leads to itself.')
    if (cursor !== undefined) seen.add(cursor)
  } while (cursor !== undefined)
  return found
}
