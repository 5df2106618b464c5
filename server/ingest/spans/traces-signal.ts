import type { TraceCollector } from '../inserts/repeated-spans.ts'
import type { AttributeWriter } from '../records/attribute-writer.ts'
import { SpanMessage } from '../records/message-readers-generated.ts'
import { spanIdBytes, timeHighEnd, traceIdBytes, uint32Max } from '../records/record-limits.ts'
import { type RecordCodec, recordSignal } from '../records/signal.ts'
import { ValueEntries, valueIndexTable } from '../records/value-entries.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import type { ByteRange } from '../wire/fields.ts'
import { type Fixed64, two32 } from '../wire/fixed64.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { SpanChildrenWriter } from './span-children.ts'

/**
 * The maximum time by which a span may end before it starts, because its clock was set back. Up to this its duration is
 * zero; beyond this the span is rejected.
 */
const endBeforeStartNsMax = 1_000_000_000

const spanFaults = {
  trace_id: 'the trace id is not 16 bytes (in JSON 32 hexadecimal digits) or is all zero',
  span_id: 'the span id is not 8 bytes (in JSON 16 hexadecimal digits) or is all zero',
  parent_span_id: 'the parent span id is neither empty nor 8 bytes (in JSON 16 hexadecimal digits)',
  start_time: 'the start time is unset or after the year 2262',
  end_time: 'the end time is unset or more than 1 second before the start time',
  size: 'the span with its resource and scope is larger than 8 MiB or has more than 50,000 values, events and links',
} as const

type SpanFault = keyof typeof spanFaults

export const traces = recordSignal({
  path: '/v1/traces',
  name: 'traces',
  request: 'collector.trace.v1.ExportTraceServiceRequest',
  response: 'collector.trace.v1.ExportTraceServiceResponse',
  rejectedField: 'rejectedSpans',
  noun: 'span',
  faults: spanFaults,
  table: { name: 'spans', mergesEqualRows: true },
  entriesTable: valueIndexTable,
  codec: (attributes, org, space) =>
    new SpanCodec(attributes, space.indexesValues === false ? undefined : new ValueEntries('spans', org, space)),
})

/** Bytes of the columns from `trace_id` to `flags`. */
const fixedBytes = traceIdBytes + 2 * spanIdBytes + 8 + 8 + 1 + 1 + 4
const kindMax = 5
const statusCodeMax = 2

/** Reads spans and writes them as RowBinary rows of the table `spans`, in the order of its columns. */
class SpanCodec implements RecordCodec<SpanFault> {
  private readonly attributes: AttributeWriter
  private readonly span = new SpanMessage()
  private readonly children: SpanChildrenWriter
  /** The trace id and the span id of the last span as RowBinary. */
  private readonly ids = new Uint8Array(traceIdBytes + spanIdBytes)

  readonly entries: ValueEntries | undefined

  constructor(attributes: AttributeWriter, entries: ValueEntries | undefined) {
    this.attributes = attributes
    this.entries = entries
    this.children = new SpanChildrenWriter(attributes)
  }

  get repaired(): number {
    return this.children.repaired
  }

  get timeLow(): number {
    return this.span.startTimeUnixNano.low
  }

  get timeHigh(): number {
    return this.span.startTimeUnixNano.high
  }

  read(reader: ProtobufReader, end: number): SpanFault | undefined {
    this.span.fill(reader, end)
    const { traceId, spanId, parentSpanId, startTimeUnixNano: start, endTimeUnixNano } = this.span
    if (traceId.length !== traceIdBytes || this.isAllZero(traceId)) return 'trace_id'
    if (spanId.length !== spanIdBytes || this.isAllZero(spanId)) return 'span_id'
    if (parentSpanId.length !== 0 && parentSpanId.length !== spanIdBytes) return 'parent_span_id'
    if (start.high >= timeHighEnd || start.isZero) return 'start_time'
    return nsBetween(start, endTimeUnixNano) < -endBeforeStartNsMax ? 'end_time' : undefined
  }

  write(row: ByteWriter, origin: Uint8Array): void {
    const { span, attributes, children, entries } = this
    entries?.beginRecord(this.timeLow, this.timeHigh, attributes.bytes[span.traceId.start] as number)
    entries?.addOrigin(origin)
    row.raw(origin)
    const traceIdAt = this.writeFixedColumns(row)
    entries?.addTraceId(row.bytes, traceIdAt)
    const nameAt = row.position
    this.writeText(row, span.name)
    entries?.addIntrinsic('name', row.bytes, nameAt, row.position)
    const messageAt = row.position
    this.writeText(row, span.status.message)
    entries?.addIntrinsic('status_message', row.bytes, messageAt, row.position)
    this.writeText(row, span.traceState)
    span.attributes.mergeEqualKeys(attributes.bytes)
    const attributesLeft = attributes.writeColumn(row, span.attributes, entries)
    children.writeEvents(row, span.events)
    const linksLeft = children.writeLinks(row, span.links)
    row.uint32(Math.min(span.droppedAttributesCount + attributesLeft, uint32Max))
    row.uint32(span.droppedEventsCount)
    row.uint32(Math.min(span.droppedLinksCount + linksLeft, uint32Max))
    row.uint8(entries === undefined ? 0 : 2)
  }

  addTrace(traces: TraceCollector): void {
    const { traceId, spanId, startTimeUnixNano: start } = this.span
    const { bytes } = this.attributes
    for (let i = 0; i < traceIdBytes; i++) this.ids[i] = bytes[traceId.start + traceIdBytes - 1 - i] as number
    for (let i = 0; i < spanIdBytes; i++)
      this.ids[traceIdBytes + i] = bytes[spanId.start + spanIdBytes - 1 - i] as number
    traces.add(this.ids, start.low, start.high)
  }

  /** Writes the columns of fixed length. Returns the position of the trace id. */
  private writeFixedColumns(row: ByteWriter): number {
    const { bytes } = this.attributes
    const { traceId, spanId, parentSpanId, startTimeUnixNano: start, kind, status, flags } = this.span
    row.reserve(fixedBytes)
    const traceIdAt = row.position
    row.reversed(bytes, traceId.start, traceIdBytes)
    row.reversed(bytes, spanId.start, spanIdBytes)
    // Some senders set the parent id to zeros for a root span. The table stores roots in this form.
    if (this.isAllZero(parentSpanId)) row.zeros(spanIdBytes)
    else row.reversed(bytes, parentSpanId.start, spanIdBytes)
    row.putUint32(start.low)
    row.putUint32(start.high)
    writeDuration(row, start, this.span.endTimeUnixNano)
    row.bytes[row.position++] = kind <= kindMax ? kind : 0
    row.bytes[row.position++] = status.code <= statusCodeMax ? status.code : 0
    row.putUint32(flags)
    return traceIdAt
  }

  private writeText(row: ByteWriter, { start, end }: ByteRange): void {
    row.text(this.attributes.bytes, start, end)
  }

  /** Reports whether every byte is zero. This is also true for an empty range. */
  private isAllZero({ start, end }: ByteRange): boolean {
    const { bytes } = this.attributes
    for (let i = start; i < end; i++) if (bytes[i] !== 0) return false
    return true
  }
}

/**
 * Returns `end` minus `start` in nanoseconds. The result is exact up to 2^53; beyond that only its sign is reliable.
 */
function nsBetween(start: Fixed64, end: Fixed64): number {
  return (end.high - start.high) * two32 + (end.low - start.low)
}

/** Writes `end` minus `start` as 64 bits, or zero if the end is before the start. */
function writeDuration(row: ByteWriter, start: Fixed64, end: Fixed64): void {
  if (end.high < start.high || (end.high === start.high && end.low < start.low)) {
    row.putUint32(0)
    row.putUint32(0)
    return
  }
  const borrow = end.low < start.low ? 1 : 0
  row.putUint32(end.low - start.low)
  row.putUint32(end.high - start.high - borrow)
}
