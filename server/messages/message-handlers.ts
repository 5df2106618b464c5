import {
  checkMessageRows,
  describeMessages,
  type MessageCountsRow,
  type MessageQuery,
  messageCounts,
  type TimeWindow,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Caller } from '../auth/caller.ts'
import type { KeyAttributesOf } from '../facets/key-attributes.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { pageSizeDefault } from '../http/paging.ts'
import { notFound, raise } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/read-in-scope.ts'
import { type FindSlice, type GrantedSlices, scopeOf } from '../telemetry/scope.ts'
import { allTime, readWindow, type WindowRequest } from '../telemetry/time-window.ts'
import type { SearchParts } from './message-chunk.ts'
import { decodeMessageCursor, encodeMessageCursor } from './message-cursor.ts'
import { searchPage } from './message-search.ts'
import { readSpans } from './trace-reader.ts'

export interface MessageHandlerParts extends SearchParts {
  readonly now: () => Date
  readonly granted: GrantedSlices
  readonly findSlice: FindSlice
  readonly keyAttributesOf: KeyAttributesOf
}

type Filter = components['schemas']['MessageFilter']

interface Question {
  readonly query: MessageQuery
  readonly window: TimeWindow
  readonly summary: string
}

type MessageOperations = 'searchMessages' | 'countMessages' | 'summarizeMessages' | 'getMessage'

export function messageHandlers(parts: MessageHandlerParts): Handlers<MessageOperations> {
  return {
    searchMessages: (request) => searchMessages(parts, request),
    async countMessages({ caller, body, signal }) {
      const { query, window } = await readQuestion(parts, caller, body ?? {})
      const scope = await scopeOf(caller, window, parts.granted)
      return { status: 200, body: await countMessages({ clickhouse: parts.clickhouse, scope, signal }, query) }
    },
    async summarizeMessages({ caller, body }) {
      const { summary } = await readQuestion(parts, caller, body ?? {})
      return { status: 200, body: { summary } }
    },
    async getMessage({ caller, path, query, signal }) {
      const isAsked = query.from !== undefined || query.to !== undefined
      const window = isAsked ? readWindow(query, parts.now(), '#/query') : allTime
      const scope = await scopeOf(caller, window, parts.granted)
      const telemetry = { clickhouse: parts.clickhouse, scope, signal }
      const spans = await readSpans(telemetry, path.trace_id, parts.keyAttributesOf)
      if (spans.length === 0) throw notFound('message', path.trace_id)
      return { status: 200, body: { trace_id: path.trace_id.toLowerCase(), spans } }
    },
  }
}

/** What a search is asked: what the operation takes, or a relative window in the place of `from` and `to`. */
export interface AskedSearch extends Pick<HandlerRequest<'searchMessages'>, 'caller' | 'signal'> {
  readonly body?: (components['schemas']['MessageSearch'] & Pick<WindowRequest, 'last_s'>) | undefined
}

/** A page of messages. A saved view is run here, too, so that it means what the same search means. */
export async function searchMessages(parts: MessageHandlerParts, { caller, body = {}, signal }: AskedSearch) {
  const { cursor: sentCursor, limit = pageSizeDefault, ...filter } = body
  const cursor = typeof sentCursor === 'string' ? decodeMessageCursor([caller.org, filter], sentCursor) : undefined
  const { query, window, summary } = await readQuestion(parts, caller, filter, cursor?.window)
  const scope = await scopeOf(caller, window, parts.granted)
  const page = await searchPage(parts, {
    query,
    scope: cursor === undefined ? scope : { ...scope, storedByMicros: cursor.storedByMicros },
    limit,
    signal,
    ...(cursor === undefined ? {} : { after: cursor.after }),
  })
  const last = page.messages.at(-1)
  const next =
    page.hasMore && last !== undefined ? { after: last, window, storedByMicros: page.storedByMicros } : undefined
  return {
    status: 200 as const,
    body: {
      messages: page.messages.map(({ message }) => message),
      next_cursor: next === undefined ? null : encodeMessageCursor([caller.org, filter], next),
      summary,
    },
  }
}

/** @throws Problem 404 for an integration that is not the caller's, InvalidQuery for rows that have no meaning */
async function readQuestion(
  { now, findSlice }: MessageHandlerParts,
  caller: Caller,
  filter: Filter & WindowRequest,
  windowOfCursor?: TimeWindow,
): Promise<Question> {
  const window = windowOfCursor ?? readWindow(filter, now(), '')
  const rows = checkMessageRows(filter.rows ?? [])
  const { integration_id: id, status } = filter
  const named = id === undefined ? undefined : ((await findSlice(caller, id)) ?? raise(notFound('integration', id)))
  const asked = { rows, ...(status === undefined ? {} : { status }) }
  const query: MessageQuery = named === undefined ? asked : { ...asked, slice: named.slice }
  const described = named === undefined ? { ...asked, window } : { ...asked, window, integrationName: named.name }
  return { query, window, summary: describeMessages(described) }
}

async function countMessages(telemetry: ScopedTelemetry, query: MessageQuery) {
  const [counted] = await readInScope<MessageCountsRow>(telemetry, messageCounts(query), 'message counts')
  const counts = counted ?? raise(new Error('The count of messages has no row.'))
  return {
    message_count: Number(counts.message_count),
    error_message_count: Number(counts.error_message_count),
    matched_step_count: Number(counts.matched_step_count),
    error_step_count: Number(counts.error_step_count),
  }
}
