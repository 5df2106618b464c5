/** Statements that read how much one organization has stored, for its quotas. */
import { list, type Query, render, sql, text } from '../fragment.ts'
import { tableName } from '../identifier.ts'
import { type TelemetryTable, telemetryTableNames } from '../schema/tables.ts'

/**
 * Counts the stored rows of an organization as `rows`. The sort key of every table begins with the organization, so
 * that ClickHouse answers from the index.
 */
export function countRowsOf(table: TelemetryTable, org: string): Query {
  return render(sql`SELECT toString(count()) AS rows FROM ${tableName(table)} WHERE org = ${text(org)}`)
}

/** Counts the series of an organization as `series`. */
export function countSeriesOf(org: string): Query {
  return render(sql`SELECT toString(uniqExact(series)) AS series FROM metric_series WHERE org = ${text(org)}`)
}

/** Reads the `bytes` on disk and the `rows` of each telemetry table in some databases, of all organizations. */
export function storedBytes(databases: readonly string[]): Query {
  return render(sql`
    SELECT table, toString(sum(bytes_on_disk)) AS bytes, toString(sum(rows)) AS rows
    FROM system.parts
    WHERE active
      AND database IN (${list(databases.map((name) => sql`${text(name)}`))})
      AND table IN (${list(telemetryTableNames.map((name) => sql`${text(name)}`))})
    GROUP BY table
  `)
}

/**
 * Selects the `id` of every series of an organization: the hexadecimal digits of its bytes as ingest writes them, those
 * of zero at its end included, which `reinterpretAsString` would leave out.
 */
export function seriesIdsOf(org: string): Query {
  return render(sql`
    SELECT DISTINCT lower(hex(reinterpretAsFixedString(series))) AS id
    FROM metric_series
    WHERE org = ${text(org)}
  `)
}
