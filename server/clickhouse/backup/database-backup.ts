/**
 * Backups of a ClickHouse database, by ClickHouse's own `BACKUP` and `RESTORE`. A backup contains the parts that every
 * table has when it starts; inserts and queries continue meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { lstat, readdir, truncate } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  attachRowsFrom,
  type BackupSource,
  backUpDatabase,
  backupStatus,
  cancelBackup,
  countStoredRows,
  dropDatabase,
  findDatabase,
  forgetEntries,
  indexedTables,
  type Query,
  restoreDatabase,
  type TelemetryTable,
  telemetryTableNames,
  truncateTable,
} from '#sql'
import type { ClickHouse } from '../client.ts'

/** Where a backup is, relative to the folder that ClickHouse may use for backups. */
export type BackupLocation = Omit<BackupSource, 'operation'>

/** The number of restored rows of each table, before equal rows replace each other. */
export type RestoredRows = Readonly<Record<TelemetryTable, number>>

export interface DatabaseBackups {
  /** The folder in which the engine may read and write backups. */
  readonly folder: string
  readonly database: string
  /** Backs up the database. Rejects with the reason of `signal` when it aborts; nothing is left of the backup then. */
  backUp(to: BackupLocation, signal: AbortSignal): Promise<void>
  /** Counts the stored rows of each table. */
  countRows(): Promise<RestoredRows>
  /**
   * Restores a backup of the database `original` into a database beside the live one and migrates it there. Nothing
   * changes for queries and inserts until `adopt` is called on the result.
   */
  restore(original: string, from: BackupLocation, signal: AbortSignal): Promise<RestoredDatabase>
  /** Deletes the database of a restore that was killed. Returns whether there was one. */
  removeInterrupted(): Promise<boolean>
}

export interface RestoredDatabase {
  /** Deletes the rows of the live database if `replacing`, and adds the restored rows to it. */
  adopt(replacing: boolean): Promise<RestoredRows>
  /** Deletes the restored database. */
  drop(): Promise<void>
}

export interface DatabaseBackupsOptions {
  readonly clickhouse: ClickHouse
  readonly folder: string
  /** Opens a client of another database of the same ClickHouse. */
  readonly openDatabase: (database: string) => ClickHouse
  /** Brings the tables of a restored database up to date. */
  readonly prepare: (database: ClickHouse) => Promise<void>
}

const pollMs = 100

export function createDatabaseBackups(options: DatabaseBackupsOptions): DatabaseBackups {
  const { clickhouse, folder } = options
  const { database } = clickhouse
  const restored = `${database}_restore`
  return {
    folder,
    database,
    async backUp(to, signal) {
      const start = (operation: string) => backUpDatabase(database, { ...to, operation })
      await run(clickhouse, start, signal, path.join(folder, to.path))
    },
    countRows: () => countRows(clickhouse),
    async restore(original, from, signal) {
      // An earlier restore may have been killed.
      await clickhouse.command(dropDatabase(restored))
      await run(clickhouse, (operation) => restoreDatabase(original, restored, { ...from, operation }), signal)
      const client = options.openDatabase(restored)
      try {
        await options.prepare(client)
        // The tables of a backup are copied one after the other: records that arrived meanwhile may be in it without
        // their entries in the value index.
        for (const { text, params } of indexedTables.map((table) => forgetEntries(table)))
          await client.command(text, params)
      } catch (error) {
        await clickhouse.command(dropDatabase(restored))
        throw error
      } finally {
        await client.close()
      }
      return {
        adopt: (replacing) => adopt(clickhouse, restored, replacing),
        drop: () => clickhouse.command(dropDatabase(restored)),
      }
    },
    async removeInterrupted() {
      const query = findDatabase(restored)
      const { rows } = await clickhouse.read<{ found: string }>(query, { for: 'system', label: 'a killed restore' })
      const isFound = rows[0]?.found === '1'
      if (isFound) await clickhouse.command(dropDatabase(restored))
      return isFound
    },
  }
}

async function adopt(clickhouse: ClickHouse, restored: string, replacing: boolean): Promise<RestoredRows> {
  // The entries of a body are stored before its records. Those of a body that arrives meanwhile must not be deleted in
  // between, and entries without records do no harm.
  const replaced = telemetryTableNames.filter((table) => replacing && table !== 'value_index')
  for (const table of replaced) await clickhouse.command(truncateTable(table))
  for (const table of telemetryTableNames) await clickhouse.command(attachRowsFrom(restored, table))
  return countRows(clickhouse)
}

async function countRows(clickhouse: ClickHouse): Promise<RestoredRows> {
  const counts: [TelemetryTable, number][] = []
  for (const table of telemetryTableNames) {
    const { rows } = await clickhouse.read<{ rows: string }>(countStoredRows(table), {
      for: 'system',
      label: 'the rows of a table',
    })
    counts.push([table, Number(rows[0]?.rows)])
  }
  return Object.fromEntries(counts) as RestoredRows
}

interface Status {
  readonly status: string
  readonly error: string
}

/** Starts an operation, which may write files to a folder, and waits for its end. Cancels it when `signal` aborts. */
async function run(
  clickhouse: ClickHouse,
  start: (operation: string) => Query,
  signal: AbortSignal,
  written?: string,
): Promise<void> {
  signal.throwIfAborted()
  const operation = randomUUID()
  const { text, params } = start(operation)
  await clickhouse.command(text, params)
  for (;;) {
    const { rows } = await clickhouse.read<Status>(backupStatus(operation), {
      for: 'system',
      label: 'the progress of a backup',
    })
    const [found] = rows
    if (found === undefined) throw new Error('ClickHouse was restarted before the operation ended.')
    if (found.status === 'BACKUP_CREATED' || found.status === 'RESTORED') return
    if (found.error !== '') throw new Error(`ClickHouse reports: ${firstLine(found.error)}`)
    if (signal.aborted) {
      await cancel(clickhouse, operation, written)
      signal.throwIfAborted()
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Cancels an operation. It ends after the file that it is writing, for which there may be no space, so what it has
 * written is emptied meanwhile.
 */
async function cancel(clickhouse: ClickHouse, operation: string, written: string | undefined): Promise<void> {
  const { text, params } = cancelBackup(operation)
  const cancelled = new AbortController()
  await Promise.all([
    clickhouse.command(text, params).finally(() => cancelled.abort()),
    written !== undefined && emptyUntil(cancelled.signal, written),
  ])
}

async function emptyUntil(cancelled: AbortSignal, folder: string): Promise<void> {
  while (!cancelled.aborted) {
    await emptyFiles(folder)
    await sleep(pollMs, undefined, { signal: cancelled }).catch(() => undefined)
  }
}

/**
 * Frees the space of the files below a folder, also of those that are open. The engine may delete them meanwhile.
 * ClickHouse copies the files of a backup. If it linked one, that would be live data, so files with several names stay.
 */
async function emptyFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name)
    const found = await lstat(file).catch(() => undefined)
    if (found?.isFile() && found.nlink === 1) await truncate(file).catch(() => undefined)
  }
}

/** Drops the stack trace, which is meaningless without symbols. */
function firstLine(error: string): string {
  return error.replace(/,? Stack trace[\s\S]*$/, '')
}
