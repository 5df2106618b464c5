import { countRowsOf, countSeriesOf, seriesIdsOf, storedBytes, type TelemetryTable } from '#sql'
import type { ClickHouse, ReadOptions } from './client.ts'
import { shardDatabaseOf } from './endpoint.ts'

/** The bytes on disk of a row of each table, averaged over all organizations. */
type RowBytes = ReadonlyMap<TelemetryTable, number>

/**
 * Estimates the bytes that an organization has stored: its rows of each table times the average size of a row, before
 * replication.
 */
export async function readStoredBytes(clickhouse: ClickHouse, org: string): Promise<number> {
  const sizes = [...(await readRowBytes(clickhouse))]
  const bytes = sizes.map(async ([table, rowBytes]) => (await readRowCount(clickhouse, table, org)) * rowBytes)
  return Math.round((await Promise.all(bytes)).reduce((sum, each) => sum + each, 0))
}

/**
 * Reads how many rows of a table an organization has stored. ClickHouse answers from the primary key. Takes a turn of
 * the server's own background work unless `options` name another one.
 */
export async function readRowCount(
  clickhouse: Pick<ClickHouse, 'read'>,
  table: TelemetryTable,
  org: string,
  options: ReadOptions = usage,
): Promise<number> {
  const { rows } = await clickhouse.read<{ rows: string }>(countRowsOf(table, org), options)
  return Number(rows[0]?.rows ?? 0)
}

/** The metric series of an organization. */
export interface SeriesUsage {
  /** The number of its series. */
  readonly amount: number
  /** Their ids as hexadecimal digits, in the order of their bytes, if it has at least as many as it may. */
  readonly known?: ReadonlySet<string>
}

/** Counts the metric series that an organization has stored, and reads their ids if they are at least `max`. */
export async function readSeriesUsage(clickhouse: ClickHouse, org: string, max: number): Promise<SeriesUsage> {
  const { rows } = await clickhouse.read<{ series: string }>(countSeriesOf(org), usage)
  const amount = Number(rows[0]?.series ?? 0)
  if (amount < max) return { amount }
  const known = new Set<string>()
  for await (const block of clickhouse.readBlocks<{ id: string }>(seriesIdsOf(org), usage))
    for (const { id } of block) known.add(id)
  return { amount, known }
}

const usage = { for: 'system', label: 'usage' } as const

async function readRowBytes({ nodes }: Pick<ClickHouse, 'nodes'>): Promise<RowBytes> {
  const read = nodes.map(async (node) => {
    const query = storedBytes([node.database, shardDatabaseOf(node.database)])
    return (await node.read<{ table: TelemetryTable; bytes: string; rows: string }>(query, usage)).rows
  })
  const totals = new Map<TelemetryTable, { bytes: number; rows: number }>()
  for (const { table, bytes, rows } of (await Promise.all(read)).flat()) {
    const before = totals.get(table) ?? { bytes: 0, rows: 0 }
    totals.set(table, { bytes: before.bytes + Number(bytes), rows: before.rows + Number(rows) })
  }
  return new Map([...totals].map(([table, { bytes, rows }]) => [table, rows === 0 ? 0 : bytes / rows]))
}
