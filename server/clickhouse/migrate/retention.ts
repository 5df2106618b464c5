import { alterRetention, compareRetention, forgetEntries, type TelemetryTable, telemetryTableNames } from '#sql'
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
  const changed: TelemetryTable[] = []
  for (const table of telemetryTableNames) {
    const query = compareRetention(clickhouse.database, table, days)
    const { rows } = await clickhouse.read<Retention>(query, { for: 'system', label: 'the retention' })
    const [retention] = rows
    if (retention === undefined) throw new Error(`Cannot set the retention: the table ${table} does not exist.`)
    if (retention.current === retention.wanted) continue
    if (table === 'spans') await forgetExpired(clickhouse, retention.current)
    await clickhouse.command(alterRetention(table, days))
    changed.push(table)
  }
  return changed
}

/**
 * Spans that have expired may still be stored when the retention grows, while their entries in the value index are
 * gone. They are then found without the index.
 */
async function forgetExpired(clickhouse: ClickHouse, current: string): Promise<void> {
  const [, days] = /toIntervalDay\((\d+)\)/.exec(current) ?? []
  if (days === undefined) return
  const { text, params } = forgetEntries(Number(days))
  await clickhouse.command(text, params)
}
