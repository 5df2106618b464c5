/**
 * Statements that back up and restore a database. Paths are relative to the folder that the configuration of the engine
 * permits. Backups run in the background (`ASYNC`), so that no connection has to stay open for hours.
 */
import { type Query, render, type Sql, sql, text, trusted } from '../fragment.ts'
import { quoteName, tableName } from '../identifier.ts'
import type { TelemetryTable } from '../schema/tables.ts'

export interface BackupSource {
  /** Identifies the operation in `system.backups`: letters, digits and hyphens. */
  readonly operation: string
  readonly path: string
  /** The path of the full backup that contains the files which are not repeated here. */
  readonly base?: string | undefined
}

/** Starts a backup of a database. */
export function backUpDatabase(database: string, source: BackupSource): Query {
  return render(sql`BACKUP DATABASE ${quoteName(database)} TO File(${text(source.path)}) ${settingsOf(source)} ASYNC`)
}

/** Starts to restore a database under another name, in which it must not exist. */
export function restoreDatabase(database: string, as: string, source: BackupSource): Query {
  return render(sql`
    RESTORE DATABASE ${quoteName(database)} AS ${quoteName(as)} FROM File(${text(source.path)})
    ${settingsOf(source)} ASYNC
  `)
}

function settingsOf({ operation, base }: BackupSource): Sql {
  const own = sql`SETTINGS id = ${operationLiteral(operation)}`
  return base === undefined ? own : sql`${own}, base_backup = File(${text(base)})`
}

/** The parser accepts no parameter as the value of a setting before `ASYNC`. */
function operationLiteral(operation: string): Sql {
  if (!/^[\w-]{1,64}$/.test(operation)) throw new Error(`${operation} is not the name of a backup operation.`)
  return trusted(`'${operation}'`)
}

/** Reads `status` and `error` of an operation. There is no row after a restart of ClickHouse. */
export function backupStatus(operation: string): Query {
  return render(sql`SELECT toString(status) AS status, error FROM system.backups WHERE id = ${text(operation)}`)
}

/** Cancels an operation and waits until it has removed its files. */
export function cancelBackup(operation: string): Query {
  return render(sql`
    KILL QUERY WHERE query_id IN (SELECT query_id FROM system.backups WHERE id = ${text(operation)}) SYNC
  `)
}

/** Counts the databases with a name as `found`: 1 or 0. */
export function findDatabase(name: string): Query {
  return render(sql`SELECT count() AS found FROM system.databases WHERE name = ${text(name)}`)
}

export function dropDatabase(name: string): string {
  return render(sql`DROP DATABASE IF EXISTS ${quoteName(name)} SYNC`).text
}

export function truncateTable(table: TelemetryTable): string {
  return render(sql`TRUNCATE TABLE ${tableName(table)} SETTINGS max_table_size_to_drop = 0`).text
}

/** Adds every row of the same table in another database, by hard links to its parts. */
export function attachRowsFrom(database: string, table: TelemetryTable): string {
  const name = tableName(table)
  return render(sql`ALTER TABLE ${name} ATTACH PARTITION ALL FROM ${quoteName(database)}.${name}`).text
}

/** Reads the number of stored rows of a table, before equal rows replace each other, as `rows`. */
export function countStoredRows(table: TelemetryTable): Query {
  return render(sql`SELECT toString(count()) AS rows FROM ${tableName(table)}`)
}
