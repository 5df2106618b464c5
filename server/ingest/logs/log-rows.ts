import { telemetryTables } from '#sql'
import type { RowTable } from '../inserts/row-batches.ts'
import { writeAttributesColumn } from '../records/attribute-columns.ts'
import type { Losses } from '../records/repairs.ts'
import type { ValueWriter } from '../records/value-writer.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import { spanIdBytes, traceIdBytes, uint32Max } from '../wire/widths.ts'
import type { LogReader } from './log-reader.ts'

/** The columns of a row stand in the order in which they are written: those of the resource and the scope come first. */
export const logRecordsTable: RowTable = {
  name: 'log_records',
  columns: Object.keys(telemetryTables.log_records.columns),
  mergesEqualRows: false,
}

/** Bytes of the columns from `trace_id` to `flags`. */
const fixedBytes = traceIdBytes + spanIdBytes + 8 + 8 + 4 + 4

/** Writes log records that have no fault as RowBinary rows of the table `log_records`. */
export class LogRowWriter {
  private readonly bytes: Buffer
  private readonly values: ValueWriter
  private readonly losses: Losses

  constructor(bytes: Buffer, values: ValueWriter, losses: Losses) {
    this.bytes = bytes
    this.values = values
    this.losses = losses
  }

  write(row: ByteWriter, origin: Uint8Array, record: LogReader): void {
    const { bytes, values, losses } = this
    row.raw(origin)
    this.writeFixedColumns(row, record)
    row.text(bytes, record.severityTextStart, record.severityTextEnd)
    row.text(bytes, record.eventNameStart, record.eventNameEnd)
    this.writeBody(row, record)
    record.attributes.mergeEqualKeys(bytes)
    const left = writeAttributesColumn(row, record.attributes, bytes, values, losses)
    row.uint32(Math.min(record.droppedAttributes + left, uint32Max))
  }

  private writeFixedColumns(row: ByteWriter, record: LogReader): void {
    row.reserve(fixedBytes)
    this.writeId(row, record.traceIdStart, record.traceIdEnd, traceIdBytes)
    this.writeId(row, record.spanIdStart, record.spanIdEnd, spanIdBytes)
    row.putUint32(record.timeLow)
    row.putUint32(record.timeHigh)
    row.putUint32(record.observedLow)
    row.putUint32(record.observedHigh)
    row.putUint32(record.severityNumber)
    row.putUint32(record.flags)
  }

  /** OTLP says of an id that is none that the record belongs to no trace or span, not that there is no record. */
  private writeId(row: ByteWriter, start: number, end: number, length: number): void {
    if (end - start === length) row.reversed(this.bytes, start, length)
    else {
      row.zeros(length)
      if (end > start) this.losses.badIds++
    }
  }

  /** A body that is nested too deep is left out like an attribute that is. */
  private writeBody(row: ByteWriter, { bodyStart, bodyEnd }: LogReader): void {
    if (this.values.write(row, bodyStart, bodyEnd, 'row')) return
    this.losses.deepBodies++
    this.values.write(row, 0, 0, 'row')
  }
}
