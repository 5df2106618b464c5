import { Kysely, sql, type Transaction } from 'kysely'
import { libsqlStore, postgresStore, type Store } from './dialects.ts'
import { createMigrator } from './migrations/migrator.ts'
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
  const { migrate, isMigrated } = createMigrator(db, store.text)
  return {
    kind: store.kind,
    db,
    migrate,
    isMigrated,
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
