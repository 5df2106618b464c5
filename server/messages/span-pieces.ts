/** Reads the spans of one trace, complete and in tree order, in pieces of a few MiB. */
import { type Bounds, type TraceSpanRow, traceSpans } from '#sql'
import { Pace } from '../background/pace.ts'
import { blocksInScope, type ScopedTelemetry } from '../telemetry/scope.ts'
import type { TraceOrder } from './trace-order.ts'

export interface OrderedTrace {
  readonly telemetry: ScopedTelemetry
  /** A decimal text of UInt128. */
  readonly traceId: string
  readonly order: TraceOrder
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
  let count = spansPerQueryMax
  for (let first = 0; first < trace.order.spanIds.length; ) {
    const { spans, next } = await readPiece(trace, first, count, openWriter)
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
