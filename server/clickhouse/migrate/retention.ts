/** Keeps telemetry for so many days, by a TTL on each table, which is changed only when it is another than asked for. */
import type { ClickHouse } from '../client.ts'

export interface RetainedTable {
  readonly table: string
  /** A DateTime or Date expression over columns of the table: when the row's time is. */
  readonly time: string
}

interface CurrentRetention {
  readonly current: string
  readonly wanted: string
}

/** Both as ClickHouse itself writes them, so that equal ones are equal texts. */
const compareRetention = `SELECT
  extract(engine_full, ' TTL (.*?)(?: SETTINGS |$)') AS current,
  substring(formatQuerySingleLine(concat('SELECT ', {p0:String})), 8) AS wanted
FROM system.tables WHERE database = {p1:String} AND name = {p2:String}`

/**
 * @param days undefined keeps everything
 * @returns the tables whose TTL was changed
 */
export async function applyRetention(
  clickhouse: ClickHouse,
  tables: readonly RetainedTable[],
  days: number | undefined,
): Promise<string[]> {
  const changed: string[] = []
  for (const { table, time } of tables) {
    const ttl = days === undefined ? '' : `${time} + toIntervalDay(${days})`
    const params = { p0: ttl || "''", p1: clickhouse.database, p2: table }
    const { rows } = await clickhouse.read<CurrentRetention>(
      { text: compareRetention, params },
      { label: 'the retention' },
    )
    const [retention] = rows
    if (retention === undefined) throw new Error(`There is no table ${table} to set the retention of.`)
    if (retention.current === (ttl && retention.wanted)) continue
    await clickhouse.command(`ALTER TABLE ${table} ${ttl === '' ? 'REMOVE TTL' : `MODIFY TTL ${ttl}`}`)
    changed.push(table)
  }
  return changed
}
