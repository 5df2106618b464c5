import { Kysely, sql, type Transaction } from 'kysely'
import type { OutageLog } from '../observability/outage-log.ts'
import { libsqlStore, postgresStore, type Store } from './dialects.ts'
import { createMigrator } from './migrations/migrator.ts'
import type { Schema } from './schema.ts'
import { isDeadlock } from './store-error.ts'

/** A connection to the store, in a transaction or not. */
export type Connection = Kysely<Schema> | Transaction<Schema>

/**
 * The metadata store: API keys and records, small and transactional.
 * @throws Problem `unavailable` from every call but `ping`
 */
export interface Metadata {
  readonly kind: Store['kind']
  readonly db: Kysely<Schema>
  /** The quota of stored records of one organization; undefined for none. */
  readonly recordsMax: number | undefined
  /**
   * Applies all pending migrations. If several servers call it at once, one works and the others wait.
   * @param options.to the last migration to apply; all by default
   * @param options.signal ends the migration, which then rejects and changes nothing; on libsql it has no effect
   * @returns whether the store was new, which one server of several learns
   * @throws StoreFault when the store has a migration that this version does not know
   */
  migrate(options?: { readonly to?: string; readonly signal?: AbortSignal }): Promise<boolean>
  /** Reports whether the schema is up to date. */
  isMigrated(): Promise<boolean>
  /** Reads the names of the applied migrations, in order. */
  appliedMigrations(db: Connection): Promise<readonly string[]>
  /** Reads the clock of the store in milliseconds since 1970; absent if it is that of this process. */
  readonly clockMs: (() => Promise<number>) | undefined
  /** Reports whether the store responds. Never rejects. */
  ping(): Promise<boolean>
  /**
   * Runs `work` in a transaction, which commits everything or nothing. On libsql, `work` holds the write lock, so it
   * must not wait for anything else. On Postgres, `work` runs again if it deadlocked with another transaction, so it
   * must not change anything else.
   */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>
  /**
   * Runs `work`, which only reads, in a transaction that sees the store as it was at its first read. It blocks no
   * writer of another process.
   */
  readSnapshot<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>
  /** Fails what still waits for an answer of Postgres, and every later query. */
  cut(): void
  /** Waits for the queries that run. */
  close(): Promise<void>
}

export interface MetadataOptions {
  /** The directory of the file `metadata.db`, which is used if `metadataUrl` is not set. */
  readonly dataDir: string
  /** The URL of a Postgres database. */
  readonly metadataUrl?: string | undefined
  readonly quotas?: { readonly recordsMax?: number }
  /** Takes the result of every query of the store. */
  readonly outages?: OutageLog
}

/**
 * Opens the store without connecting, so that a server can start while its Postgres is unavailable. The first query
 * connects.
 */
export async function openMetadata({ dataDir, metadataUrl, quotas, outages }: MetadataOptions): Promise<Metadata> {
  const store = metadataUrl ? postgresStore(metadataUrl, outages) : libsqlStore(dataDir, outages)
  const db = new Kysely<Schema>({ dialect: store.dialect })
  const { isMigrated, appliedMigrations, migrate } = createMigrator(db, store)
  return {
    kind: store.kind,
    db,
    recordsMax: quotas?.recordsMax,
    async migrate({ to, signal } = {}) {
      if (store.openMigration === undefined) return migrate(to)
      const { dialect, stop } = store.openMigration()
      const migrating = new Kysely<Schema>({ dialect })
      signal?.addEventListener('abort', stop)
      try {
        return await createMigrator(migrating, store).migrate(to)
      } finally {
        signal?.removeEventListener('abort', stop)
        await migrating.destroy()
      }
    },
    isMigrated,
    appliedMigrations,
    clockMs: store.kind === 'postgres' ? () => clockOf(db) : undefined,
    async ping() {
      return sql`select 1`.execute(db).then(
        () => true,
        () => false,
      )
    },
    transaction: (work) => untilNoDeadlock(() => db.transaction().execute(work)),
    readSnapshot: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    cut: () => store.cut?.(),
    close: () => db.destroy(),
  }
}

async function clockOf(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
  return Math.floor(Number(rows[0]?.ms))
}

const deadlockTriesMax = 5

/**
 * Runs a transaction again that Postgres ended because of a deadlock. Transactions that lock the same rows in different
 * orders cannot all be avoided: deleting a channel locks its deliveries after it, and recording a result locks the
 * channel after the delivery.
 */
async function untilNoDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isDeadlock(error) || tries >= deadlockTriesMax) throw error
    }
  }
}
