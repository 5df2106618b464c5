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
import pg from 'pg'
import { ErrorDriver } from './error-driver.ts'
import { LibsqlDriver } from './libsql-driver.ts'

/** All in which the two stores differ. */
export interface Store {
  readonly kind: 'libsql' | 'postgres'
  readonly dialect: Dialect
  /** The type of a text column that compares and sorts by bytes. */
  readonly text: Expression<string>
}

/** SQLite's schema changes are transactional, and its transactions here hold the write lock: that is the migration lock. */
class LibsqlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export function libsqlStore(dataDir: string): Store {
  return {
    kind: 'libsql',
    text: sql<string>`text`,
    dialect: {
      createAdapter: () => new LibsqlAdapter(),
      createDriver: () => new ErrorDriver(new LibsqlDriver(join(dataDir, 'metadata.db'))),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }
}

const int8Oid = 20

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    keepAlive: true,
    application_name: 'tracefold',
    // Counts come back as numbers, as they do from libsql.
    types: { getTypeParser: (oid, format) => (oid === int8Oid ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}

export function postgresStore(url: string): Store {
  return {
    kind: 'postgres',
    text: sql<string>`text collate "C"`,
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ErrorDriver(new PostgresDriver({ pool: async () => openPool(url) })),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }
}
