import type { TelemetryTable } from '#sql'
import { OversizedBody } from '../wire/body-errors.ts'
import type { BufferPool } from '../wire/buffer-pool.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { two32 } from '../wire/fixed64.ts'
import { type BatchTraces, TraceCollector } from './repeated-spans.ts'

export interface RowLimits {
  readonly rowsPerInsertMax: number
  /** The size at which a batch is closed. The row that reaches it is the last one of the batch. */
  readonly bytesPerInsertMax: number
  /**
   * The limit on the days of one insert, and therefore of one request. Tables have one partition per day, and
   * ClickHouse writes a part for each partition, which costs far more than the rows.
   */
  readonly daysPerInsertMax: number
  /** The limit on all rows of one request. */
  readonly rowBytesMax: number
}

/** Limits of one insert. By default, ClickHouse rejects an insert into more than 100 partitions. */
export const insertLimits = {
  rowsPerInsertMax: 50_000,
  bytesPerInsertMax: 32 * 2 ** 20,
  daysPerInsertMax: 100,
} as const

const nsPerDay = 86_400e9

/** Tests whether points of a metric series, given by its id, may be stored. */
export type AcceptsSeries = (id: Buffer) => boolean

/**
 * The limits on the rows of a request, and the buffers into which they are written. The endpoint returns the buffers
 * after the insert.
 */
export interface RowSpace {
  readonly limits: RowLimits
  readonly buffers: BufferPool
  /** Absent if points of all series may be stored. */
  readonly acceptsSeries?: AcceptsSeries | undefined
  /** Whether entries of the value index are written; true by default. */
  readonly indexesValues?: boolean
}

/** A table that ingest writes. Rows hold its columns in the order of `telemetryTables`. */
export interface RowTable {
  readonly name: TelemetryTable
  /**
   * True if equal rows count once however often they are stored. Several requests may then share an insert
   * (row-store.ts).
   */
  readonly mergesEqualRows: boolean
}

/** The rows of one insert. */
export interface RowBatch {
  readonly table: RowTable
  readonly bytes: Buffer
  /** The traces of the rows. Empty for tables without traces. */
  readonly traces: BatchTraces
  readonly rows: number
  /** The number of days that the rows of the request are on. */
  readonly days: number
  /** The first of these days since the epoch, in UTC. */
  readonly firstDay: number
}

/** Collects the rows of one request for one table in batches that stay within the limits of an insert. */
export class RowBatches {
  private readonly table: RowTable
  private readonly limits: RowLimits
  private readonly buffers: BufferPool
  private readonly closed: RowBatch[] = []
  private closedBytes = 0
  private closedHeldBytes = 0
  private closedRepaired = 0
  private rows = 0
  private rowStart = 0
  private readonly days = new Set<number>()
  private lastDay = -1
  private writer: ByteWriter
  /** The traces of the batch that is being filled. */
  traces = new TraceCollector()

  constructor(table: RowTable, { limits, buffers }: RowSpace, bytesExpected: number) {
    this.table = table
    this.limits = limits
    this.buffers = buffers
    this.writer = new ByteWriter(buffers.take(Math.min(bytesExpected, limits.bytesPerInsertMax) + 1024))
  }

  /** The number of strings that were not valid UTF-8. */
  get repaired(): number {
    return this.closedRepaired + this.writer.repaired
  }

  /** The memory of all batches. Each is a part of a buffer, which may be larger. */
  get heldBytes(): number {
    return this.closedHeldBytes + this.writer.bytes.buffer.byteLength + this.traces.heldBytes
  }

  /** The size of the row that was begun last, in bytes. */
  get rowBytes(): number {
    return this.writer.position - this.rowStart
  }

  /**
   * Begins a row. Its time, in nanoseconds since the epoch, determines its partition.
   * @throws {OversizedBody} if the rows of the request are on too many days
   */
  beginRow(timeLow: number, timeHigh: number): ByteWriter {
    return this.beginRowOnDay(Math.floor((timeHigh * two32 + timeLow) / nsPerDay))
  }

  /** Begins a row of a day since the epoch. See `beginRow`. */
  beginRowOnDay(day: number): ByteWriter {
    if (day !== this.lastDay) this.addDay(day)
    if (this.writer.bytes.length === 0) this.writer = new ByteWriter(this.buffers.take(0))
    this.rowStart = this.writer.position
    return this.writer
  }

  private addDay(day: number): void {
    const { days, limits } = this
    days.add(day)
    this.lastDay = day
    if (days.size <= limits.daysPerInsertMax) return
    throw new OversizedBody(
      `The times of this request are on more than ${limits.daysPerInsertMax} different days, and each day is stored ` +
        'separately: send smaller requests, sorted by time.',
    )
  }

  dropRow(): void {
    this.writer.position = this.rowStart
  }

  /** @throws {OversizedBody} if the rows of the request exceed their limit */
  endRow(): void {
    const { limits, writer } = this
    this.rows++
    if (this.closedBytes + writer.position > limits.rowBytesMax) {
      throw new OversizedBody(
        `The rows of this request would exceed ${limits.rowBytesMax} bytes. Every row repeats the attributes of its ` +
          'resource: send smaller requests, or fewer attributes in the resource.',
      )
    }
    if (this.rows >= limits.rowsPerInsertMax || writer.position >= limits.bytesPerInsertMax) this.close()
  }

  private close(): void {
    const { table, rows, days } = this
    const batch = { table, bytes: this.writer.written(), traces: this.traces.finish(), rows }
    this.closed.push({ ...batch, days: days.size, firstDay: Math.min(...days) })
    this.closedBytes += this.writer.position
    this.closedHeldBytes += this.writer.bytes.buffer.byteLength + this.traces.heldBytes
    this.closedRepaired += this.writer.repaired
    this.writer = new ByteWriter(0)
    this.traces = new TraceCollector()
    this.rows = 0
  }

  /** Closes the last batch and returns all of them. */
  finish(): readonly RowBatch[] {
    if (this.rows > 0) this.close()
    return this.closed
  }
}
