/**
 * Snapshots of the metadata store: all rows of all tables at one time, as JSON lines. Both stores have the same tables,
 * and columns contain only texts and integers, so a snapshot of one store can be restored into the other.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, type Metadata, type MetadataOptions, openMetadata } from './database.ts'
import { snapshotTableNames, snapshotTables } from './snapshot-tables.ts'

/** The rows of one table, page by page. */
export interface SnapshotTable {
  readonly name: string
  readonly pages: AsyncIterable<readonly SnapshotRow[]>
}

export type SnapshotRow = Readonly<Record<string, string | number | null>>

export interface RestoredMetadata {
  /** The names of the migrations that the snapshot's store had. */
  readonly migrations: readonly string[]
  readonly tables: readonly SnapshotTable[]
}

/** The metadata store contains records, which a restore would mix with others. */
export class MetadataNotEmpty extends Error {
  override readonly name = 'MetadataNotEmpty'
}

const pageRowsMax = 500
/** Pages with more characters are followed by smaller ones. A row may have millions: the body of a delivery is one. */
const pageCharsMax = 2 ** 22

/**
 * Passes every table of the store to `write`, in one transaction that neither blocks writers nor sees their later
 * changes. Uses a connection of its own, because a server has only one to the file.
 * @returns the names of the applied migrations
 */
export async function takeSnapshot(
  options: MetadataOptions,
  write: (table: SnapshotTable) => Promise<void>,
): Promise<readonly string[]> {
  const metadata = await openMetadata(options)
  try {
    return await metadata.readSnapshot(async (transaction) => {
      await liftIdleTimeout(metadata, transaction)
      for (const name of snapshotTableNames) await write({ name, pages: readPages(transaction, name) })
      return await metadata.appliedMigrations(transaction)
    })
  } finally {
    await metadata.close()
  }
}

/** Lets a transaction wait, between two statements, for files and telemetry for as long as they take. */
async function liftIdleTimeout({ kind }: Pick<Metadata, 'kind'>, transaction: Connection): Promise<void> {
  if (kind === 'postgres') await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
}

/** Reads a table in pages, in the order of its primary key. Other work of the event loop runs between pages. */
async function* readPages(
  db: Connection,
  table: keyof typeof snapshotTables,
): AsyncGenerator<readonly SnapshotRow[], void> {
  const key = sql.join(snapshotTables[table].map((column) => sql.ref(column)))
  let after = sql`1 = 1`
  for (let count = 1; ; ) {
    const { rows } = await sql<SnapshotRow>`
      select * from ${sql.table(table)} where ${after} order by ${key} limit ${sql.lit(count)}
    `.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = sql`(${key}) > (${sql.join(snapshotTables[table].map((column) => last[column]))})`
    count = Math.max(1, Math.floor(Math.min(2 * count, pageRowsMax, (count * pageCharsMax) / charsOf(rows))))
    await nextTurn()
  }
}

function charsOf(rows: readonly SnapshotRow[]): number {
  return rows.flatMap((row) => Object.values(row)).reduce<number>((sum, value) => sum + `${value}`.length, 0)
}

/**
 * Restores a snapshot in one transaction. `workDir` is an empty private folder: the snapshot is first restored there at
 * its own version and then migrated, because its tables may be older than those of the store. `beforeCommit` runs when
 * every row is written.
 * @throws MetadataNotEmpty unless `replacing`, which deletes all records first; Error when the snapshot has a migration
 * that this version does not know
 */
export async function restoreSnapshot(
  target: Metadata,
  snapshot: RestoredMetadata,
  options: { readonly workDir: string; readonly replacing: boolean; readonly beforeCommit: () => Promise<void> },
): Promise<number> {
  const staged = await stage(snapshot, options.workDir)
  try {
    return await target.transaction(async (transaction) => {
      await liftIdleTimeout(target, transaction)
      if (options.replacing) await deleteAll(transaction)
      else await requireEmpty(transaction)
      let restored = 0
      for (const name of snapshotTableNames) {
        for await (const rows of readPages(staged.db, name)) restored += await insert(transaction, name, rows)
      }
      await options.beforeCommit()
      return restored
    })
  } finally {
    await staged.close()
  }
}

/** Writes the snapshot into a new file of its own version and migrates the file to this version. */
async function stage({ migrations, tables }: RestoredMetadata, workDir: string): Promise<Metadata> {
  const staged = await openMetadata({ dataDir: workDir })
  try {
    const newest = [...migrations].sort().at(-1)
    if (newest !== undefined) await staged.migrate({ to: newest })
    for (const { name, pages } of tables) {
      for await (const rows of pages) await insert(staged.db, name, rows)
    }
    await staged.migrate()
    return staged
  } catch (error) {
    await staged.close()
    throw error
  }
}

async function insert(db: Connection, table: string, rows: readonly SnapshotRow[]): Promise<number> {
  if (rows.length > 0)
    await db
      .insertInto(table as never)
      .values(rows as never)
      .execute()
  return rows.length
}

async function deleteAll(db: Connection): Promise<void> {
  for (const table of [...snapshotTableNames].reverse()) await db.deleteFrom(table).execute()
}

/**
 * Checks that no table has a row, because a restore replaces them all.
 * @throws MetadataNotEmpty that names the first table with a row
 */
export async function requireEmpty(db: Connection): Promise<void> {
  for (const table of snapshotTableNames) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) throw new MetadataNotEmpty(`The metadata store is not empty: ${table} has records.`)
  }
}
