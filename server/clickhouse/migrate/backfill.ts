import {
  addEntries,
  bucketSeconds,
  markIndexed,
  type Query,
  storedRankBefore,
  type UnindexedDay,
  unindexedDays,
} from '#sql'
import type { ClickHouse } from '../client.ts'

export interface BackfillOptions {
  /** The database of the index; on a cluster that of the distributed tables. */
  readonly database: string
  readonly signal: AbortSignal
  /** Called with the number of spans that are done and the number of all. */
  readonly onProgress: (done: number, all: number) => void
  /** Spans stored within this time are left alone, because an insert may still be adding more beside them. */
  readonly settledSeconds?: number
}

/** The maximum number of spans of one statement, approximately. Bounds its memory. */
const spansPerStatement = 250_000
/** More than the seconds that an insert may take. */
const settledSecondsDefault = 120

/**
 * Adds the spans of a server to the value index that have no entries there, day by day, newest first. A day is marked
 * as indexed when it is done. So the backfill can be stopped at any time, and the next one continues with the same day.
 * @returns the number of spans that were added
 */
export async function backfillValueIndex(clickhouse: ClickHouse, options: BackfillOptions): Promise<number> {
  const { database, signal, onProgress, settledSeconds = settledSecondsDefault } = options
  const [{ rank: rankMin } = { rank: '0' }] = await readRows<{ rank: string }>(
    clickhouse,
    storedRankBefore(settledSeconds),
  )
  const days = await readRows<UnindexedDay>(clickhouse, unindexedDays(rankMin))
  const all = days.reduce((sum, { spans }) => sum + Number(spans), 0)
  let done = 0
  onProgress(done, all)
  for (const { day, spans, first_seconds, last_seconds } of days) {
    const pieces = Math.ceil(Number(spans) / spansPerStatement)
    const piece = Math.ceil((last_seconds + 1 - first_seconds) / pieces / bucketSeconds) * bucketSeconds
    for (let fromSeconds = first_seconds; fromSeconds <= last_seconds; fromSeconds += piece) {
      signal.throwIfAborted()
      await run(clickhouse, addEntries(database, { fromSeconds, toSeconds: fromSeconds + piece, rankMin }))
      const part = Math.min(1, (fromSeconds + piece - first_seconds) / (last_seconds + 1 - first_seconds))
      onProgress(done + Math.floor(part * Number(spans)), all)
    }
    signal.throwIfAborted()
    await run(clickhouse, markIndexed(day, { rankMin }))
    done += Number(spans)
  }
  onProgress(all, all)
  return all
}

async function readRows<Row>(clickhouse: ClickHouse, query: Query): Promise<Row[]> {
  return (await clickhouse.read<Row>(query, { for: 'system', label: 'spans without entries' })).rows
}

function run(clickhouse: ClickHouse, { text, params }: Query): Promise<void> {
  return clickhouse.command(text, params)
}
