import { type RecordCodec, RecordDecoder, type RecordKind } from '../records/record-decoder.ts'
import type { Losses } from '../records/repairs.ts'
import type { Signal } from '../records/signal.ts'
import type { ValueWriter } from '../records/value-writer.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { faultOfSpan, type SpanFault, spanFaults } from './span-faults.ts'
import { SpanReader } from './span-reader.ts'
import { SpanRowWriter, spansTable } from './span-rows.ts'

const spans: RecordKind<SpanFault> = {
  names: { resource: 'resource_spans', scope: 'scope_spans', record: 'spans' },
  noun: 'span',
  faults: spanFaults,
  table: spansTable,
  open: (bytes, values, losses) => new SpanCodec(bytes, values, losses),
}

export const traces: Signal = {
  path: '/v1/traces',
  name: 'traces',
  requestMessage: 'collector.trace.v1.ExportTraceServiceRequest',
  responseMessage: 'collector.trace.v1.ExportTraceServiceResponse',
  rejectedField: 'rejectedSpans',
  decode: (body, org, space) => new RecordDecoder(spans, body, org, space).decode(),
}

class SpanCodec implements RecordCodec<SpanFault> {
  private readonly bytes: Buffer
  private readonly span = new SpanReader()
  private readonly rows: SpanRowWriter

  constructor(bytes: Buffer, values: ValueWriter, losses: Losses) {
    this.bytes = bytes
    this.rows = new SpanRowWriter(bytes, values, losses)
  }

  read(reader: ProtobufReader, end: number): SpanFault | undefined {
    this.span.read(reader, end)
    return faultOfSpan(this.span, this.bytes)
  }

  get timeLow(): number {
    return this.span.startLow
  }

  get timeHigh(): number {
    return this.span.startHigh
  }

  write(row: ByteWriter, origin: Uint8Array): void {
    this.rows.write(row, origin, this.span)
  }

  get repaired(): number {
    return this.rows.repaired
  }
}
