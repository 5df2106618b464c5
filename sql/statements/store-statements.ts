/**
 * Statements for a ClickHouse server and its databases: inserts, retention, probes, and the session of the embedded
 * engine.
 */
import { list, type Query, render, type Sql, sql, text } from '../fragment.ts'
import { integerLiteral, quoteName, tableName, timeOf } from '../identifier.ts'
import { type TelemetryTable, telemetryTables } from '../schema/tables.ts'

export const pingStatement = render(sql`SELECT 1`).text

export const serverVersion = render(sql`SELECT version() AS version`)

/** Reads the clock of the ClickHouse server, in seconds since 1970, as `now`. */
export const currentSeconds = render(sql`SELECT toUnixTimestamp(now()) AS now`)

/** Reads the clock of the ClickHouse server, in milliseconds since 1970, as `ms`. */
export const currentMillis = render(sql`SELECT toUnixTimestamp64Milli(now64(3)) AS ms`)

export function createDatabase(name: string): string {
  return render(sql`CREATE DATABASE IF NOT EXISTS ${quoteName(name)}`).text
}

/** Returns the statement that inserts rows. The rows follow it as RowBinary. */
export function insertRows(table: string, columns: readonly string[]): string {
  return render(sql`INSERT INTO ${quoteName(table)} (${list(columns.map(quoteName))}) FORMAT RowBinary`).text
}

/**
 * Returns the TTL expression that keeps the rows of a table for a number of days and its `extraDays`. It counts in
 * seconds of 64 bits, because `DateTime` ends in 2106 and `DateTime64(9)` in 2262: a sum beyond the end would be a time
 * in the past, at which all rows have expired.
 */
function retention(table: TelemetryTable, days: number): Sql {
  const declared = telemetryTables[table]
  const allDays = days + ('extraDays' in declared ? declared.extraDays : 0)
  return sql`toDateTime64(${timeOf(table)}, 0) + toIntervalDay(${integerLiteral(allDays)})`
}

/**
 * Reads the TTL of a table as `current`, and the TTL for a number of days as `wanted`. Both are formatted by
 * ClickHouse, so that equal expressions are equal texts. An absent TTL is the empty text. There is no row if the table
 * does not exist.
 */
export function compareRetention(database: string, table: TelemetryTable, days: number | undefined): Query {
  const wanted =
    days === undefined
      ? sql`''`
      : sql`substring(formatQuerySingleLine(concat('SELECT ', ${text(render(retention(table, days)).text)})), 8)`
  return render(sql`
    SELECT
      extract(engine_full, ' TTL (.*?)(?: SETTINGS |$)') AS current,
      ${wanted} AS wanted
    FROM system.tables
    WHERE database = ${text(database)} AND name = ${text(table)}
  `)
}

/** Sets the TTL of a table to a number of days, or removes it when `days` is undefined. */
export function alterRetention(table: TelemetryTable, days: number | undefined): string {
  const change = days === undefined ? sql`REMOVE TTL` : sql`MODIFY TTL ${retention(table, days)}`
  return render(sql`ALTER TABLE ${tableName(table)} ${change}`).text
}

/**
 * The session of the embedded engine. It starts the HTTP interface and then reads standard input, which ends when the
 * server process closes it. The engine runs as long as the session.
 */
export const engineSession = [
  sql`SYSTEM START LISTEN HTTP`,
  sql`SELECT count() FROM file('-', 'LineAsString', 'line String') FORMAT Null`,
]
  .map((statement) => render(statement).text)
  .join('; ')

/** The grants that `engineSession` needs. */
export const engineGrants: readonly string[] = [
  sql`GRANT SYSTEM LISTEN ON *.*`,
  sql`GRANT READ ON FILE`,
  sql`GRANT CREATE TEMPORARY TABLE ON *.*`,
].map((statement) => render(statement).text)
