/** Reads the spans of one trace, complete and in tree order, in pieces of a few MiB. */
import {
  type AskedSpanRow,
  askedSpansTable,
  type Bounds,
  type ProfiledSpanRow,
  profiledSpans,
  type ServiceRules,
  type TraceSpanRow,
  traceSpans,
} from '#sql'
import { Pace } from '../../background/pace.ts'
import type { SentTable } from '../../clickhouse/client.ts'
import { expectAll, untilTurn } from '../../telemetry/export/response-parts.ts'
import { blocksInScope, resultWithin, type ScopedTelemetry, within } from '../../telemetry/scope.ts'
import { orderBytesPerSpan, orderTrace, type TraceOrder } from './trace-order.ts'

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
  /** The whole spans in this order, if they have been read. */
  readonly small?: readonly TraceSpanRow[]
}

/** All spans of a trace, in tree order. */
export interface SmallTrace {
  readonly order: TraceOrder
  readonly small: readonly ProfiledSpanRow[]
}

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

/** The number of spans that the first query reads. Further ones read as many as will have the text that may be held. */
const spansOfFirstQuery = 2_000

/** Size after which a piece of the text ends. */
const pieceBytes = 2 * 1024 ** 2

/**
 * The text that one query reads, besides a piece, for each span of the trace. Where the tree order is not the time
 * order, a query may read all rows of a trace, however few of them it returns, so their number must not grow with the
 * trace.
 */
const textBytesPerSpan = 80
const textBytesMax = 64 * 1024 ** 2

/** A trace with more spans, or with a larger result, is read in pieces. */
const smallTraceSpansMax = 256
const smallTraceBytesMax = 4 * 1024 ** 2

/**
 * Reads a trace with one query if it is small, as most are. `rules` are the classification rules that the profiles of
 * the spans take into account. Returns undefined for a large trace.
 */
export async function readSmallTrace(
  { telemetry, traceId, bounds }: LocatedTrace,
  rules: readonly ServiceRules[] = [],
): Promise<SmallTrace | undefined> {
  const query = profiledSpans(traceId, { rules, limit: smallTraceSpansMax + 1, bounds })
  const settings = { max_result_bytes: smallTraceBytesMax }
  const result = await resultWithin<ProfiledSpanRow>(telemetry, query, 'message', { settings })
  if (result === 'too large' || result.rows.length > smallTraceSpansMax) return undefined
  const rows = result.rows.sort(oldestFirst)
  const order = await orderTrace([rows])
  // The first row of a span counts. Rows with equal starts are merged.
  const rowOf = new Map(rows.reverse().map((row) => [BigInt(row.span_id), row]))
  return { order, small: [...order.spanIds].flatMap((id) => rowOf.get(id) ?? []) }
}

/** Returns the memory that a message needs while it is sent, besides one piece. */
export function heldBytesOf({ spanIds }: TraceOrder): number {
  return spanIds.length * (orderBytesPerSpan + textBytesPerSpan)
}

/** Compares spans like the query `traceNodes`. */
function oldestFirst(left: TraceSpanRow, right: TraceSpanRow): number {
  const difference = BigInt(left.start_ns) - BigInt(right.start_ns) || BigInt(left.span_id) - BigInt(right.span_id)
  return difference < 0n ? -1 : 1
}

/** Collects the spans of a piece. */
export interface PieceWriter<Piece> {
  /** Adds a span, and returns the length of its text. */
  add(row: TraceSpanRow, position: number): number
  /** Returns the piece, which may be the last one of the message. */
  finish(isLast: boolean): Piece
}

type OpenPiece<Piece> = () => PieceWriter<Piece>

/** Reads all spans of a trace, in pieces of a few MiB. */
export async function* readSpanPieces<Piece>(trace: OrderedTrace, openPiece: OpenPiece<Piece>): AsyncGenerator<Piece> {
  const { small, order } = trace
  if (small !== undefined) {
    const piece = openPiece()
    for (const [position, row] of small.entries()) piece.add(row, position)
    yield piece.finish(true)
    return
  }
  const spanCount = order.spanIds.length
  const bytesMax = Math.min(pieceBytes + spanCount * textBytesPerSpan, textBytesMax)
  let [count, countMax] = [spansOfFirstQuery, spanCount]
  for (let first = 0; first < spanCount; ) {
    const read = () => readSpans(trace, { first, count, bytesMax }, openPiece)
    const readIfFits = () => (count === 1 ? read() : within(read))
    const found = await (first === 0 ? readIfFits() : untilTurn(readIfFits))
    if (found === 'too large') {
      countMax = count = Math.ceil(count / 4)
      continue
    }
    yield* found.pieces
    const bytesPerSpan = found.bytes / (found.next - first)
    count = Math.max(1, Math.min(countMax, Math.floor(bytesMax / bytesPerSpan)))
    first = found.next
  }
}

/** Reads one span. */
export async function readSpanRow(trace: OrderedTrace, position: number): Promise<TraceSpanRow> {
  const row = trace.small?.[position]
  if (row !== undefined) return row
  const { pieces } = await readSpans(trace, { first: position, count: 1, bytesMax: 1 }, () => {
    const rows: TraceSpanRow[] = []
    return { add: (read) => rows.push(read), finish: () => rows }
  })
  return pieces[0]?.[0] as TraceSpanRow
}

interface Asked {
  /** The position of the first span. */
  readonly first: number
  readonly count: number
  /** Further spans are not read once the texts have this length. */
  readonly bytesMax: number
}

interface ReadPieces<Piece> {
  readonly pieces: readonly Piece[]
  /** The length of the texts of all spans. */
  readonly bytes: number
  /** The position of the first span that is not in the pieces. */
  readonly next: number
}

/** Reads spans with one query. */
async function readSpans<Piece>(
  { telemetry, traceId, order }: OrderedTrace,
  { first, count, bytesMax }: Asked,
  openPiece: OpenPiece<Piece>,
): Promise<ReadPieces<Piece>> {
  const pace = new Pace()
  const spanCount = order.spanIds.length
  const end = Math.min(spanCount, first + count)
  const query = traceSpans(traceId, boundsOfStarts(order.startsNs.subarray(first, end)))
  const tables = [askedSpans(order, first, end)]
  const pieces: Piece[] = []
  let piece = openPiece()
  let [next, bytes, bytesOfPiece] = [first, 0, 0]
  for await (const rows of blocksInScope<AskedSpanRow>(telemetry, query, 'message', { tables })) {
    for (const row of rows) {
      // Rows of one span that storage has not merged are neighbours, the first of which counts.
      if (row.position < next) continue
      expectAll(next, row.position)
      next++
      const added = piece.add(row, row.position)
      bytes += added
      bytesOfPiece += added
      if (bytesOfPiece >= pieceBytes || bytes >= bytesMax || next === end) {
        pieces.push(piece.finish(next === spanCount))
        piece = openPiece()
        bytesOfPiece = 0
      }
      if (bytes >= bytesMax) return { pieces, bytes, next }
      await pace.rest()
    }
  }
  expectAll(next, end)
  return { pieces, bytes, next }
}

/** Returns the table of spans from one position up to another. */
function askedSpans({ spanIds }: TraceOrder, first: number, end: number): SentTable {
  const { name, structure, rowBytes } = askedSpansTable
  const rowBinary = Buffer.alloc((end - first) * rowBytes)
  for (let position = first, at = 0; position < end; position++, at += rowBytes) {
    rowBinary.writeBigUInt64LE(spanIds[position] as bigint, at)
    rowBinary.writeUInt32LE(position, at + 8)
  }
  return { name, structure, rowBinary }
}

/** Returns the time range in which spans start. */
export function boundsOfStarts(startsNs: BigInt64Array): Bounds {
  const [first = 0n] = startsNs
  const fromNs = startsNs.reduce((least, ns) => (ns < least ? ns : least), first)
  const toNs = startsNs.reduce((most, ns) => (ns > most ? ns : most), first)
  return { fromNs, toNs: toNs + 1n }
}
