import {
  checkConditions,
  describeLogRecords,
  type LogRecordRow,
  logRecords,
  logRecordsOfTrace,
  type TimeWindow,
  traceExists,
  traceIdOfHex,
} from '#sql'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { decodeSearchCursor, encodeSearchCursor } from '../http/cursor.ts'
import { pageSizeDefault } from '../http/paging.ts'
import { notFound } from '../problem/problem.ts'
import { exportedMax } from '../telemetry/export/record-export.ts'
import { readInScope, type ScopedTelemetry, telemetryIn, withWindow } from '../telemetry/scope.ts'
import { allTime, readWindow, readWindowOrAllTime } from '../telemetry/time-window.ts'
import { streamLogs } from './log-export.ts'
import { createLearnedLogs, type LearnedLogs } from './log-places.ts'
import { toLogRecords } from './log-record.ts'
import { searchLogs } from './log-search.ts'

/** Creates the search of log records and the list of log records of a message. */
export function createLogs(deps: Deps) {
  const learned = createLearnedLogs(deps)
  const handlers: Handlers<'searchLogs' | 'listMessageLogs' | 'exportLogRecords'> = {
    searchLogs: (request) => search(deps, learned, request),
    exportLogRecords: (request) => exportLogRecords(deps, learned, request),
    listMessageLogs: (request) => listOfMessage(deps, request),
  }
  return { handlers }
}

async function search(deps: Deps, learned: LearnedLogs, request: HandlerRequest<'searchLogs'>) {
  const { cursor: sentCursor, limit = pageSizeDefault, summary_last_s, ...filter } = request.body
  const cursorKey = ['logs', request.caller.org, filter]
  const cursor = typeof sentCursor === 'string' ? decodeSearchCursor(cursorKey, sentCursor, '/cursor') : undefined
  const window = cursor?.window ?? readWindow(filter, deps.now(), '')
  const conditions = checkConditions(filter.conditions ?? [], logRecords)
  const telemetry = await telemetryIn(deps, request, window)
  const after = cursor === undefined ? {} : { after: cursor.after }
  const { rows, hasMore } = await searchLogs({ telemetry, conditions, limit, learned, ...after })
  return {
    status: 200 as const,
    body: {
      items: await toLogRecords(rows),
      next_cursor: nextCursor(cursorKey, window, hasMore ? rows.at(-1) : undefined),
      summary: describeLogRecords(conditions, summary_last_s === undefined ? window : { lastS: summary_last_s }),
    },
  }
}

async function exportLogRecords(deps: Deps, learned: LearnedLogs, request: HandlerRequest<'exportLogRecords'>) {
  const { order = 'newest', limit = exportedMax, ...filter } = request.body
  const window = readWindow(filter, deps.now(), '')
  const conditions = checkConditions(filter.conditions ?? [], logRecords)
  const telemetry = await telemetryIn(deps, request, window)
  const { mediaType } = request
  return { status: 200 as const, stream: await streamLogs({ telemetry, conditions, order, limit, mediaType, learned }) }
}

/** Lists the log records of a message in chronological order. */
async function listOfMessage(deps: Deps, request: HandlerRequest<'listMessageLogs'>) {
  const { cursor: sentCursor, limit = pageSizeDefault, ...requested } = request.query
  const { trace_id } = request.path
  const traceId = traceIdOfHex(trace_id)
  const cursorKey = ['logs of a message', request.caller.org, traceId, requested]
  const cursor = sentCursor === undefined ? undefined : decodeSearchCursor(cursorKey, sentCursor, '#/query/cursor')
  const window = cursor?.window ?? readWindowOrAllTime(requested, deps.now(), '#/query')
  const telemetry = await telemetryIn(deps, request, window)
  const after = cursor === undefined ? {} : { after: cursor.after }
  const records = logRecordsOfTrace(traceId, { ...after, limit: limit + 1 })
  const rows = await readInScope<LogRecordRow>(telemetry, records, 'logs of a message')
  if (rows.length === 0) await requireMessage(telemetry, trace_id)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    status: 200 as const,
    body: { items: await toLogRecords(page), next_cursor: nextCursor(cursorKey, window, last) },
  }
}

/**
 * Checks that a message without log records exists. A message with log records exists even if its spans have not
 * arrived yet.
 * @throws Problem 404
 */
async function requireMessage(telemetry: ScopedTelemetry, hexTraceId: string): Promise<void> {
  const rows = await readInScope(withWindow(telemetry, allTime), traceExists(traceIdOfHex(hexTraceId)), 'message')
  if (rows.length === 0) throw notFound('message', hexTraceId)
}

function nextCursor(cursorKey: unknown, window: TimeWindow, last: LogRecordRow | undefined): string | null {
  if (last === undefined) return null
  return encodeSearchCursor(cursorKey, { after: { timeNs: BigInt(last.time_ns), id: last.id }, window })
}
