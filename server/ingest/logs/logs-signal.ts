import { type RecordCodec, RecordDecoder, type RecordKind } from '../records/record-decoder.ts'
import type { Losses } from '../records/repairs.ts'
import type { Signal } from '../records/signal.ts'
import type { ValueWriter } from '../records/value-writer.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { type LogFault, LogReader, logFaults } from './log-reader.ts'
import { LogRowWriter, logRecordsTable } from './log-rows.ts'

const logRecords: RecordKind<LogFault> = {
  names: { resource: 'resource_logs', scope: 'scope_logs', record: 'log_records' },
  noun: 'log record',
  faults: logFaults,
  table: logRecordsTable,
  open: (bytes, values, losses) => new LogCodec(bytes, values, losses),
}

export const logs: Signal = {
  path: '/v1/logs',
  name: 'logs',
  requestMessage: 'collector.logs.v1.ExportLogsServiceRequest',
  responseMessage: 'collector.logs.v1.ExportLogsServiceResponse',
  rejectedField: 'rejectedLogRecords',
  decode: (body, org, space) => new RecordDecoder(logRecords, body, org, space).decode(),
}

class LogCodec implements RecordCodec<LogFault> {
  private readonly record = new LogReader()
  private readonly rows: LogRowWriter
  /** Whatever is repaired is written straight into a row, or by the writer of values, which counts it. */
  readonly repaired = 0

  constructor(bytes: Buffer, values: ValueWriter, losses: Losses) {
    this.rows = new LogRowWriter(bytes, values, losses)
  }

  read(reader: ProtobufReader, end: number): LogFault | undefined {
    this.record.read(reader, end)
    return this.record.fault
  }

  get timeLow(): number {
    return this.record.isTimed ? this.record.timeLow : this.record.observedLow
  }

  get timeHigh(): number {
    return this.record.isTimed ? this.record.timeHigh : this.record.observedHigh
  }

  write(row: ByteWriter, origin: Uint8Array): void {
    this.rows.write(row, origin, this.record)
  }
}
