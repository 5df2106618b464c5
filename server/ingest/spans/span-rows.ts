import { telemetryTables } from '#sql'
import type { RowTable } from '../inserts/row-batches.ts'
import { writeAttributesColumn } from '../records/attribute-columns.ts'
import type { Losses } from '../records/repairs.ts'
import type { ValueWriter } from '../records/value-writer.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import { spanIdBytes, traceIdBytes, uint32Max } from '../wire/widths.ts'
import { SpanChildrenWriter } from './span-children.ts'
import { allZero } from './span-faults.ts'
import type { SpanReader } from './span-reader.ts'

/** The columns of a row stand in the order in which they are written: those of the resource and the scope come first. */
export const spansTable: RowTable = {
  name: 'spans',
  columns: Object.keys(telemetryTables.spans.columns),
  mergesEqualRows: true,
}

/** Bytes of the columns from `trace_id` to `flags`. */
const fixedBytes = traceIdBytes + 2 * spanIdBytes + 8 + 8 + 1 + 1 + 4
const kindMax = 5
const statusMax = 2

/** Writes spans that have no fault as RowBinary rows of the table `spans`. */
export class SpanRowWriter {
  private readonly bytes: Buffer
  private readonly values: ValueWriter
  private readonly children: SpanChildrenWriter
  private readonly losses: Losses

  constructor(bytes: Buffer, values: ValueWriter, losses: Losses) {
    this.bytes = bytes
    this.values = values
    this.losses = losses
    this.children = new SpanChildrenWriter(bytes, values, losses)
  }

  get repaired(): number {
    return this.children.repaired
  }

  /** `origin`: the columns of resource and scope, which many spans share. */
  write(row: ByteWriter, origin: Uint8Array, span: SpanReader): void {
    const { bytes } = this
    row.raw(origin)
    this.writeFixedColumns(row, span)
    row.text(bytes, span.nameStart, span.nameEnd)
    row.text(bytes, span.statusMessageStart, span.statusMessageEnd)
    row.text(bytes, span.traceStateStart, span.traceStateEnd)
    span.attributes.mergeEqualKeys(bytes)
    const attributesLeft = writeAttributesColumn(row, span.attributes, bytes, this.values, this.losses)
    this.children.writeEvents(row, span.events)
    const linksLeft = this.children.writeLinks(row, span.links)
    row.uint32(Math.min(span.droppedAttributes + attributesLeft, uint32Max))
    row.uint32(span.droppedEvents)
    row.uint32(Math.min(span.droppedLinks + linksLeft, uint32Max))
  }

  private writeFixedColumns(row: ByteWriter, span: SpanReader): void {
    const { bytes } = this
    row.reserve(fixedBytes)
    row.reversed(bytes, span.traceIdStart, traceIdBytes)
    row.reversed(bytes, span.spanIdStart, spanIdBytes)
    // A parent id of zeros is how some senders say that there is no parent, and zero is how the table says it.
    if (span.parentIdEnd === span.parentIdStart || allZero(bytes, span.parentIdStart, span.parentIdEnd))
      row.zeros(spanIdBytes)
    else row.reversed(bytes, span.parentIdStart, spanIdBytes)
    row.putUint32(span.startLow)
    row.putUint32(span.startHigh)
    writeDuration(row, span)
    row.bytes[row.position++] = span.kind <= kindMax ? span.kind : 0
    row.bytes[row.position++] = span.statusCode <= statusMax ? span.statusCode : 0
    row.putUint32(span.flags)
  }
}

/** End minus start in unsigned 64 bits; zero for an end that is a little before its start. */
function writeDuration(row: ByteWriter, { startLow, startHigh, endLow, endHigh }: SpanReader): void {
  if (endHigh < startHigh || (endHigh === startHigh && endLow < startLow)) {
    row.putUint32(0)
    row.putUint32(0)
    return
  }
  const borrow = endLow < startLow ? 1 : 0
  row.putUint32(endLow - startLow)
  row.putUint32(endHigh - startHigh - borrow)
}
