import { createHash, type Hash } from 'node:crypto'
import { type MetricKind, numberOfKind } from '#sql'
import type { AcceptsSeries, RowBatches, RowTable } from '../inserts/row-batches.ts'
import type { AttributeList } from '../records/attribute-list.ts'
import { AttributeWriter } from '../records/attribute-writer.ts'
import { noRepairs } from '../records/outcome.ts'
import { recordBytesMax, recordPartsMax } from '../records/record-limits.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import type { Fixed64 } from '../wire/fixed64.ts'
import type { CurrentMetric } from './current-metric.ts'

export const metricSeriesTable: RowTable = { name: 'metric_series', mergesEqualRows: true }

const seriesIdBytes = 16
const nsPerDay = 86_400_000_000_000n

/**
 * The row of a series on one day. Its columns `first` and `last`, at `position`, are updated when a point lies outside
 * their range.
 */
interface SeriesRow {
  readonly writer: ByteWriter
  readonly position: number
  first: bigint
  last: bigint
}

/**
 * Writes the series of one body as RowBinary rows of the table `metric_series`, one row for each day, and computes
 * their ids. As in the data model of OpenTelemetry, two points belong to the same series when they agree in
 * organization, resource, scope, metric name, unit, kind, temporality, monotonicity and attributes, in any order.
 */
export class MetricSeriesWriter {
  private readonly attributes: AttributeWriter
  /**
   * Its repairs are ignored: the repairs of a series are counted when its id is computed, not when its row is written.
   */
  private readonly uncounted: AttributeWriter
  private readonly rows: RowBatches
  private readonly accepts: AcceptsSeries
  /** Written rows, keyed by id and day. */
  private readonly written = new Map<string, SeriesRow>()
  private readonly metric = new ByteWriter(1024)
  private metricIdentity: Hash = createHash('sha256')
  /** The number of repairs that are counted twice: for the id of a series, and when its row is written. */
  private repeatedRepairs = 0
  /** The series id of the last point. */
  readonly id = Buffer.alloc(seriesIdBytes)

  constructor(attributes: AttributeWriter, rows: RowBatches, accepts: AcceptsSeries = () => true) {
    this.attributes = attributes
    this.uncounted = new AttributeWriter(attributes.bytes, noRepairs(), attributes.values)
    this.rows = rows
    this.accepts = accepts
  }

  /** The number of strings that were not valid UTF-8, less those that the ValueWriter has counted twice. */
  get repaired(): number {
    return this.metric.repaired - this.repeatedRepairs
  }

  /**
   * Begins the metric of the next points. `origin` contains the encoded columns of organization, resource and scope.
   * Returns false if its metadata has too many values for a record.
   */
  beginMetric(origin: Uint8Array, { message, temporality, isMonotonic }: CurrentMetric, kind: MetricKind): boolean {
    const { attributes, metric: writer } = this
    const { name, unit, description, metadata } = message
    writer.position = 0
    writer.raw(origin)
    writer.text(attributes.bytes, name.start, name.end)
    writer.text(attributes.bytes, unit.start, unit.end)
    writer.uint8(numberOfKind(kind))
    writer.uint8(temporality)
    writer.uint8(isMonotonic ? 1 : 0)
    this.metricIdentity = createHash('sha256').update(writer.written())
    writer.text(attributes.bytes, description.start, description.end)
    metadata.mergeEqualKeys(attributes.bytes)
    attributes.values.partsLeft = recordPartsMax
    writer.string(attributes.listText(metadata))
    return attributes.values.partsLeft >= 0
  }

  /**
   * Computes the `id` of the series of a point from its attributes. Returns the fault if they have too many values, or
   * if the series is not accepted.
   */
  identify(list: AttributeList): 'size' | 'series_quota' | undefined {
    const { attributes } = this
    list.mergeEqualKeys(attributes.bytes)
    const listText = attributes.listText(list)
    if (attributes.values.partsLeft < 0) return 'size'
    const digest = this.metricIdentity.copy().update(listText).digest()
    digest.copy(this.id, 0, 0, seriesIdBytes)
    return this.accepts(this.id) ? undefined : 'series_quota'
  }

  /**
   * Writes the row of the series that was identified last, or extends its time range. Returns the fault if the row is
   * too large.
   */
  write(list: AttributeList, time: Fixed64): 'size' | undefined {
    const ns = time.bits
    const key = `${this.id.toString('latin1')}${ns / nsPerDay}`
    const known = this.written.get(key)
    if (known !== undefined) {
      widen(known, ns)
      return undefined
    }
    const row = this.writeRow(list, time)
    if (row === undefined) return 'size'
    this.written.set(key, row)
    return undefined
  }

  private writeRow(list: AttributeList, time: Fixed64): SeriesRow | undefined {
    const { rows } = this
    const row = rows.beginRow(time.low, time.high)
    row.raw(this.metric.written())
    row.raw(this.id)
    const { position } = row
    time.write(row)
    time.write(row)
    this.writeAttributes(row, list)
    if (rows.rowBytes > recordBytesMax) {
      rows.dropRow()
      return undefined
    }
    rows.endRow()
    return { writer: row, position, first: time.bits, last: time.bits }
  }

  /** Writes attributes whose values have been counted for the id. */
  private writeAttributes(row: ByteWriter, list: AttributeList): void {
    const { values } = this.uncounted
    const { partsLeft, repaired } = values
    values.partsLeft = recordPartsMax
    this.uncounted.writeColumn(row, list)
    values.partsLeft = partsLeft
    this.repeatedRepairs += values.repaired - repaired
  }
}

/** Extends the row to include a time. The row stays in its buffer even after its batch has been closed. */
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
