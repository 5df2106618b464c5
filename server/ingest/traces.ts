import { noLosses, noteLosses } from './losses.ts'
import { OutcomeBuilder } from './partial-success.ts'
import { ProtobufReader } from './protobuf-reader.ts'
import { RecordOrigin, recordBytesMax } from './record-origin.ts'
import { type LevelNames, RecordWalk } from './record-walk.ts'
import { RowBatches, type RowLimits } from './row-batches.ts'
import type { DecodedBody, Signal } from './signal.ts'
import { faultOfSpan, type SpanFault, spanFaults } from './span-fault.ts'
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

const names: LevelNames = { resource: 'resource_spans', scope: 'scope_spans', record: 'spans' }

/** Reads one `ExportTraceServiceRequest`. Every span in it is checked by itself: one that has a fault costs no other. */
class TraceDecoder {
  private readonly bytes: Buffer
  private readonly reader: ProtobufReader
  private readonly values: ValueWriter
  private readonly origin: RecordOrigin
  private readonly walk: RecordWalk
  private readonly span = new SpanReader()
  private readonly spanRows: SpanRowWriter
  private readonly rows: RowBatches
  private readonly outcome = new OutcomeBuilder<SpanFault>('span', spanFaults)
  private readonly losses = noLosses()

  constructor(bytes: Buffer, org: string, limits: RowLimits) {
    this.bytes = bytes
    this.reader = new ProtobufReader(bytes)
    this.values = new ValueWriter(bytes)
    this.origin = new RecordOrigin(bytes, org, this.values, this.losses)
    this.walk = new RecordWalk(this.reader, this.origin, names)
    this.spanRows = new SpanRowWriter(bytes, this.values, this.losses)
    this.rows = new RowBatches(spansTable, limits, bytes.length * 2)
  }

  decode(): DecodedBody {
    this.walk.run((end) => this.readSpan(end))
    const batches = this.rows.finish()
    const { losses, outcome, rows, spanRows, origin, values } = this
    losses.repairedTexts = rows.repaired + spanRows.repaired + origin.repaired + values.repaired
    noteLosses(losses, outcome)
    return { batches, outcome: outcome.build() }
  }

  private readSpan(end: number): void {
    const { outcome } = this
    const fault = this.faultOf(end) ?? this.writeSpan()
    if (fault === undefined) outcome.accepted++
    else outcome.reject(fault, this.walk.place)
  }

  private faultOf(end: number): SpanFault | undefined {
    const { reader, span } = this
    if (end - reader.position > recordBytesMax) {
      reader.position = end
      return 'size'
    }
    span.read(reader, end)
    return faultOfSpan(span, this.bytes)
  }

  private writeSpan(): SpanFault | undefined {
    const { span, rows } = this
    const origin = this.origin.columns()
    if (origin === undefined || origin.length > recordBytesMax) return 'size'
    this.spanRows.write(rows.beginRow(span.startLow, span.startHigh), origin, span)
    if (rows.rowBytes > recordBytesMax) {
      rows.dropRow()
      return 'size'
    }
    rows.endRow()
    return undefined
  }
}
