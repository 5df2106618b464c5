import { OversizedBody } from '../wire/body-errors.ts'
import type { BufferPool } from '../wire/buffer-pool.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { two32 } from '../wire/fixed64.ts'

export interface RowLimits {
  readonly rowsPerInsertMax: number
  /** An insert is closed with the row that reaches it. */
  readonly bytesPerInsertMax: number
  /** The table has a partition a day and ClickHouse writes a part for each, which costs it far more than rows do. */
  readonly daysPerInsertMax: number
  /** Of all rows of one request; a resource is stored with all that it sends, so they may be larger than the body. */
  readonly rowBytesMax: number
}

/** What one insert may hold. 100 days are as many partitions as ClickHouse allows one to write when nothing else is said. */
export const insertLimits = {
  rowsPerInsertMax: 50_000,
  bytesPerInsertMax: 32 * 2 ** 20,
  daysPerInsertMax: 100,
} as const

const nsPerDay = 86_400e9

/** Where rows are written: how many at most, and into which memory. Whoever has stored them gives that back. */
export interface RowSpace {
  readonly limits: RowLimits
  readonly buffers: BufferPool
}

/** Where rows go, and the columns that each has, in their order. */
export interface RowTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Equal rows count once however often they are stored, so rows of several requests may share an insert (insert-groups.ts). */
  readonly mergesEqualRows: boolean
}

/** Rows that go to ClickHouse in one insert. */
export interface RowBatch {
  readonly table: RowTable
  readonly bytes: Buffer
  readonly rows: number
  /** Days on which the rows are. */
  readonly days: number
}

/** The rows of one request for one table, cut into inserts at row borders. */
export class RowBatches {
  private readonly table: RowTable
  private readonly limits: RowLimits
  private readonly buffers: BufferPool
  private readonly finished: RowBatch[] = []
  private finishedBytes = 0
  private rows = 0
  private rowStart = 0
  /** Strings repaired in batches that are closed. */
  private repairedBefore = 0
  private readonly days = new Set<number>()
  private lastDay = -1
  writer: ByteWriter

  constructor(table: RowTable, { limits, buffers }: RowSpace, bytesExpected: number) {
    this.table = table
    this.limits = limits
    this.buffers = buffers
    this.writer = new ByteWriter(buffers.take(Math.min(bytesExpected, limits.bytesPerInsertMax) + 1024))
  }

  get repaired(): number {
    return this.repairedBefore + this.writer.repaired
  }

  /** `startLow`, `startHigh`: nanoseconds since the epoch, which say in which partition the row will be. */
  beginRow(startLow: number, startHigh: number): ByteWriter {
    const day = Math.floor((startHigh * two32 + startLow) / nsPerDay)
    if (day !== this.lastDay) {
      if (this.days.size >= this.limits.daysPerInsertMax && !this.days.has(day)) this.close()
      this.days.add(day)
      this.lastDay = day
    }
    // It grows as it is written: a body may have rows on so many days that each insert holds few of them.
    if (this.writer.bytes.length === 0) this.writer = new ByteWriter(this.buffers.take(0))
    this.rowStart = this.writer.position
    return this.writer
  }

  get rowBytes(): number {
    return this.writer.position - this.rowStart
  }

  dropRow(): void {
    this.writer.position = this.rowStart
  }

  endRow(): void {
    this.rows++
    if (this.finishedBytes + this.writer.position > this.limits.rowBytesMax) {
      throw new OversizedBody(
        `The rows of this request would take more than ${this.limits.rowBytesMax} bytes. A resource is stored with all that it sends: send less at once, or less in the resource.`,
      )
    }
    if (this.rows >= this.limits.rowsPerInsertMax || this.writer.position >= this.limits.bytesPerInsertMax) this.close()
  }

  private close(): void {
    const { table, rows, days } = this
    this.finished.push({ table, bytes: this.writer.since(0), rows, days: days.size })
    this.finishedBytes += this.writer.position
    this.repairedBefore += this.writer.repaired
    this.writer = new ByteWriter(0)
    this.rows = 0
    this.days.clear()
    this.lastDay = -1
  }

  /** Everything that was written; the writer is empty afterwards. */
  finish(): readonly RowBatch[] {
    if (this.rows > 0) this.close()
    return this.finished
  }
}
