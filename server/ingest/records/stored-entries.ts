import { hashOfText, hotAttributeKeys, type IndexedTable, keyOfPath, xxHash32 } from '#sql'
import type { StoredEntries } from '../../clickhouse/migrate/backfill.ts'
import { insertLimits } from '../inserts/row-batches.ts'
import { createRowStore, type RowSink, type StoreRows } from '../inserts/row-store.ts'
import { BufferPool } from '../wire/buffer-pool.ts'
import { isAt } from '../wire/fields.ts'
import { RowReader } from '../wire/row-reader.ts'
import { traceIdBytes } from './record-limits.ts'
import { ValueEntries } from './value-entries.ts'

/** Creates the entries of stored records of all organizations. On a cluster, `index` stores them on all shards. */
export function createStoredEntries(index: RowSink): StoredEntries {
  return new EntriesOfRows(createRowStore(index))
}

interface Collected {
  readonly org: string
  readonly entries: ValueEntries
}

/** The intrinsics of an `UnindexedRow`, in its order. */
const intrinsics = { spans: ['name', 'status_message'], log_records: ['severity'] } as const

class EntriesOfRows implements StoredEntries {
  private readonly storeRows: StoreRows
  private readonly buffers = new BufferPool()
  private readonly collected = new Map<string, Collected>()
  private readonly paths = new Paths()

  constructor(storeRows: StoreRows) {
    this.storeRows = storeRows
  }

  get heldBytes(): number {
    return [...this.collected.values()].reduce((sum, { entries }) => sum + entries.heldBytes, 0)
  }

  addRecord(table: IndexedTable, row: Buffer): void {
    const reader = new RowReader(row)
    const entries = this.entriesOf(table, reader.string())
    // The service, the attributes of the resource, and the name of the scope.
    for (let column = 0; column < 3; column++) reader.skipString()
    const traceIdAt = reader.position
    const timeAt = traceIdAt + traceIdBytes
    // The first byte of the id is the last one of the number.
    entries.beginRecord(row.readUInt32LE(timeAt), row.readUInt32LE(timeAt + 4), row[timeAt - 1] as number)
    entries.addOrigin(row.subarray(0, traceIdAt))
    if (table === 'spans') entries.addTraceId(row, traceIdAt)
    reader.position = timeAt + 8
    for (const intrinsic of intrinsics[table]) {
      const at = reader.position
      reader.skipString()
      entries.addIntrinsic(intrinsic, row, at, reader.position)
    }
    for (let left = reader.varint(); left > 0; left--) this.addAttribute(entries, reader)
  }

  private addAttribute(entries: ValueEntries, reader: RowReader): void {
    const { isHot, keyHash } = this.paths.at(reader)
    if (!isHot) reader.position++
    const at = reader.position
    // A hot key that the record does not carry has the empty text.
    if (reader.skipString() > 0) entries.addAttribute(keyHash, reader.bytes, at, reader.position)
  }

  private entriesOf(table: IndexedTable, org: string): ValueEntries {
    const key = `${table} ${org}`
    const known = this.collected.get(key)
    if (known !== undefined) return known.entries
    const limits = { ...insertLimits, rowBytesMax: Number.POSITIVE_INFINITY }
    const entries = new ValueEntries(table, org, { limits, buffers: this.buffers })
    this.collected.set(key, { org, entries })
    return entries
  }

  async store(): Promise<void> {
    for (const { org, entries } of this.collected.values()) {
      const batches = entries.finish()
      await this.storeRows(org, batches)
      for (const { bytes } of batches) this.buffers.give(bytes)
    }
    this.collected.clear()
  }
}

interface Path {
  readonly bytes: Buffer
  readonly keyHash: number
  /** Whether the values of the path have a declared type. The byte of the type precedes all others. */
  readonly isHot: boolean
}

const pathSlots = 16_384

/** The paths of the column `attributes` (sql/schema/tables.ts). A new path replaces the one in its slot. */
class Paths {
  private readonly slots: (Path | undefined)[] = new Array(pathSlots).fill(undefined)

  /** Reads a path, without making a string of one that is known. */
  at(reader: RowReader): Path {
    const { bytes } = reader
    const length = reader.skipString()
    const [start, end] = [reader.position - length, reader.position]
    const slot = xxHash32(bytes, start, end) & (pathSlots - 1)
    const known = this.slots[slot]
    if (known?.bytes.length === length && isAt(known.bytes, bytes, start)) return known
    const key = keyOfPath(bytes.toString('latin1', start, end))
    const path = {
      bytes: Buffer.from(bytes.subarray(start, end)),
      keyHash: hashOfText(key),
      isHot: hotAttributeKeys.has(key),
    }
    this.slots[slot] = path
    return path
  }
}
