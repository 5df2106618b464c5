/**
 * Statements for migrations: the table of applied migrations, and the chain of tables that serves as a lock
 * (server/clickhouse/migrate/migration-lock.ts).
 */
import { type Query, render, sql, text } from '../fragment.ts'
import { integerText, lockTable } from '../identifier.ts'

/**
 * Creates the table of applied migrations. It contains only migrations that were applied completely. Two rows for one
 * migration are harmless.
 */
export const createMigrationsTable = render(sql`
  CREATE TABLE IF NOT EXISTS schema_migrations (
    name String,
    checksum FixedString(64),
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
  )
  ENGINE = MergeTree
  ORDER BY name
`).text

/** Reads `name` and `checksum` of every applied migration, in order. */
export const appliedMigrations = render(sql`
  SELECT name, any(checksum) AS checksum
  FROM schema_migrations
  GROUP BY name
  ORDER BY name
`)

export function recordMigration(name: string, checksum: string): Query {
  return render(sql`INSERT INTO schema_migrations (name, checksum) VALUES (${text(name)}, ${text(checksum)})`)
}

/**
 * Reads every lock table, newest first: its `number`, the time until which it is held, and the current time, both in
 * seconds since 1970.
 */
export function listLockTables(database: string): Query {
  return render(sql`
    SELECT
      toUInt32(substring(name, 13)) AS number,
      toUInt32OrZero(comment) AS heldUntil,
      toUnixTimestamp(now()) AS now
    FROM system.tables
    WHERE database = ${text(database)} AND match(name, '^schema_lock_[0-9]+$')
    ORDER BY number DESC
  `)
}

/** Creates a lock table. Fails if the table exists. `heldUntil` is in seconds since 1970. */
export function createLockTable(number: number, heldUntil: number): string {
  return render(sql`
    CREATE TABLE ${lockTable(number)} (held UInt8)
    ENGINE = MergeTree
    ORDER BY tuple()
    COMMENT ${integerText(heldUntil)}
  `).text
}

export function dropLockTable(number: number): string {
  return render(sql`DROP TABLE IF EXISTS ${lockTable(number)} SYNC`).text
}

export function setLockHeldUntil(number: number, heldUntil: number): string {
  return render(sql`ALTER TABLE ${lockTable(number)} MODIFY COMMENT ${integerText(heldUntil)}`).text
}
