import {
  type IndexedTable,
  indexedTables,
  markIndexed,
  type Query,
  type StoredBeforeRow,
  storedBefore,
  type UnindexedDay,
  type UnindexedRow,
  unindexedDays,
  unindexedRecords,
} from '#sql'
import type { ClickHouse } from '../client.ts'

/** Collects the entries of records that were stored without them (server/ingest/records/stored-entries.ts). */
export interface StoredEntries {
  readonly heldBytes: number
  /** Adds the entries of a record of a table, given as the bytes of an `UnindexedRow`. */
  addRecord(table: IndexedTable, row: Buffer): void
  /** Resolves when all entries are stored. Further ones can be added then. */
  store(): Promise<void>
}

export interface BackfillOptions {
  readonly entries: StoredEntries
  readonly signal: AbortSignal
  /** Called with the number of records that are done and the number of all. */
  readonly onProgress: (done: number, all: number) => void
  /** Records stored within this time are left alone, because an insert may still be adding more beside them. */
  readonly settledSeconds?: number
}

/** More than the seconds that an insert may take. */
export const settledSecondsDefault = 120
/** Entries are stored when they take this much memory. */
const heldBytesMax = 32 * 2 ** 20
const label = 'records without entries'

/**
 * The records of a day are one result without the limits of a request, so they are read as ClickHouse finds them. A
 * result that breaks off is not valid, and the read rejects.
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
 * Adds the spans and log records of a server to the value index that have no entries there, day by day, newest first. A
 * day is marked as indexed when all of its entries are stored. So the backfill can be stopped at any time, and the next
 * one repeats the same day.
 * @returns the number of records that were added
 */
export async function backfillValueIndex(
  clickhouse: ClickHouse,
  { entries, signal, onProgress, settledSeconds = settledSecondsDefault }: BackfillOptions,
): Promise<number> {
  const [before = { rank: '0', id: '0' }] = await readRows<StoredBeforeRow>(clickhouse, storedBefore(settledSeconds))
  const days: (UnindexedDay & { readonly table: IndexedTable })[] = []
  for (const table of indexedTables)
    for (const day of await readRows<UnindexedDay>(clickhouse, unindexedDays(table, before)))
      days.push({ ...day, table })
  const all = days.reduce((sum, { records }) => sum + Number(records), 0)
  let done = 0
  onProgress(done, all)
  for (const { table, day } of days) {
    const options = { for: 'system', label, settings, signal } as const
    for await (const rows of clickhouse.readBlocks<UnindexedRow>(unindexedRecords(table, day, before), options)) {
      for (const { row } of rows) entries.addRecord(table, Buffer.from(row, 'base64'))
      if (entries.heldBytes > heldBytesMax) await entries.store()
      done += rows.length
      onProgress(done, all)
    }
    await entries.store()
    signal.throwIfAborted()
    const { text, params } = markIndexed(table, day, before)
    await clickhouse.command(text, params)
  }
  return done
}

async function readRows<Row>(clickhouse: ClickHouse, query: Query): Promise<Row[]> {
  return (await clickhouse.read<Row>(query, { for: 'system', label })).rows
}
