import type { AttributeWriter } from '../records/attribute-writer.ts'
import { LogRecordMessage } from '../records/message-readers-generated.ts'
import { spanIdBytes, timeHighEnd, traceIdBytes, uint32Max } from '../records/record-limits.ts'
import { type RecordCodec, recordSignal } from '../records/signal.ts'
import { ValueEntries, valueIndexTable } from '../records/value-entries.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import type { ByteRange } from '../wire/fields.ts'
import type { Fixed64 } from '../wire/fixed64.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'

const logFaults = {
  time: 'the time or the observed time is after the year 2262',
  size: 'the log record with its resource and scope is larger than 8 MiB or has more than 50,000 values',
} as const

type LogFault = keyof typeof logFaults

export const logs = recordSignal({
  path: '/v1/logs',
  name: 'logs',
  request: 'collector.logs.v1.ExportLogsServiceRequest',
  response: 'collector.logs.v1.ExportLogsServiceResponse',
  rejectedField: 'rejectedLogRecords',
  noun: 'log record',
  faults: logFaults,
  table: { name: 'log_records', mergesEqualRows: false },
  entriesTable: valueIndexTable,
  codec: (attributes, org, space) =>
    new LogCodec(attributes, space.indexesValues === false ? undefined : new ValueEntries('log_records', org, space)),
})

/** Bytes of the columns from `trace_id` to `flags`. */
const fixedBytes = traceIdBytes + spanIdBytes + 8 + 8 + 4 + 4

/** Reads log records and writes them as RowBinary rows of the table `log_records`, in the order of its columns. */
class LogCodec implements RecordCodec<LogFault> {
  private readonly attributes: AttributeWriter
  private readonly record = new LogRecordMessage()
  /** Always zero: texts are written into the row or by the ValueWriter, and both count their own repairs. */
  readonly repaired = 0

  readonly entries: ValueEntries | undefined

  constructor(attributes: AttributeWriter, entries: ValueEntries | undefined) {
    this.attributes = attributes
    this.entries = entries
  }

  get timeLow(): number {
    return this.time.low
  }

  get timeHigh(): number {
    return this.time.high
  }

  /** The event time or, if it is missing, the observed time. */
  private get time(): Fixed64 {
    const { timeUnixNano, observedTimeUnixNano } = this.record
    return timeUnixNano.isZero ? observedTimeUnixNano : timeUnixNano
  }

  read(reader: ProtobufReader, end: number): LogFault | undefined {
    this.record.fill(reader, end)
    const { timeUnixNano, observedTimeUnixNano } = this.record
    return timeUnixNano.high >= timeHighEnd || observedTimeUnixNano.high >= timeHighEnd ? 'time' : undefined
  }

  write(row: ByteWriter, origin: Uint8Array): void {
    const { record, attributes, time } = this
    // The place of a record without any time is known when it is stored.
    const entries = time.isZero ? undefined : this.entries
    row.raw(origin)
    const traceIdAt = row.position
    this.writeFixedColumns(row)
    entries?.beginRecord(time.low, time.high, row.bytes[traceIdAt + traceIdBytes - 1] as number)
    entries?.addOrigin(origin)
    const severityAt = row.position
    row.text(attributes.bytes, record.severityText.start, record.severityText.end)
    entries?.addIntrinsic('severity', row.bytes, severityAt, row.position)
    row.text(attributes.bytes, record.eventName.start, record.eventName.end)
    this.writeBody(row)
    record.attributes.mergeEqualKeys(attributes.bytes)
    const left = attributes.writeColumn(row, record.attributes, entries)
    row.uint32(Math.min(record.droppedAttributesCount + left, uint32Max))
    row.uint8(entries === undefined ? 0 : 1)
  }

  private writeFixedColumns(row: ByteWriter): void {
    const { traceId, spanId, timeUnixNano, observedTimeUnixNano, severityNumber, flags } = this.record
    row.reserve(fixedBytes)
    this.writeId(row, traceId, traceIdBytes)
    this.writeId(row, spanId, spanIdBytes)
    row.putUint32(timeUnixNano.low)
    row.putUint32(timeUnixNano.high)
    row.putUint32(observedTimeUnixNano.low)
    row.putUint32(observedTimeUnixNano.high)
    row.putUint32(severityNumber)
    row.putUint32(flags)
  }

  /** Writes zeros for an invalid id. According to OTLP, the record is still valid but belongs to no trace or span. */
  private writeId(row: ByteWriter, id: ByteRange, idBytes: number): void {
    if (id.length === idBytes) row.reversed(this.attributes.bytes, id.start, idBytes)
    else {
      row.zeros(idBytes)
      if (id.length > 0) this.attributes.repairs.badIds++
    }
  }

  /** Writes the body, or an unset value for a body that is nested too deeply. */
  private writeBody(row: ByteWriter): void {
    const { values, repairs } = this.attributes
    const { start, end } = this.record.body
    if (values.write(row, start, end, 'row')) return
    repairs.deepBodies++
    values.write(row, 0, 0, 'row')
  }
}
