/** Adds spans to the value index that were stored without entries. */
import {
  hashOfText,
  hotAttributeKeys,
  keyOfPath,
  markIndexed,
  type Query,
  storedRankBefore,
  type UnindexedDay,
  type UnindexedSpanRow,
  unindexedDays,
  unindexedSpans,
  xxHash32,
} from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { insertLimits } from '../inserts/row-batches.ts'
import { createRowStore, type RowSink, type StoreRows } from '../inserts/row-store.ts'
import { isAt } from '../records/attribute-writer.ts'
import { traceIdBytes } from '../records/record-limits.ts'
import { BufferPool } from '../wire/buffer-pool.ts'
import { RowReader } from '../wire/row-reader.ts'
import { ValueEntries } from './value-entries.ts'

export interface BackfillOptions {
  /** Stores the entries; on a cluster on all shards. */
  readonly index: RowSink
  readonly signal: AbortSignal
  /** Called with the number of spans that are done and the number of all. */
  readonly onProgress: (done: number, all: number) => void
  /** Spans stored within this time are left alone, because an insert may still be adding more beside them. */
  readonly settledSeconds?: number
}

/** More than the seconds that an insert may take. */
const settledSecondsDefault = 120
/** Entries are stored when they take this much memory. */
const heldBytesMax = 32 * 2 ** 20
const label = 'spans without entries'

/**
 * The spans of a day are one result without the limits of a request, so they are read as ClickHouse finds them. A result
 * that breaks off is not valid, and the read rejects.
 */
const settings = {
  max_execution_time: 0,
  max_rows_to_read: 0,
  max_result_rows: 0,
  max_result_bytes: 0,
  wait_end_of_query: 0,
  http_response_buffer_size: 0,
  max_block_size: 4_096,
  max_threads: 2,
} as const

/**
 * Adds the spans of a server to the value index that have no entries there, day by day, newest first. A day is marked
 * as indexed when all of its entries are stored. So the backfill can be stopped at any time, and the next one repeats
 * the same day.
 * @returns the number of spans that were added
 */
export async function backfillValueIndex(
  spans: ClickHouse,
  { index, signal, onProgress, settledSeconds = settledSecondsDefault }: BackfillOptions,
): Promise<number> {
  const [{ rank } = { rank: '0' }] = await readRows<{ rank: string }>(spans, storedRankBefore(settledSeconds))
  const days = await readRows<UnindexedDay>(spans, unindexedDays(rank))
  const all = days.reduce((sum, day) => sum + Number(day.spans), 0)
  const store = createRowStore(index)
  let done = 0
  onProgress(done, all)
  for (const { day } of days) {
    const entries = new BackfilledEntries(store)
    const options = { for: 'system', label, settings, signal } as const
    for await (const rows of spans.readBlocks<UnindexedSpanRow>(unindexedSpans(day, rank), options)) {
      for (const { row } of rows) entries.addSpan(Buffer.from(row, 'base64'))
      if (entries.heldBytes > heldBytesMax) await entries.store()
      done += rows.length
      onProgress(done, all)
    }
    await entries.store()
    signal.throwIfAborted()
    const { text, params } = markIndexed(day, rank)
    await spans.command(text, params)
  }
  return done
}

async function readRows<Row>(clickhouse: ClickHouse, query: Query): Promise<Row[]> {
  return (await clickhouse.read<Row>(query, { for: 'system', label })).rows
}

/** Collects the entries of spans of all organizations. */
class BackfilledEntries {
  private readonly storeRows: StoreRows
  private readonly buffers = new BufferPool()
  private readonly byOrg = new Map<string, ValueEntries>()
  private readonly paths = new Paths()

  constructor(storeRows: StoreRows) {
    this.storeRows = storeRows
  }

  get heldBytes(): number {
    return [...this.byOrg.values()].reduce((sum, entries) => sum + entries.heldBytes, 0)
  }

  /** Adds the entries of a span, given as the `row` of `UnindexedSpanRow`. */
  addSpan(row: Buffer): void {
    const reader = new RowReader(row)
    const entries = this.entriesOf(reader.string())
    // The service, and the attributes of the resource, and the name of the scope.
    for (let column = 0; column < 3; column++) reader.skipString()
    const traceIdAt = reader.position
    const startAt = traceIdAt + traceIdBytes
    // The first byte of the id is the last one of the number.
    entries.beginSpan(row.readUInt32LE(startAt), row.readUInt32LE(startAt + 4), row, startAt - 1)
    entries.addOrigin(row.subarray(0, traceIdAt))
    entries.addTraceId(row, traceIdAt)
    reader.position = startAt + 8
    for (const intrinsic of ['name', 'status_message'] as const) {
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
    // A hot key that the span does not carry has the empty text.
    if (reader.skipString() > 0) entries.addAttribute(keyHash, reader.bytes, at, reader.position)
  }

  private entriesOf(org: string): ValueEntries {
    const known = this.byOrg.get(org)
    if (known !== undefined) return known
    const limits = { ...insertLimits, rowBytesMax: Number.POSITIVE_INFINITY }
    const entries = new ValueEntries(org, { limits, buffers: this.buffers })
    this.byOrg.set(org, entries)
    return entries
  }

  /** Resolves when the entries are stored. Further ones can be added then. */
  async store(): Promise<void> {
    for (const [org, entries] of this.byOrg) {
      const batches = entries.finish()
      await this.storeRows(org, batches)
      for (const { bytes } of batches) this.buffers.give(bytes)
    }
    this.byOrg.clear()
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
