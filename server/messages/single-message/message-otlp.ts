/** Writes one message as an OTLP export request. */
import { hexOfSpanId, hexOfTraceId, type TraceNodeRow, type TraceSpanRow, traceIdOfHex, traceNodes } from '#sql'
import type { ByteStream } from '../../http/contract/json-stream.ts'
import { notFound } from '../../problem/problem.ts'
import { OriginGroups, type OtlpType, writeOtlp } from '../../telemetry/export/otlp-export.ts'
import { keyValues, keyValuesOfPaths } from '../../telemetry/otlp-value.ts'
import { blocksInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import {
  heldBytesOf,
  type PieceWriter,
  readSmallTrace,
  readSpanPieces,
  readStored,
  type StoredEvent,
  type StoredLink,
} from './span-pieces.ts'
import { orderTrace } from './trace-order.ts'

/**
 * Streams the visible spans of a trace as an `ExportTraceServiceRequest`. Another server that receives it stores the
 * same spans.
 * @throws Problem 404 if the trace has no visible span
 */
export async function streamOtlp(
  telemetry: ScopedTelemetry,
  hexTraceId: string,
  mediaType: OtlpType,
): Promise<ByteStream> {
  const { texts, heldBytes } = await readOtlp(telemetry, hexTraceId)
  return { pieces: writeOtlp(texts, 'spans', mediaType), heldBytes }
}

/** The spans of a trace as the JSON texts of `ResourceSpans` messages. */
interface OtlpMessage extends Pick<ByteStream, 'heldBytes'> {
  /** Texts of a few MiB at most. */
  readonly texts: AsyncIterable<readonly string[]>
}

/** Reads the visible spans of a trace. @throws Problem 404 if it has no visible span */
export async function readOtlp(telemetry: ScopedTelemetry, hexTraceId: string): Promise<OtlpMessage> {
  const traceId = traceIdOfHex(hexTraceId)
  const small = await readSmallTrace({ telemetry, traceId, bounds: {} })
  const nodes = () => blocksInScope<TraceNodeRow>(telemetry, traceNodes(traceId), 'message tree')
  const read = small ?? { order: await orderTrace(nodes()) }
  if (read.order.spanIds.length === 0) throw notFound('message', hexTraceId)
  const texts = readSpanPieces({ telemetry, traceId, ...read }, () => openPiece(traceId))
  return { texts, heldBytes: heldBytesOf(read.order) }
}

/** Returns the writer of the JSON texts of `ResourceSpans` messages. */
function openPiece(traceId: string): PieceWriter<readonly string[]> {
  const groups = new OriginGroups('spans')
  return {
    add(row) {
      const text = otlpSpan(traceId, row)
      groups.add(row, text)
      return text.length
    },
    finish: () => groups.texts(),
  }
}

/** Returns the JSON text of the `Span` message of a row. */
function otlpSpan(traceId: string, row: TraceSpanRow): string {
  const startNs = BigInt(row.start_ns)
  const plain = {
    traceId: hexOfTraceId(traceId),
    spanId: hexOfSpanId(row.span_id),
    ...(row.parent_id === '0' ? {} : { parentSpanId: hexOfSpanId(row.parent_id) }),
    traceState: row.trace_state,
    flags: row.flags,
    name: row.name,
    kind: row.kind,
    startTimeUnixNano: row.start_ns,
    endTimeUnixNano: (startNs + BigInt(row.duration_ns)).toString(),
    droppedAttributesCount: row.dropped_attributes_count,
    droppedEventsCount: row.dropped_events_count,
    droppedLinksCount: row.dropped_links_count,
    status: { code: row.status, message: row.status_message },
  }
  const events = readStored<StoredEvent>(row.events).map(otlpEvent).join(',')
  const links = readStored<StoredLink>(row.links).map(otlpLink).join(',')
  const lists = `"attributes":${keyValuesOfPaths(row.attributes)},"events":[${events}],"links":[${links}]`
  return `${JSON.stringify(plain).slice(0, -1)},${lists}}`
}

function otlpEvent({ t, n, a, d = 0 }: StoredEvent): string {
  const plain = JSON.stringify({ timeUnixNano: t, name: n, droppedAttributesCount: d })
  return `${plain.slice(0, -1)},"attributes":${keyValues(a)}}`
}

function otlpLink({ t, s, w = '', f = 0, a, d = 0 }: StoredLink): string {
  const plain = JSON.stringify({ traceId: t, spanId: s, traceState: w, flags: f, droppedAttributesCount: d })
  return `${plain.slice(0, -1)},"attributes":${keyValues(a)}}`
}
