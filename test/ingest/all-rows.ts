import type { ClickHouse } from '../../server/clickhouse/client.ts'
import type { SignalName } from '../support/grpc-client.ts'

const tables = { traces: ['spans'], metrics: ['metric_points', 'metric_series'], logs: ['log_records'] } as const
/** Columns that differ between two organizations or requests. The id of a series includes its organization. */
const ownOfRequest = /^(org|id|series|stored_rank|stored_at|time_received)$/

/** Returns all rows that an organization has stored of a signal, as texts that equal those of another organization. */
export async function allRowsOf(clickhouse: ClickHouse, signal: SignalName, org: string): Promise<string[]> {
  const read = tables[signal].map(async (table) => {
    const query = { text: `SELECT * FROM ${table} WHERE org = {p0:String}`, params: { p0: org } }
    const { rows } = await clickhouse.read<Record<string, unknown>>(query, { for: 'system', label: 'all rows' })
    return rows.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !ownOfRequest.test(column))))
  })
  return (await Promise.all(read)).flat().sort()
}
