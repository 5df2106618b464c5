/** Reads the spans of one trace, complete and in tree order, in pieces of a few MiB. */
import {
  type Bounds,
  type ProfiledSpanRow,
  profiledSpans,
  type ServiceRules,
  type TraceSpanRow,
  traceSpans,
} from '#sql'
import { Pace } from '../../background/pace.ts'
import { expectAll, untilTurn } from '../../telemetry/export/response-parts.ts'
import { blocksInScope, resultWithin, type ScopedTelemetry } from '../../telemetry/scope.ts'
import { orderTrace, type TraceOrder } from './trace-order.ts'

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

/** Spans that one query reads at most. */
const spansPerQueryMax = 4_000

/** Size after which a piece of the text is sent. */
const pieceBytes = 2 * 1024 ** 2

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
  const rowOf = new Map(rows.reverse().map((row) => [row.span_id, row]))
  return { order, small: order.spanIds.flatMap((id) => rowOf.get(id) ?? []) }
}

/** Compares spans like the query `traceNodes`. */
function oldestFirst(left: TraceSpanRow, right: TraceSpanRow): number {
  const difference = BigInt(left.start_ns) - BigInt(right.start_ns) || BigInt(left.span_id) - BigInt(right.span_id)
  return difference < 0n ? -1 : 1
}

interface Piece {
  /** The texts of the spans. */
  readonly spans: readonly string[]
  /** The position of the first span of the next piece. */
  readonly next: number
}

/** Writes a span as a text. */
export type WriteSpan = (row: TraceSpanRow, position: number) => string

/** Returns the writer of the spans of a piece. */
type OpenWriter = () => WriteSpan

/** Reads all spans of a trace, with the texts that the writer of each piece makes of them. */
export async function* readSpanPieces(trace: OrderedTrace, openWriter: OpenWriter) {
  const { small } = trace
  if (small !== undefined) {
    yield { spans: small.map(openWriter()), first: 0, isLast: true }
    return
  }
  let count = spansPerQueryMax
  for (let first = 0; first < trace.order.spanIds.length; ) {
    const write = openWriter()
    const read = () => readPiece(trace, first, count, write)
    const { spans, next } = await (first === 0 ? read() : untilTurn(read))
    // Larger spans than expected ended the query early, so the next one asks for fewer.
    count = Math.min(spansPerQueryMax, 2 * (next - first))
    yield { spans, first, isLast: next >= trace.order.spanIds.length }
    first = next
  }
}

/** Reads spans from the position `first`: `count` of them, or fewer if they are large. */
export async function readPiece(
  { telemetry, traceId, order }: OrderedTrace,
  first: number,
  count: number,
  write: WriteSpan,
): Promise<Piece> {
  const pace = new Pace()
  const spanIds = order.spanIds.slice(first, first + count)
  const query = traceSpans(traceId, spanIds, boundsOfStarts(order.startsNs.subarray(first, first + count)))
  const spans: string[] = []
  const positions = new Map(spanIds.map((id, index) => [id, first + index]))
  let last = first - 1
  let bytes = 0
  for await (const rows of blocksInScope<TraceSpanRow>(telemetry, query, 'message')) {
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
  expectAll(spans.length, spanIds.length)
  return { spans, next: first + spanIds.length }
}

/** Returns the time range in which spans start. */
export function boundsOfStarts(startsNs: BigInt64Array): Bounds {
  const [first = 0n] = startsNs
  const fromNs = startsNs.reduce((least, ns) => (ns < least ? ns : least), first)
  const toNs = startsNs.reduce((most, ns) => (ns > most ? ns : most), first)
  return { fromNs, toNs: toNs + 1n }
}
