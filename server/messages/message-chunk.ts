import {
  type CandidateOptions,
  candidateMessages,
  type MessageQuery,
  matchingTraceIds,
  messageDetails,
  newestMessages,
  type PagePosition,
  type Scope,
  type Sql,
  tracesBefore,
} from '#sql'
import type { ClickHouse } from '../clickhouse/client.ts'
import { Problem } from '../problem/problem.ts'
import type { ChunkLengths, Search } from '../telemetry/chunk-lengths.ts'
import { readInScope, resultInScope, type ScopedTelemetry } from '../telemetry/read-in-scope.ts'
import { type MessageRecord, newestFirst, type StoredMessage, toMessageRecord } from './message-record.ts'

export interface PageQuestion {
  readonly query: MessageQuery
  readonly scope: Scope
  readonly after?: PagePosition
  readonly limit: number
  readonly signal: AbortSignal
}

export interface SearchParts {
  readonly clickhouse: ClickHouse
  readonly chunkLengths: ChunkLengths
}

/** The newest part of the window. */
export interface MessageChunk {
  readonly fromNs: bigint
  readonly lengthNs: bigint
  /** It is all of the window. */
  readonly isWhole: boolean
}

/** What a slice tells of the newest matching messages. */
export interface FoundMessages {
  /** Those that start within the slice, newest first; none when the slice shows that they are too few for a page. */
  readonly final: readonly MessageRecord[]
  /** How many the slice showed, with those that turned out to have started before it. */
  readonly shown: number
  /** The moment that this is of, in microseconds since 1970 by ClickHouse's clock. */
  readonly storedByMicros: bigint
}

interface TraceRow {
  readonly trace_id: string
}

interface CandidateRow extends TraceRow {
  readonly asked_micros: string
}

/** ClickHouse tells before it reads anything that there are more. */
const shortRowsMax = 1_000_000
/** So many messages that started before a short slice may be among its newest ones, and a page is there all the same. */
const startedBeforeMax = 16

/**
 * For a slice of few rows: whole messages in one query, then which of them have spans before the slice. Undefined when its
 * rows turn out to be many.
 */
export async function readShortChunk(
  parts: SearchParts,
  question: PageQuestion,
  slice: MessageChunk,
): Promise<FoundMessages | undefined> {
  const newest = newestMessages(question.query, newestOf(slice, question, question.limit + 1 + startedBeforeMax))
  const rows = await unlessTooLarge(
    readNoting<StoredMessage & CandidateRow>(parts, question, slice, newest, shortRowsMax),
  )
  if (rows === undefined) {
    parts.chunkLengths.noteRows(searchOf(question), { lengthNs: slice.lengthNs, rowsRead: shortRowsMax })
    return undefined
  }
  const storedByMicros = momentOf(question, rows)
  const found = { shown: rows.length, storedByMicros }
  if (slice.isWhole) return { ...found, final: rows.map(toMessageRecord) }
  if (rows.length <= question.limit) return { ...found, final: [] }
  const telemetry = telemetryOf(parts, asOf(question, storedByMicros))
  const before = await readInScope<TraceRow>(telemetry, tracesBefore(idsOf(rows), slice.fromNs), 'messages before')
  const startedBefore = new Set(idsOf(before))
  return { ...found, final: rows.filter(({ trace_id }) => !startedBefore.has(trace_id)).map(toMessageRecord) }
}

/** For a slice of many rows: ids of the newest alone, then their messages as the whole window has them. */
export async function readLongChunk(
  parts: SearchParts,
  question: PageQuestion,
  slice: MessageChunk,
): Promise<FoundMessages> {
  const candidates = candidateMessages(question.query, newestOf(slice, question, question.limit + 1))
  const rows = await readNoting<CandidateRow>(parts, question, slice, candidates)
  const isPage = slice.isWhole || rows.length > question.limit
  const found = { shown: rows.length, storedByMicros: momentOf(question, rows) }
  const records = isPage ? await readMessages(parts, asOf(question, found.storedByMicros), idsOf(rows)) : []
  return { ...found, final: records.filter(({ startedNs }) => startedNs >= slice.fromNs) }
}

/**
 * For a window that holds less than a page: the ids of all that match, in no order and so from fewer rows, then their
 * messages. Undefined when they turn out to be more.
 */
export async function readSparseWindow(
  parts: SearchParts,
  question: PageQuestion,
  slice: MessageChunk,
): Promise<FoundMessages | undefined> {
  const matching = matchingTraceIds(question.query, question.limit + 2)
  const rows = await readNoting<CandidateRow>(parts, question, slice, matching)
  if (rows.length > question.limit + 1) return undefined
  const found = { shown: rows.length, storedByMicros: momentOf(question, rows) }
  return { ...found, final: await readMessages(parts, asOf(question, found.storedByMicros), idsOf(rows)) }
}

async function readMessages(
  parts: SearchParts,
  question: PageQuestion,
  ids: readonly string[],
): Promise<MessageRecord[]> {
  if (ids.length === 0) return []
  const details = messageDetails(question.query, ids)
  const rows = await readInScope<StoredMessage>(telemetryOf(parts, question), details, 'message details')
  return rows.map(toMessageRecord).sort(newestFirst)
}

/** What the lengths of slices are remembered by. */
export function searchOf({ scope: { org, window }, query }: PageQuestion): Search {
  return { org, window, sought: query }
}

function idsOf(rows: readonly TraceRow[]): string[] {
  return rows.map(({ trace_id }) => trace_id)
}

function newestOf({ fromNs }: MessageChunk, { after }: PageQuestion, limit: number): CandidateOptions {
  return { bounds: { fromNs }, limit, ...(after === undefined ? {} : { after }) }
}

/** What a slice shows, noting what it took. */
async function readNoting<Row>(
  parts: SearchParts,
  question: PageQuestion,
  { lengthNs }: MessageChunk,
  query: Sql,
  rowsReadMax = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const telemetry = telemetryOf(parts, question)
  const { rows, rowsRead } = await resultInScope<Row>(telemetry, query, 'newest messages', { rowsReadMax })
  // What is granted is decided over more than the slice.
  if (question.scope.granted === undefined) parts.chunkLengths.noteRows(searchOf(question), { lengthNs, rowsRead })
  return rows
}

async function unlessTooLarge<Rows>(reading: Promise<Rows>): Promise<Rows | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Problem && error.code === 'query_too_large') return undefined
    throw error
  }
}

function telemetryOf({ clickhouse }: SearchParts, { scope, signal }: PageQuestion): ScopedTelemetry {
  return { clickhouse, scope, signal }
}

function momentOf({ scope }: PageQuestion, rows: readonly CandidateRow[]): bigint {
  return scope.storedByMicros ?? BigInt(rows[0]?.asked_micros ?? 0)
}

/** So that what arrives between two queries does not move a message past the cursor. */
function asOf(question: PageQuestion, storedByMicros: bigint): PageQuestion {
  return { ...question, scope: { ...question.scope, storedByMicros } }
}
