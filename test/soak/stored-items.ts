import { startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { queryLimits } from '../support/query-limits.ts'
import { silentLogger } from '../support/silent-logger.ts'
import type { SoakSignal } from './telemetry-bodies.ts'

/** The rows of one signal in the stopped server's data directory. */
export interface StoredItems {
  /** Different items. */
  readonly distinct: number
  /** Items as queries see them: rows that replace each other count once. */
  readonly seen: number
}

/** The items of each signal. Their identity is what makes an item of the run unlike all others. */
const queries: Readonly<Record<SoakSignal, string>> = {
  traces: 'SELECT uniqExact(trace_id, span_id) AS distinct, count() AS seen FROM spans FINAL',
  logs: 'SELECT uniqExact(body) AS distinct, count() AS seen FROM log_records',
  metrics: 'SELECT uniqExact(series, time) AS distinct, count() AS seen FROM metric_points FINAL',
}

/** A part that ClickHouse set aside when it started. */
export interface DetachedPart {
  readonly table: string
  readonly name: string
  readonly reason: string
}

const detachedParts = `
  SELECT table, name, reason FROM system.detached_parts
  WHERE database = 'tracefold' AND reason != '' ORDER BY table, name LIMIT 50`

/** What the data directory of a stopped server contains. */
export interface Stored {
  readonly items: ReadonlyMap<string, Readonly<Record<SoakSignal, StoredItems>>>
  readonly detached: readonly DetachedPart[]
}

/** Counts the items of each organization, with an engine of its own on the data directory of a stopped server. */
export async function countStored(dataDir: string, orgs: readonly string[]): Promise<Stored> {
  const engine = await startEmbeddedEngine({ dataDir, logger: silentLogger })
  const limits = { ...queryLimits, querySecondsMax: 600, queryMemoryBytesMax: 8 * 1024 ** 3 }
  const clickhouse = openClickHouse({ source: engine, database: 'tracefold', limits, logger: silentLogger })
  try {
    const counted = new Map<string, Readonly<Record<SoakSignal, StoredItems>>>()
    for (const org of orgs) {
      const countOf = async (signal: SoakSignal): Promise<StoredItems> => {
        const query = { text: `${queries[signal]} WHERE org = {org:String}`, params: { org } }
        const { rows } = await clickhouse.read<{ distinct: string; seen: string }>(query, {
          for: 'system',
          label: 'soak',
        })
        return { distinct: Number(rows[0]?.distinct), seen: Number(rows[0]?.seen) }
      }
      counted.set(org, {
        traces: await countOf('traces'),
        logs: await countOf('logs'),
        metrics: await countOf('metrics'),
      })
    }
    const detached = await clickhouse.read<DetachedPart>(
      { text: detachedParts, params: {} },
      { for: 'system', label: 'soak' },
    )
    return { items: counted, detached: detached.rows }
  } finally {
    await clickhouse.close()
    await engine.stop()
  }
}
