import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
import { problem } from '../problem/problem.ts'
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

/** The number that Kysely's adapter locks, and unlocks, for migrations. */
const migrationLockId = '3853314791062309107'
const lockWaitMsMax = 10_000
const lockPollMs = 100

/**
 * Waits for the migrations of another server by trying its lock. Kysely waits in one statement, which cannot be
 * cancelled, so a server that is to stop would wait for the time limit of statements.
 */
class PostgresMigrationAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Parameters<PostgresAdapter['acquireMigrationLock']>[0]): Promise<void> {
    const tryLock = sql<{ held: boolean }>`select pg_try_advisory_lock(${sql.lit(migrationLockId)}::bigint) as held`
    const deadlineMs = performance.now() + lockWaitMsMax
    while (performance.now() < deadlineMs) {
      const { rows } = await tryLock.execute(db)
      if (rows[0]?.held === true) return
      await sleep(lockPollMs)
    }
    throw problem('unavailable', 'Another server migrates the metadata store.')
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
      createAdapter: () => new PostgresMigrationAdapter(),
      createDriver: () => new ErrorDriver(new PostgresDriver({ pool: async () => openPool(url) }), outages),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }
}
