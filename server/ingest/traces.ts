import { noLosses, noteLosses } from './losses.ts'
import { OutcomeBuilder } from './partial-success.ts'
import { ProtobufReader } from './protobuf-reader.ts'
import { RowBatches, type RowLimits } from './row-batches.ts'
import type { DecodedBody, Signal } from './signal.ts'
import { faultOfSpan, type SpanFault, spanBytesMax, spanFaults } from './span-fault.ts'
import { SpanOrigin } from './span-origin.ts'
import { SpanReader } from './span-reader.ts'
import { SpanRowWriter, spansTable } from './span-rows.ts'
import { ValueWriter } from './value-writer.ts'

export const traces: Signal = {
  path: '/v1/traces',
  name: 'traces',
  requestMessage: 'collector.trace.v1.ExportTraceServiceRequest',
  responseMessage: 'collector.trace.v1.ExportTraceServiceResponse',
  rejectedField: 'rejectedSpans',
  decode: (body, org, limits) => new TraceDecoder(body, org, limits).decode(),
}

const tags = { resourceSpans: 10, resource: 10, scopeSpans: 18, scope: 10, spans: 18 } as const

/** Reads one `ExportTraceServiceRequest`. Every span in it is checked by itself: one that has a fault costs no other. */
class TraceDecoder {
  private readonly bytes: Buffer
  private readonly reader: ProtobufReader
  private readonly values: ValueWriter
  private readonly origin: SpanOrigin
  private readonly span = new SpanReader()
  private readonly spanRows: SpanRowWriter
  private readonly rows: RowBatches
  private readonly outcome = new OutcomeBuilder<SpanFault>('span', spanFaults)
  private readonly losses = noLosses()
  private resourceIndex = -1
  private scopeIndex = -1
  private spanIndex = -1

  constructor(bytes: Buffer, org: string, limits: RowLimits) {
    this.bytes = bytes
    this.reader = new ProtobufReader(bytes)
    this.values = new ValueWriter(bytes)
    this.origin = new SpanOrigin(bytes, org, this.values, this.losses)
    this.spanRows = new SpanRowWriter(bytes, this.values, this.losses)
    this.rows = new RowBatches(spansTable, limits, bytes.length * 2)
  }

  decode(): DecodedBody {
    const { reader } = this
    const end = this.bytes.length
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.resourceSpans) this.readResourceSpans(reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
    const batches = this.rows.finish()
    const { losses, outcome, rows, spanRows, origin, values } = this
    losses.repairedTexts = rows.repaired + spanRows.repaired + origin.repaired + values.repaired
    noteLosses(losses, outcome)
    return { batches, outcome: outcome.build() }
  }

  /** A sender may put the resource behind its spans, so it is looked for before them. */
  private readResourceSpans(end: number): void {
    const { reader, origin } = this
    const start = reader.position
    this.resourceIndex++
    this.scopeIndex = -1
    origin.beginResource()
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.resource) origin.readResource(reader, reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.scopeSpans) this.readScopeSpans(reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
  }

  private readScopeSpans(end: number): void {
    const { reader, origin } = this
    const start = reader.position
    this.scopeIndex++
    this.spanIndex = -1
    origin.beginScope()
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.scope) origin.readScope(reader, reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.spans) this.readSpan(reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
  }

  private readSpan(end: number): void {
    const { outcome } = this
    this.spanIndex++
    const fault = this.faultOf(end) ?? this.writeSpan()
    if (fault === undefined) outcome.accepted++
    else outcome.reject(fault, this.place)
  }

  private faultOf(end: number): SpanFault | undefined {
    const { reader, span } = this
    if (end - reader.position > spanBytesMax) {
      reader.position = end
      return 'size'
    }
    span.read(reader, end)
    return faultOfSpan(span, this.bytes)
  }

  private writeSpan(): SpanFault | undefined {
    const { span, rows } = this
    const origin = this.origin.columns()
    if (origin === undefined || origin.length > spanBytesMax) return 'size'
    this.spanRows.write(rows.beginRow(span.startLow, span.startHigh), origin, span)
    if (rows.rowBytes > spanBytesMax) {
      rows.dropRow()
      return 'size'
    }
    rows.endRow()
    return undefined
  }

  private readonly place = () =>
    `resource_spans[${this.resourceIndex}].scope_spans[${this.scopeIndex}].spans[${this.spanIndex}]`
}
