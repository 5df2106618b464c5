import { type MessageQuery, parseAttributes, spanRecords } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { pageSizeDefault } from '../http/paging.ts'
import { createChunkLengths } from '../telemetry/chunk-lengths.ts'
import { type ScopedTelemetry, storedBy, telemetryIn } from '../telemetry/scope.ts'
import type { WindowRequest } from '../telemetry/time-window.ts'
import { createValueIndex } from '../telemetry/value-index/value-index.ts'
import { attributeHandlers } from './attribute-handlers.ts'
import { compareHandlers } from './compare-handlers.ts'
import { exportHandlers } from './message-export.ts'
import { readFilter } from './message-filter.ts'
import { totalsHandlers } from './message-totals.ts'
import { parseHandlers } from './parse-handlers.ts'
import { type CountMessages, countingOf, type LearnedPlaces } from './search/matching-spans.ts'
import { decodeMessageCursor, encodeMessageCursor } from './search/message-page.ts'
import { searchPage } from './search/message-search.ts'
import { rankedPage } from './search/ranked-search.ts'
import type { MessageReaders } from './single-message/message-detail.ts'
import { singleMessageHandlers } from './single-message-handlers.ts'

type MessageOperations = 'searchMessages' | 'countMessages' | 'summarizeMessages'

/** Runs a message search for a request. Saved views use the same function, so that both return the same messages. */
export type SearchMessages = (
  request: MessageSearchRequest,
) => Promise<{ readonly status: 200; readonly body: components['schemas']['MessagePage'] }>

/** A request for a message search, whose window may be relative. */
export interface MessageSearchRequest extends Pick<HandlerRequest<'searchMessages'>, 'caller' | 'signal'> {
  readonly body?: (components['schemas']['MessageSearch'] & Pick<WindowRequest, 'last_s'>) | undefined
}

/** Creates the operations about messages: search, counts, comparisons, single messages, exports and completion. */
export function createMessages(deps: Deps, facets: MessageReaders['facets']) {
  const chunkLengths = createChunkLengths()
  const { retentionDays, valueIndex } = deps.config
  const values = createValueIndex({ now: deps.now, retentionDays, mode: valueIndex })
  const learned = { chunkLengths, values }
  const count = countingOf(learned)
  const search: SearchMessages = (request) => searchMessages(deps, learned, request)
  const handlers: Handlers<MessageOperations> = {
    searchMessages: search,
    countMessages: (request) => countMessages(deps, count, request),
    async summarizeMessages({ caller, body }) {
      const { window, ...filter } = body ?? {}
      const describedWindow = window === undefined ? undefined : { lastS: window.last_s }
      const { summary } = await readFilter(deps, caller, filter, { describedWindow })
      return { status: 200, body: { summary } }
    },
  }
  const findNewest = (telemetry: ScopedTelemetry, query: MessageQuery, limit: number) =>
    searchPage({ telemetry, query, limit, ...learned })
  return {
    search,
    findNewest,
    count,
    handlers: {
      ...handlers,
      ...totalsHandlers(deps, learned),
      ...compareHandlers(deps),
      ...singleMessageHandlers(deps, { facets, values }),
      ...exportHandlers(deps, learned),
      ...parseHandlers(deps),
      ...attributeHandlers(deps),
    },
  }
}

async function searchMessages(
  deps: Deps,
  learned: LearnedPlaces,
  request: MessageSearchRequest,
): ReturnType<SearchMessages> {
  const { cursor: sentCursor, limit = pageSizeDefault, ...search } = request.body ?? {}
  const { order = 'newest', columns: sentColumns = [], ...filter } = search
  const cursorKey = [request.caller.org, search]
  const cursor = typeof sentCursor === 'string' ? decodeMessageCursor(cursorKey, sentCursor, order) : undefined
  const { query, window, summary } = await readFilter(deps, request.caller, filter, { window: cursor?.window })
  const columns = parseAttributes(sentColumns, spanRecords, '/columns')
  const visible = await telemetryIn(deps, request, window)
  const telemetry = cursor === undefined ? visible : storedBy(visible, cursor.storedByMicros)
  const page = { telemetry, query, columns, limit }
  const found =
    order === 'newest'
      ? await searchPage({ ...page, ...learned, ...(cursor && { after: cursor.after }) })
      : await rankedPage({ ...page, ...learned, order, ...(cursor && { after: { key: 0n, ...cursor.after } }) })
  const { messages, hasMore, storedByMicros } = found
  const last = hasMore ? messages.at(-1) : undefined
  return {
    status: 200,
    body: {
      messages: messages.map(({ message }) => message),
      next_cursor: last === undefined ? null : encodeMessageCursor(cursorKey, { after: last, window, storedByMicros }),
      summary,
    },
  }
}

async function countMessages(deps: Deps, count: CountMessages, request: HandlerRequest<'countMessages'>) {
  const { query, window } = await readFilter(deps, request.caller, request.body ?? {})
  const telemetry = await telemetryIn(deps, request, window)
  const counts = await count(telemetry, query, 'message counts')
  const body = {
    message_count: Number(counts.message_count),
    error_message_count: Number(counts.error_message_count),
    matched_step_count: Number(counts.matched_step_count),
    error_step_count: Number(counts.error_step_count),
  }
  return { status: 200 as const, body }
}
