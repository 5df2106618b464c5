import type { Integration } from '../support/reference-integration.ts'
import type { MessageCounts } from '../support/reference-messages.ts'
import type { MessageOrder, StepAttribute } from '../support/reference-page.ts'
import type { toRequestBody, WireMessage } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'

export type RequestBody = ReturnType<typeof toRequestBody> & { readonly integration_id?: string }

/** What a search has and a count has not. */
export interface SearchOptions {
  readonly order?: MessageOrder
  readonly columns?: readonly StepAttribute[]
}

export interface SearchPage {
  readonly messages: readonly WireMessage[]
  readonly next_cursor: string | null
}

/**
 * A system that is compared with the reference. It stores spans and answers requests in the format of the API.
 */
export interface MessageSubject {
  /** Stores spans and resolves when they are queryable. Of several rows of one span, the first one stored counts. */
  store(org: string, spans: readonly SpanModel[]): Promise<void>
  search(org: string, body: RequestBody & SearchOptions & { limit: number; cursor?: string }): Promise<SearchPage>
  count(org: string, body: RequestBody): Promise<MessageCounts>
  /** Creates an integration and returns its id. */
  createIntegration(org: string, integration: Integration): Promise<string>
}

/**
 * Reads the messages of a search page by page, up to `pageCountMax` pages.
 * @throws Error when a page is longer than requested
 */
export async function searchPages(
  subject: MessageSubject,
  org: string,
  body: RequestBody & SearchOptions & { readonly limit: number },
  pageCountMax = Number.POSITIVE_INFINITY,
): Promise<WireMessage[]> {
  const found: WireMessage[] = []
  const seen = new Set<string>()
  let cursor: string | null = null
  for (let page = 0; page < pageCountMax && (page === 0 || cursor !== null); page++) {
    const answer: SearchPage = await subject.search(org, { ...body, ...(cursor === null ? {} : { cursor }) })
    if (answer.messages.length > body.limit) throw new Error(`A page of ${body.limit} has ${answer.messages.length}.`)
    found.push(...answer.messages)
    cursor = answer.next_cursor
    if (cursor !== null && seen.has(cursor)) throw new Error('A cursor leads to itself.')
    if (cursor !== null) seen.add(cursor)
  }
  return found
}
