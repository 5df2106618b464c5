/** Reads the spans of one trace, complete and in tree order, in pieces of a few MiB. */
import { type Bounds, someTraceSpans, type TraceSpanRow, traceSpans } from '#sql'
import { Pace } from '../background/pace.ts'
import { blocksInScope, resultWithin, type ScopedTelemetry } from '../telemetry/scope.ts'
import type { TraceOrder } from './trace-order.ts'

/** A trace, and bounds that contain all its spans. */
export interface LocatedTrace {
  readonly telemetry: ScopedTelemetry
  /** A decimal text of UInt128. */
  readonly traceId: string
  readonly bounds: Omit<Bounds, 'traceIds'>
}

export interface OrderedTrace {
  readonly telemetry: ScopedTelemetry
  /** A decimal text of UInt128. */
  readonly traceId: string
  readonly order: TraceOrder
  /** The whole spans if the trace is small, read at the same time as its order. */
  readonly small?: SmallTrace
}

/** Whole spans by id; undefined for a trace that is not small. */
export type SmallTrace = Promise<ReadonlyMap<string, TraceSpanRow> | undefined>

/** The stored form of events and links (sql/schema/tables.ts). */
export interface StoredEvent {
  readonly t: string
  readonly n: string
  readonly a?: readonly (readonly [string, string])[]
  readonly d?: number
}

export interface StoredLink {
  readonly t: string
  readonly s: string
  readonly w?: string
  readonly f?: number
  readonly a?: readonly (readonly [string, string])[]
  readonly d?: number
}

/** Reads the stored form of a list of events or links. */
export function readStored<Item>(text: string): Item[] {
  return text === '' ? [] : (JSON.parse(text) as Item[])
}

/** Spans that one query reads at most. */
const spansPerQueryMax = 4_000

/** Size after which a piece of the text is sent. */
const pieceBytes = 2 * 1024 ** 2

/** A trace with more spans, or with a larger result, is not read before its order is known. */
const smallTraceSpansMax = 256
const smallTraceBytesMax = 4 * 1024 ** 2

/** Reads a trace whole if it is small, as most are, before the order of its spans is known. */
export function readSmallTrace(trace: LocatedTrace): SmallTrace {
  const reading = readIfSmall(trace)
  // Awaited when the first spans are written, unless the order shows that the trace is large or absent.
  reading.catch(() => {})
  return reading
}

async function readIfSmall({ telemetry, traceId, bounds }: LocatedTrace): SmallTrace {
  const query = someTraceSpans(traceId, smallTraceSpansMax + 1, bounds)
  const settings = { max_result_bytes: smallTraceBytesMax }
  const result = await resultWithin<TraceSpanRow>(telemetry, query, 'message', { settings })
  if (result === 'too large' || result.rows.length > smallTraceSpansMax) return undefined
  // The first row of a span counts. Rows with equal starts are merged.
  const latestFirst = result.rows.sort((left, right) => (BigInt(left.start_ns) < BigInt(right.start_ns) ? 1 : -1))
  return new Map(latestFirst.map((row) => [row.span_id, row]))
}

interface Piece {
  /** The texts of the spans. */
  readonly spans: readonly string[]
  /** The position of the first span of the next piece. */
  readonly next: number
}

/** Writes a span as a text. */
export type WriteSpan = (row: TraceSpanRow, position: number) => string

/** Returns what writes the spans of a piece. They are read while it waits for what it needs. */
type OpenWriter = () => WriteSpan | Promise<WriteSpan>

/** Reads all spans of a trace, with the texts that the writer of each piece makes of them. */
export async function* readSpanPieces(trace: OrderedTrace, openWriter: OpenWriter) {
  const small = await writeSmall(trace, openWriter)
  if (small !== undefined) {
    yield { spans: small, first: 0, isLast: true }
    return
  }
  let count = spansPerQueryMax
  for (let first = 0; first < trace.order.spanIds.length; ) {
    const { spans, next } = await readPiece(trace, first, count, openWriter)
    // Larger spans than expected ended the query early, so the next one asks for fewer.
    count = Math.min(spansPerQueryMax, 2 * (next - first))
    yield { spans, first, isLast: next >= trace.order.spanIds.length }
    first = next
  }
}

/** Writes the spans of a small trace, unless it has spans that were stored after they had been read. */
async function writeSmall({ order, small }: OrderedTrace, openWriter: OpenWriter): Promise<string[] | undefined> {
  if (order.spanIds.length > smallTraceSpansMax) return undefined
  const rowOf = await small
  const rows = order.spanIds.flatMap((id) => rowOf?.get(id) ?? [])
  if (rows.length < order.spanIds.length) return undefined
  const write = await openWriter()
  return rows.map(write)
}

/** Reads spans from the position `first`: `count` of them, or fewer if they are large. */
export async function readPiece(
  { telemetry, traceId, order }: OrderedTrace,
  first: number,
  count: number,
  openWriter: OpenWriter,
): Promise<Piece> {
  const pace = new Pace()
  const opening = Promise.resolve(openWriter())
  // The query may fail before anything waits for the writer.
  opening.catch(() => {})
  const spanIds = order.spanIds.slice(first, first + count)
  const query = traceSpans(traceId, spanIds, boundsOfStarts(order.startsNs.subarray(first, first + count)))
  const spans: string[] = []
  const positions = new Map(spanIds.map((id, index) => [id, first + index]))
  let last = first - 1
  let bytes = 0
  for await (const rows of blocksInScope<TraceSpanRow>(telemetry, query, 'message')) {
    const write = await opening
    for (const row of rows) {
      // Rows of one span that storage has not merged are neighbours, the first of which counts.
      const position = positions.get(row.span_id) ?? last
      if (position === last) continue
      last = position
      const text = write(row, position)
      spans.push(text)
      bytes += text.length
      if (bytes >= pieceBytes) return { spans, next: position + 1 }
      await pace.rest()
    }
  }
  return { spans, next: first + spanIds.length }
}

/** Returns the time range in which spans start. */
export function boundsOfStarts(startsNs: BigInt64Array): Bounds {
  const [first = 0n] = startsNs
  const fromNs = startsNs.reduce((least, ns) => (ns < least ? ns : least), first)
  const toNs = startsNs.reduce((most, ns) => (ns > most ? ns : most), first)
  return { fromNs, toNs: toNs + 1n }
}
