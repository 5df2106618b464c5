import { Kysely, Migrator, sql, type Transaction } from 'kysely'
import { libsqlStore, postgresStore, type Store } from './dialects.ts'
import { migrations } from './migrations/all.ts'
import type { Schema } from './schema.ts'

/** The store, or one transaction of it. */
export type Connection = Kysely<Schema> | Transaction<Schema>

/** The metadata store: keys and records, small and transactional. Every call may throw the problem `unavailable`. */
export interface Metadata {
  readonly kind: Store['kind']
  readonly db: Kysely<Schema>
  /** Brings the schema up to date. Any number of servers may call it at once: one works, the others wait for it. */
  migrate(): Promise<void>
  /** Whether the schema is what this version needs; for readiness. */
  isMigrated(): Promise<boolean>
  /** Whether the store answers; never throws. */
  ping(): Promise<boolean>
  /** All of `work` or nothing. On libsql it holds the write lock from its begin, so it must not wait for anything else. */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface MetadataOptions {
  /** Holds the file `metadata.db` when there is no `metadataUrl`. */
  readonly dataDir: string
  /** A Postgres address. */
  readonly metadataUrl?: string | undefined
}

/** Opens the store without touching it, so that a server starts while its Postgres is down; the first use connects. */
export async function openMetadata({ dataDir, metadataUrl }: MetadataOptions): Promise<Metadata> {
  const store = metadataUrl ? postgresStore(metadataUrl) : libsqlStore(dataDir)
  const db = new Kysely<Schema>({ dialect: store.dialect })
  const migrator = createMigrator(db, store)
  return {
    kind: store.kind,
    db,
    async migrate() {
      const { error } = await migrator.migrateToLatest()
      if (error) throw error
    },
    async isMigrated() {
      return (await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined)
    },
    async ping() {
      return sql`select 1`.execute(db).then(
        () => true,
        () => false,
      )
    },
    transaction: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  }
}

function createMigrator(db: Kysely<Schema>, store: Store): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations(store) },
    // Names of our own, because the database may be shared with another product that uses Kysely.
    migrationTableName: 'tracefold_migration',
    migrationLockTableName: 'tracefold_migration_lock',
  })
}
