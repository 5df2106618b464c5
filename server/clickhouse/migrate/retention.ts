import {
  alterRetention,
  compareRetention,
  forgetEntries,
  type IndexedTable,
  indexedTables,
  isIndexedTable,
  type TelemetryTable,
  telemetryTableNames,
  telemetryTables,
} from '#sql'
import type { ClickHouse } from '../client.ts'

interface Retention {
  readonly current: string
  readonly wanted: string
}

/**
 * Sets the TTL of every telemetry table to a number of days; `undefined` removes it. A TTL that already has this value
 * is left alone, because ClickHouse would recompute the TTL of every part.
 * @returns the tables whose TTL was changed
 */
export async function applyRetention(clickhouse: ClickHouse, days: number | undefined): Promise<TelemetryTable[]> {
  const current: { [table in TelemetryTable]?: number | undefined } = {}
  const changed: TelemetryTable[] = []
  for (const table of telemetryTableNames) {
    const query = compareRetention(clickhouse.database, table, days)
    const { rows } = await clickhouse.read<Retention>(query, { for: 'system', label: 'the retention' })
    const [retention] = rows
    if (retention === undefined) throw new Error(`Cannot set the retention: the table ${table} does not exist.`)
    current[table] = daysOf(retention.current)
    if (retention.current !== retention.wanted) changed.push(table)
  }
  const entryDays = (current.value_index ?? Number.POSITIVE_INFINITY) - telemetryTables.value_index.extraDays
  for (const table of indexedTables) {
    if (!changed.includes(table) && !changed.includes('value_index')) continue
    await forgetExpired(clickhouse, table, Math.min(current[table] ?? Number.POSITIVE_INFINITY, entryDays))
  }
  // Entries never expire before their records, even if this ends in between: a shorter retention is set for records
  // first.
  const isShorter = days !== undefined && days < entryDays
  const order = isShorter ? changed.toSorted((left, right) => rankOf(left) - rankOf(right)) : changed
  for (const table of order) await clickhouse.command(alterRetention(table, days))
  return changed
}

/** Returns the days of a TTL, or undefined for no TTL. */
function daysOf(ttl: string): number | undefined {
  const [, days] = /toIntervalDay\((\d+)\)/.exec(ttl) ?? []
  return days === undefined ? undefined : Number(days)
}

function rankOf(table: TelemetryTable): number {
  return isIndexedTable(table) ? 0 : 1
}

/**
 * Records that have expired may still be stored when the retention grows, while their entries in the value index are
 * gone, as may entries be whose retention was changed when that of the records was not. Such records are then found
 * without the index.
 */
async function forgetExpired(clickhouse: ClickHouse, table: IndexedTable, days: number): Promise<void> {
  if (days === Number.POSITIVE_INFINITY) return
  const { text, params } = forgetEntries(table, days)
  await clickhouse.command(text, params)
}
