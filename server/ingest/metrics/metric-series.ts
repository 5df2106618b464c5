import { createHash, type Hash } from 'node:crypto'
import { type MetricKind, numberOfKind, telemetryTables } from '#sql'
import type { RowBatches, RowTable } from '../inserts/row-batches.ts'
import { attributeListText, writeAttributesColumn } from '../records/attribute-columns.ts'
import type { AttributeList } from '../records/attribute-list.ts'
import { recordBytesMax } from '../records/record-origin.ts'
import { type Losses, noLosses } from '../records/repairs.ts'
import type { ValueWriter } from '../records/value-writer.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import type { Optional64 } from '../wire/fixed64.ts'
import type { MetricReader } from './metric-message.ts'

/** The columns of a row stand in the order in which they are written. */
export const metricSeriesTable: RowTable = {
  name: 'metric_series',
  columns: Object.keys(telemetryTables.metric_series.columns),
  mergesEqualRows: true,
}

const seriesIdBytes = 16
const nsPerDay = 86_400_000_000_000n

/** The row of a series on one day: where the first and the last time stand in it, to be moved when a point lies outside. */
interface SeriesRow {
  readonly writer: ByteWriter
  readonly position: number
  first: bigint
  last: bigint
}

/**
 * Writes the series of one body, each once a day, and names them. A series is what OpenTelemetry's data model makes of it:
 * two points are of one series when they agree in organization, resource, scope, metric name, unit, kind, temporality,
 * monotonicity and attributes, in whatever order these came.
 */
export class MetricSeriesWriter {
  private readonly bytes: Buffer
  private readonly values: ValueWriter
  private readonly losses: Losses
  private readonly rows: RowBatches
  /** By id and day. */
  private readonly written = new Map<string, SeriesRow>()
  private readonly metric = new ByteWriter(1024)
  private metricIdentity: Hash = createHash('sha256')
  /** What a point loses is counted when its series is named; writing the series again counts nothing. */
  private readonly countedAlready = noLosses()
  /** Of the point read last. */
  readonly id = Buffer.alloc(seriesIdBytes)

  constructor(bytes: Buffer, values: ValueWriter, losses: Losses, rows: RowBatches) {
    this.bytes = bytes
    this.values = values
    this.losses = losses
    this.rows = rows
  }

  /** Strings that were not valid UTF-8. */
  get repaired(): number {
    return this.metric.repaired
  }

  /** `origin`: the columns of organization, resource and scope. */
  beginMetric(origin: Uint8Array, metric: MetricReader, kind: MetricKind): void {
    const { bytes, metric: writer } = this
    writer.position = 0
    writer.raw(origin)
    writer.text(bytes, metric.nameStart, metric.nameEnd)
    writer.text(bytes, metric.unitStart, metric.unitEnd)
    writer.uint8(numberOfKind(kind))
    writer.uint8(metric.temporality)
    writer.uint8(metric.monotonic ? 1 : 0)
    this.metricIdentity = createHash('sha256').update(writer.since(0))
    writer.text(bytes, metric.descriptionStart, metric.descriptionEnd)
    metric.metadata.mergeEqualKeys(bytes)
    writer.string(attributeListText(metric.metadata, bytes, this.values, this.losses))
  }

  /** Names the series of a point in `id`, and sees to its row. False when the row is too large to be stored. */
  write(attributes: AttributeList, time: Optional64): boolean {
    const { bytes, values, losses } = this
    attributes.mergeEqualKeys(bytes)
    const list = attributeListText(attributes, bytes, values, losses)
    const digest = this.metricIdentity.copy().update(list).digest()
    digest.copy(this.id, 0, 0, seriesIdBytes)
    const ns = time.bits
    const key = `${this.id.toString('latin1')}${ns / nsPerDay}`
    const known = this.written.get(key)
    if (known !== undefined) {
      widen(known, ns)
      return true
    }
    const row = this.writeRow(attributes, time)
    if (row !== undefined) this.written.set(key, row)
    return row !== undefined
  }

  private writeRow(attributes: AttributeList, time: Optional64): SeriesRow | undefined {
    const { rows, bytes, values, countedAlready } = this
    const row = rows.beginRow(time.low, time.high)
    row.raw(this.metric.since(0))
    row.raw(this.id)
    const { position } = row
    time.write(row)
    time.write(row)
    writeAttributesColumn(row, attributes, bytes, values, countedAlready)
    if (rows.rowBytes > recordBytesMax) {
      rows.dropRow()
      return undefined
    }
    rows.endRow()
    return { writer: row, position, first: time.bits, last: time.bits }
  }
}

/** The buffer of a row stays its writer's, also when the batch is closed. */
function widen(row: SeriesRow, ns: bigint): void {
  const { writer, position } = row
  if (ns < row.first) {
    row.first = ns
    writer.bytes.writeBigUInt64LE(ns, position)
  } else if (ns > row.last) {
    row.last = ns
    writer.bytes.writeBigUInt64LE(ns, position + 8)
  }
}
