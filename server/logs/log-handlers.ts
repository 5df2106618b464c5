import {
  checkConditions,
  describeLogRecords,
  type LogPosition,
  type LogRecordRow,
  logRecords,
  logRecordsOfTrace,
  type TimeWindow,
  traceExists,
  traceIdOfHex,
} from '#sql'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { decodeCursor, encodeCursor, pageSizeDefault } from '../http/paging.ts'
import { notFound } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/read-in-scope.ts'
import { type GrantedSlices, scopeOf } from '../telemetry/scope.ts'
import { allTime, readWindow } from '../telemetry/time-window.ts'
import { placeOf, toLogRecords } from './log-record.ts'
import { type LogSearchParts, searchLogs } from './log-search.ts'

export interface LogHandlerParts extends LogSearchParts {
  readonly now: () => Date
  readonly granted: GrantedSlices
}

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function logHandlers(parts: LogHandlerParts): Handlers<'searchLogs' | 'listMessageLogs'> {
  return {
    searchLogs: (request) => search(parts, request),
    listMessageLogs: (request) => listOfMessage(parts, request),
  }
}

async function search(parts: LogHandlerParts, { caller, body, signal }: HandlerRequest<'searchLogs'>) {
  const { now, granted } = parts
  const { cursor: sentCursor, limit = pageSizeDefault, ...asked } = body
  const query = ['logs', caller.org, asked]
  const cursor = typeof sentCursor === 'string' ? decodePlace(query, sentCursor, '/cursor') : undefined
  const window = cursor?.window ?? readWindow(asked, now(), '')
  const conditions = checkConditions(asked.conditions ?? [], logRecords)
  const scope = await scopeOf(caller, window, granted)
  const { rows, hasMore } = await searchLogs(parts, { conditions, scope, after: cursor?.after, limit, signal })
  return {
    status: 200 as const,
    body: {
      items: toLogRecords(rows),
      next_cursor: nextCursor(query, window, hasMore ? rows.at(-1) : undefined),
      summary: describeLogRecords(conditions, window),
    },
  }
}

/** Oldest first: what a message logged is read from its beginning. */
async function listOfMessage(
  { clickhouse, now, granted }: LogHandlerParts,
  { caller, path, query: sent, signal }: HandlerRequest<'listMessageLogs'>,
) {
  const { cursor: sentCursor, limit = pageSizeDefault, ...asked } = sent
  const traceId = traceIdOfHex(path.trace_id)
  const query = ['logs of a message', caller.org, traceId, asked]
  const cursor = sentCursor === undefined ? undefined : decodePlace(query, sentCursor, '#/query/cursor')
  const isWindowed = asked.from !== undefined || asked.to !== undefined
  const window = cursor?.window ?? (isWindowed ? readWindow(asked, now(), '#/query') : allTime)
  const scope = await scopeOf(caller, window, granted)
  const after = cursor === undefined ? {} : { after: cursor.after }
  const telemetry = { clickhouse, scope, signal }
  const records = logRecordsOfTrace(traceId, { ...after, limit: limit + 1 })
  const rows = await readInScope<LogRecordRow>(telemetry, records, 'logs of a message')
  if (rows.length === 0) await requireMessage(telemetry, path.trace_id)
  const page = rows.slice(0, limit)
  const items = toLogRecords(page)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { status: 200 as const, body: { items, next_cursor: nextCursor(query, window, last) } }
}

/** Logs may come before the spans of their message, so a message is only missed where there are no logs either. */
async function requireMessage(telemetry: ScopedTelemetry, hex: string): Promise<void> {
  const scope = { ...telemetry.scope, window: allTime }
  const rows = await readInScope({ ...telemetry, scope }, traceExists(traceIdOfHex(hex)), 'message')
  if (rows.length === 0) throw notFound('message', hex)
}

interface Place {
  readonly after: LogPosition
  /** A window that was not asked for would move with the clock. */
  readonly window: TimeWindow
}

function nextCursor(query: unknown, window: TimeWindow, last: LogRecordRow | undefined): string | null {
  if (last === undefined) return null
  const { timeNs, id } = placeOf(last)
  return encodeCursor(query, [timeNs, BigInt(id), window.fromNs, window.toNs])
}

function decodePlace(query: unknown, cursor: string, pointer: string): Place {
  const [timeNs = 0n, id = 0n, fromNs = 0n, toNs = 0n] = decodeCursor(query, cursor, 4, pointer)
  return { after: { timeNs, id: id.toString() }, window: { fromNs, toNs } }
}
