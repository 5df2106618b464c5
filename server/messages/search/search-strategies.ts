/** Strategies for reading a chunk of a window. Each is the cheapest for a certain number of rows. */
import {
  type Attribute,
  type CandidateOptions,
  candidateMessages,
  type MessageQuery,
  matchingTraceIds,
  messageDetails,
  newestMessages,
  type PagePosition,
  type Sql,
  tracesBefore,
} from '#sql'
import type { WindowQuery } from '../../telemetry/chunk-lengths.ts'
import {
  readInScope,
  resultInScope,
  resultWithin,
  type ScopedTelemetry,
  storedBy,
  storedByOf,
} from '../../telemetry/scope.ts'
import { areEmpty } from '../../telemetry/value-index/value-places.ts'
import type { LearnedPlaces } from './matching-spans.ts'
import { type MessageRecord, newestFirst, type StoredMessage, toMessageRecord } from './message-page.ts'

/** A search for the newest messages after a cursor. */
export interface MessageSearch extends LearnedPlaces {
  readonly telemetry: ScopedTelemetry
  readonly query: MessageQuery
  /** Attributes that messages include. */
  readonly columns?: readonly Attribute[]
  readonly after?: PagePosition
  readonly limit: number
}

/** A chunk at the end of the window. */
export interface MessageChunk {
  readonly fromNs: bigint
  readonly lengthNs: bigint
  /** Whether the chunk is the whole window. */
  readonly isWhole: boolean
  /** The length that is expected to hold a page. It exceeds the window if the window is not expected to hold a page. */
  readonly plannedNs: bigint
  /** The maximum length of a chunk that is expected to hold few rows. */
  readonly shortNsMax: bigint
}

/** The newest matching messages found in a chunk. */
export interface FoundMessages {
  /** Messages that start within the chunk, newest first; empty if the chunk holds too few for a page. */
  readonly final: readonly MessageRecord[]
  /** The number of messages with spans in the chunk, including those that started before it. */
  readonly shown: number
  /** The result reflects the spans stored up to this time, in microseconds since 1970 on ClickHouse's clock. */
  readonly storedByMicros: bigint
}

export interface SearchStrategy {
  /** Reports whether this strategy is expected to be the cheapest for the chunk. */
  fits(search: MessageSearch, chunk: MessageChunk): boolean
  /** Reads the chunk, or returns `too large` if it holds more than expected. */
  read(search: MessageSearch, chunk: MessageChunk): Promise<FoundMessages | 'too large'>
}

interface TraceRow {
  readonly trace_id: string
}

interface CandidateRow extends TraceRow {
  readonly asked_micros: string
}

const queryLabel = 'newest messages'
/**
 * Maximum rows that the query for a short chunk may read. ClickHouse estimates the rows and refuses the query before it
 * reads any.
 */
const shortRowsMax = 1_000_000
/**
 * Maximum number of the newest messages in a short chunk that may have started before it. The page is still complete.
 */
const startedBeforeMax = 16
/** A window is sparse if a page is expected to need at least this multiple of its length. */
const sparseWindowsMin = 2n

/**
 * Strategy for chunks with few rows: reads whole messages in one query, then finds those that have spans before the
 * chunk.
 */
const shortChunk: SearchStrategy = {
  fits: isShort,
  async read(search, chunk) {
    const { telemetry, query, columns, limit, chunkLengths } = search
    const newest = newestMessages(query, optionsOf(search, chunk, limit + 1 + startedBeforeMax), columns)
    const result = await resultWithin<StoredMessage & CandidateRow>(telemetry, newest, queryLabel, {
      rowsReadMax: shortRowsMax,
    })
    if (result === 'too large') {
      chunkLengths.noteRows(windowQueryOf(search), { lengthNs: chunk.lengthNs, rowsRead: shortRowsMax })
      return result
    }
    const { rows, rowsRead } = result
    chunkLengths.noteRows(windowQueryOf(search), { lengthNs: chunk.lengthNs, rowsRead })
    const storedByMicros = storedByOf(search.telemetry, rows)
    const found = { shown: rows.length, storedByMicros }
    if (chunk.isWhole) return { ...found, final: rows.map(toMessageRecord) }
    if (rows.length <= limit) return { ...found, final: [] }
    const startedBefore = await readBefore(asStoredBy(search, storedByMicros), idsOf(rows), chunk.fromNs)
    return { ...found, final: rows.filter(({ trace_id }) => !startedBefore.has(trace_id)).map(toMessageRecord) }
  },
}

/**
 * Strategy for windows that hold less than a page: reads the ids of all matching messages, then their details. Without
 * an order, reading the ids takes fewer rows.
 */
const sparseWindow: SearchStrategy = {
  fits(search, chunk) {
    const { window } = search.telemetry.scope
    const isSparse = chunk.plannedNs >= (window.toNs - window.fromNs) * sparseWindowsMin
    return isSparse && search.after === undefined && !isShort(search, chunk)
  },
  async read(search, chunk) {
    const rows = await readCandidates(search, chunk, matchingTraceIds(search.query, search.limit + 2))
    if (rows.length > search.limit + 1) return 'too large'
    const storedByMicros = storedByOf(search.telemetry, rows)
    return {
      shown: rows.length,
      storedByMicros,
      final: await readDetails(asStoredBy(search, storedByMicros), idsOf(rows)),
    }
  },
}

/**
 * Strategy for chunks with many rows: reads the ids of the newest messages, then their details over the whole window.
 */
const longChunk: SearchStrategy = {
  fits: () => true,
  async read(search, chunk) {
    const { query, limit } = search
    const rows = await readCandidates(search, chunk, candidateMessages(query, optionsOf(search, chunk, limit + 1)))
    const isPage = chunk.isWhole || rows.length > limit
    const storedByMicros = storedByOf(search.telemetry, rows)
    const records = isPage ? await readDetails(asStoredBy(search, storedByMicros), idsOf(rows)) : []
    return { shown: rows.length, storedByMicros, final: records.filter(({ startedNs }) => startedNs >= chunk.fromNs) }
  },
}

/** All strategies in the order in which they are tried. The last one fits any chunk. */
export const strategies: readonly SearchStrategy[] = [shortChunk, sparseWindow, longChunk]

/**
 * Reports whether a chunk is expected to hold few rows. Never true for restricted callers: their grants are evaluated
 * over the whole window, so even a short chunk reads many rows.
 */
function isShort({ telemetry }: MessageSearch, { lengthNs, shortNsMax }: MessageChunk): boolean {
  return lengthNs <= shortNsMax && telemetry.scope.granted === undefined
}

function optionsOf({ after }: MessageSearch, { fromNs }: MessageChunk, limit: number): CandidateOptions {
  return { bounds: { fromNs }, limit, ...(after === undefined ? {} : { after }) }
}

/**
 * Reads the candidates of a chunk and records the cost. The cost of a restricted caller's query is not recorded,
 * because it depends on the whole window.
 */
async function readCandidates(search: MessageSearch, { lengthNs }: MessageChunk, query: Sql): Promise<CandidateRow[]> {
  const { telemetry, chunkLengths } = search
  const { rows, rowsRead } = await resultInScope<CandidateRow>(telemetry, query, queryLabel)
  if (telemetry.scope.granted === undefined) chunkLengths.noteRows(windowQueryOf(search), { lengthNs, rowsRead })
  return rows
}

/** Reads complete messages, newest first. Leaves out those that do not match. */
export async function readDetails(
  { telemetry, query, columns }: Pick<MessageSearch, 'telemetry' | 'query' | 'columns'>,
  traceIds: readonly string[],
): Promise<MessageRecord[]> {
  if (traceIds.length === 0) return []
  const details = messageDetails(query, { traceIds }, columns)
  const rows = await readInScope<StoredMessage>(telemetry, details, 'message details')
  return rows.map(toMessageRecord).sort(newestFirst)
}

/** Reads which of some traces have spans before a time. */
async function readBefore(
  { telemetry, values, chunkLengths }: MessageSearch,
  ids: readonly string[],
  beforeNs: bigint,
): Promise<ReadonlySet<string>> {
  const places = await values.placesOf(telemetry, ids, { beforeNs, lengths: chunkLengths })
  if (places !== undefined && areEmpty(places)) return new Set()
  const rows = await readInScope<TraceRow>(telemetry, tracesBefore(ids, beforeNs, places), 'messages before')
  return new Set(idsOf(rows))
}

/** Returns the query and the window for which the lengths of chunks are remembered. */
export function windowQueryOf({ telemetry: { scope }, query }: MessageSearch): WindowQuery {
  return { org: scope.org, window: scope.window, query }
}

function idsOf(rows: readonly TraceRow[]): string[] {
  return rows.map(({ trace_id }) => trace_id)
}

function asStoredBy(search: MessageSearch, storedByMicros: bigint): MessageSearch {
  return { ...search, telemetry: storedBy(search.telemetry, storedByMicros) }
}
