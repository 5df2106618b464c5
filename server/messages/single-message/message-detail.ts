/** Reads the spans of one trace, complete and in tree order. */
import {
  hexOfSpanId,
  hexOfTraceId,
  kindOfSpan,
  rfc3339OfNs,
  spanIdOfHex,
  statusOfSpan,
  type TraceNodeRow,
  type TraceSpanRow,
  traceIdOfHex,
  traceNodes,
} from '#sql'
import type { components } from '../../../openapi/types.ts'
import type { FacetReader, KeyAttributes } from '../../facets/facet-reader.ts'
import type { JsonStream } from '../../http/contract/json-stream.ts'
import { notFound } from '../../problem/problem.ts'
import {
  type AttributeRecord,
  attributesOfPairs,
  attributesOfPaths,
  createListReader,
  type ReadList,
} from '../../telemetry/attribute-record.ts'
import { blocksInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import { sentId } from '../../telemetry/sent-id.ts'
import type { ValueIndex } from '../../telemetry/value-index/value-index.ts'
import {
  boundsOfStarts,
  heldBytesOf,
  type LocatedTrace,
  type OrderedTrace,
  type PieceWriter,
  readSmallTrace,
  readSpanPieces,
  readSpanRow,
  readStored,
  type StoredEvent,
  type StoredLink,
} from './span-pieces.ts'
import { orderTrace, type TraceOrder } from './trace-order.ts'

type Span = components['schemas']['Span']

type MessageDetail = components['schemas']['MessageDetail']

export interface MessageReaders {
  readonly facets: Pick<FacetReader, 'keyAttributesOf' | 'profiledFacets'>
  readonly values: ValueIndex
}

/**
 * Reads the visible spans of a trace, in tree order. Of a large trace, only the ids are read at once; whole spans are
 * read piece by piece, while the response is sent.
 * @throws Problem 404 if the trace has no visible span
 */
export async function streamMessage(
  telemetry: ScopedTelemetry,
  hexTraceId: string,
  readers: MessageReaders,
): Promise<JsonStream<MessageDetail>> {
  const trace = await readTrace(telemetry, hexTraceId, readers)
  if (trace.order.spanIds.length === 0) throw notFound('message', hexTraceId)
  return { pieces: readSpanPieces(trace, () => openPiece(trace)), heldBytes: heldBytesOf(trace.order) }
}

/**
 * Reads one visible span of a trace, as the message contains it.
 * @throws Problem 404 if the trace has no such visible span
 */
export async function readSpan(
  telemetry: ScopedTelemetry,
  ids: { readonly hexTraceId: string; readonly hexSpanId: string },
  readers: MessageReaders,
): Promise<Span> {
  const trace = await readTrace(telemetry, ids.hexTraceId, readers)
  const position = trace.order.spanIds.indexOf(BigInt(spanIdOfHex(ids.hexSpanId)))
  if (position < 0) throw notFound('span', ids.hexSpanId)
  return openSpanReader(trace)(await readSpanRow(trace, position), position)
}

interface Trace extends OrderedTrace {
  readonly keyAttributes: KeyAttributes
}

/** Reads the visible spans of a trace if it is small, and otherwise their ids, in tree order. */
async function readTrace(
  telemetry: ScopedTelemetry,
  hexTraceId: string,
  { facets, values }: MessageReaders,
): Promise<Trace> {
  const traceId = traceIdOfHex(hexTraceId)
  const [bounds, profiled] = await Promise.all([values.boundsOf(telemetry, traceId), facets.profiledFacets(telemetry)])
  const located: LocatedTrace = { telemetry, traceId, bounds }
  const read = await readSmallTrace(located, profiled?.rules)
  if (read === undefined) return readLargeTrace(located, facets)
  const { order, small } = read
  const keyAttributes =
    profiled === undefined
      ? await readKeyAttributes(located, order, { facets, services: new Set(small.map(({ service }) => service)) })
      : profiled.keyAttributesOf(small)
  return { ...located, order, small, keyAttributes }
}

async function readLargeTrace(located: LocatedTrace, facets: MessageReaders['facets']): Promise<Trace> {
  const { telemetry, traceId, bounds } = located
  const services = new Set<string>()
  const nodes = blocksInScope<TraceNodeRow>(telemetry, traceNodes(traceId, bounds), 'message tree')
  const order = await orderTrace(nodes, ({ service }) => services.add(service))
  // Not while spans are read: a query for spans keeps its turn, and this one may have to wait for a turn.
  return { ...located, order, keyAttributes: await readKeyAttributes(located, order, { facets, services }) }
}

interface ServicesOfTrace extends Pick<MessageReaders, 'facets'> {
  readonly services: ReadonlySet<string>
}

/** Reads the key attributes of the services of a trace. */
function readKeyAttributes(
  { telemetry, traceId }: LocatedTrace,
  { spanIds, startsNs }: TraceOrder,
  { facets, services }: ServicesOfTrace,
): Promise<KeyAttributes> {
  const bounds = { traceIds: [traceId], ...boundsOfStarts(startsNs) }
  return facets.keyAttributesOf(telemetry, [...services], { bounds, spanCountMax: spanIds.length })
}

/** Returns the writer of a piece of the JSON text of a message. */
function openPiece(trace: Trace): PieceWriter<Buffer> {
  const read = openSpanReader(trace)
  const texts: string[] = []
  let begin = ','
  return {
    add(row, position) {
      const text = JSON.stringify(read(row, position))
      if (position === 0) begin = `{"trace_id":"${hexOfTraceId(trace.traceId)}","spans":[`
      texts.push(text)
      return text.length
    },
    finish: (isLast) => Buffer.from(`${begin}${texts.join(',')}${isLast ? ']}' : ''}`),
  }
}

/** Returns a function that reads a span of the response from its row. */
function openSpanReader({ order, keyAttributes }: Trace): (row: TraceSpanRow, position: number) => Span {
  const readList = createListReader()
  return (row, position) => {
    const span = toSpan(row, order.depths[position] ?? 0, position, readList)
    return { ...span, key_attributes: firstAttributes(span, keyAttributes.get(span.service) ?? []) }
  }
}

function toSpan(row: TraceSpanRow, depth: number, position: number, readList: ReadList): Omit<Span, 'key_attributes'> {
  return {
    span_id: hexOfSpanId(row.span_id),
    parent_span_id: row.parent_id === '0' ? null : hexOfSpanId(row.parent_id),
    name: row.name,
    service: row.service,
    kind: kindOfSpan(row.kind),
    status: statusOfSpan(row.status),
    status_message: row.status_message,
    started_at: rfc3339OfNs(BigInt(row.start_ns)),
    duration_ns: row.duration_ns,
    depth,
    position,
    scope: { name: row.scope_name, version: row.scope_version, attributes: readList(row.scope_attributes) },
    trace_state: row.trace_state,
    flags: row.flags,
    attributes: attributesOfPaths(row.attributes),
    resource_attributes: readList(row.resource_attributes),
    events: readStored<StoredEvent>(row.events).map(toEvent),
    links: readStored<StoredLink>(row.links).map(toLink),
    dropped_attributes_count: row.dropped_attributes_count,
    dropped_events_count: row.dropped_events_count,
    dropped_links_count: row.dropped_links_count,
  }
}

/**
 * Returns the attributes under the given keys, in the order of the keys. Span attributes precede resource attributes.
 */
function firstAttributes(span: Pick<Span, 'attributes' | 'resource_attributes'>, keys: readonly string[]) {
  return keys.flatMap((key) => {
    const isKey = (attribute: AttributeRecord) => attribute.key === key
    return span.attributes.find(isKey) ?? span.resource_attributes.find(isKey) ?? []
  })
}

function toEvent({ t, n, a, d = 0 }: StoredEvent): Span['events'][number] {
  return { time: rfc3339OfNs(BigInt(t)), name: n, attributes: attributesOfPairs(a), dropped_attributes_count: d }
}

function toLink({ t, s, w = '', f = 0, a, d = 0 }: StoredLink): Span['links'][number] {
  const attributes = attributesOfPairs(a)
  const ids = { trace_id: sentId(t), span_id: sentId(s) }
  return { ...ids, trace_state: w, flags: f, attributes, dropped_attributes_count: d }
}
