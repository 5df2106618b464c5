/** Engines of a single test, for tests that kill them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { ClickHouse, ReadQuery } from '../../server/clickhouse/client.ts'
import type { EndpointSource } from '../../server/clickhouse/endpoint.ts'
import { type EmbeddedEngine, startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { queryLimits } from './query-limits.ts'
import { silentLogger } from './silent-logger.ts'

export async function startEngine(dataDir: string): Promise<EmbeddedEngine> {
  const engine = await startEmbeddedEngine({ dataDir, logger: silentLogger })
  onTestFinished(() => engine.stop())
  return engine
}

export function clientOf(source: EndpointSource, database = 'test'): ClickHouse {
  const clickhouse = openClickHouse({ source, database, limits: queryLimits, logger: silentLogger })
  onTestFinished(() => clickhouse.close())
  return clickhouse
}

/** Waits until `holds` returns a value other than false or undefined. The timeout of the test is the deadline. */
export async function until<T>(holds: () => Promise<T | false | undefined> | T | false | undefined): Promise<T> {
  for (;;) {
    const found = await holds()
    if (found !== false && found !== undefined) return found
    await sleep(20)
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export function query(text: string, params: ReadQuery['params'] = {}): ReadQuery {
  return { text, params }
}

/** Returns the first column of every row. */
export async function column(clickhouse: ClickHouse, text: string): Promise<unknown[]> {
  const { rows } = await clickhouse.read<Record<string, unknown>>(query(text), { for: 'system', label: 'a test' })
  return rows.map((row) => Object.values(row)[0])
}

/** Encodes rows of UInt64 columns as RowBinary. */
export function uint64Rows(rows: readonly (readonly number[])[]): Buffer {
  const numbers = rows.flat()
  const buffer = Buffer.alloc(numbers.length * 8)
  for (const [index, number] of numbers.entries()) buffer.writeBigUInt64LE(BigInt(number), index * 8)
  return buffer
}

/** Creates a table `numbers (n, day)`, partitioned by day, that deduplicates like the telemetry tables. */
export async function createNumbers(clickhouse: ClickHouse): Promise<void> {
  await clickhouse.createDatabase()
  await clickhouse.command(`CREATE TABLE numbers (n UInt64, day UInt64) ENGINE = MergeTree
    PARTITION BY day ORDER BY n SETTINGS non_replicated_deduplication_window = 1000`)
}

export async function insertNumbers(
  clickhouse: ClickHouse,
  dedupToken: string,
  rows: readonly (readonly number[])[],
): Promise<void> {
  await clickhouse.insert('numbers', ['n', 'day'], uint64Rows(rows), { org: 'acme', dedupToken, rows: rows.length })
}
