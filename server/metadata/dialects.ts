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
import { openPool, type PostgresPool } from './postgres-pool.ts'

/** The differences between the two stores. */
export interface Store {
  readonly kind: 'libsql' | 'postgres'
  readonly dialect: Dialect
  /** Opens connections for one migration. Absent if `dialect` has no time limits. */
  openMigration?(): StoreMigration
  /** Closes the connections without waiting for answers. Absent if the store has none. */
  cut?(): void
  /** Where the store is, for messages. */
  readonly location: string
  /** The type of text columns that are compared and sorted by bytes. */
  readonly text: Expression<string>
}

/** Connections whose statements may take as long as they need, because a migration creates indexes of large tables. */
export interface StoreMigration {
  readonly dialect: Dialect
  /** Ends the migration, which then fails. */
  stop(): void
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

/** Milliseconds that Postgres has to end a cancelled migration. */
const stopMsMax = 5_000

/** The number that Kysely's adapter locks, and unlocks, for migrations. */
const migrationLockId = '3853314791062309107'
const lockWaitMsMax = 10_000
const lockPollMs = 100
/**
 * Milliseconds that a statement of a migration waits for the lock of a table. Meanwhile the statements of other servers
 * queue behind it, so this is less than their time limit. A migration that times out is tried again.
 */
const tableLockMsMax = 10_000

/**
 * Waits for the migrations of another server by trying its lock. Kysely waits in one statement, which cannot be
 * cancelled, so a server that is to stop would wait for the time limit of statements.
 */
class PostgresMigrationAdapter extends PostgresAdapter {
  /** The process of Postgres that migrates; undefined before it does. */
  backend: number | undefined

  override async acquireMigrationLock(db: Parameters<PostgresAdapter['acquireMigrationLock']>[0]): Promise<void> {
    // Set here, because the parameters of the URL override those of the connection.
    const { rows } = await sql<{ pid: number }>`
      select pg_backend_pid() as pid, set_config('statement_timeout', '0', false),
        set_config('lock_timeout', ${`${tableLockMsMax}ms`}, false)
    `.execute(db)
    this.backend = rows[0]?.pid
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

/**
 * Returns a URL whose connections wait for every answer, as they must for a statement without a time limit. Postgres
 * takes the others of the URL.
 */
function withoutAnswerLimit(url: string): string {
  const unlimited = new URL(url)
  unlimited.searchParams.delete('query_timeout')
  return unlimited.href
}

/** Returns the store in a Postgres database. */
export function postgresStore(url: string, outages?: OutageLog): Store {
  const dialectOf = ({ pool, end }: PostgresPool, adapter: PostgresAdapter): Dialect => ({
    createAdapter: () => adapter,
    createDriver: () => new ErrorDriver(new PostgresDriver({ pool: { connect: () => pool.connect(), end } }), outages),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  })
  const connections = openPool(url)
  return {
    kind: 'postgres',
    location: 'The metadata database',
    text: sql<string>`text collate "C"`,
    dialect: dialectOf(connections, new PostgresAdapter()),
    openMigration() {
      const migrating = openPool(withoutAnswerLimit(url), 0)
      const adapter = new PostgresMigrationAdapter()
      return {
        dialect: dialectOf(migrating, adapter),
        stop() {
          // A connection alone would leave the statement running in Postgres, with its locks.
          migrating.pool.query('select pg_terminate_backend($1)', [adapter.backend]).catch(() => {})
          setTimeout(migrating.cut, stopMsMax).unref()
        },
      }
    },
    cut: connections.cut,
  }
}
