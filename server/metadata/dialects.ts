import { join } from 'node:path'
import {
  type Dialect,
  type Expression,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { OutageLog } from '../observability/outage-log.ts'
import { ErrorDriver } from './error-driver.ts'
import { LibsqlDriver } from './libsql-driver.ts'
import { openPool } from './postgres-pool.ts'

/** The differences between the two stores. */
export interface Store {
  readonly kind: 'libsql' | 'postgres'
  readonly dialect: Dialect
  /** Where the store is, for messages. */
  readonly location: string
  /** The type of text columns that are compared and sorted by bytes. */
  readonly text: Expression<string>
}

/**
 * Migrates in a transaction. SQLite's schema changes are transactional, and its write lock serves as the migration
 * lock.
 */
class LibsqlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Returns the store in a file of the data directory. */
export function libsqlStore(dataDir: string, outages?: OutageLog): Store {
  const path = join(dataDir, 'metadata.db')
  return {
    kind: 'libsql',
    location: path,
    text: sql<string>`text`,
    dialect: {
      createAdapter: () => new LibsqlAdapter(),
      createDriver: () => new ErrorDriver(new LibsqlDriver(path), outages),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }
}

/** Returns the store in a Postgres database. */
export function postgresStore(url: string, outages?: OutageLog): Store {
  return {
    kind: 'postgres',
    location: 'The metadata database',
    text: sql<string>`text collate "C"`,
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ErrorDriver(new PostgresDriver({ pool: async () => openPool(url) }), outages),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }
}
