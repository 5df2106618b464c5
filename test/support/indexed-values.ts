import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { backfillValueIndex } from '../../server/clickhouse/migrate/backfill.ts'
import { createSpanEntries } from '../../server/ingest/spans/stored-span-entries.ts'
import { visitOwnTables } from './engine.ts'

/**
 * Adds every span without entries to the value index, on every node, as `tracefold migrate --backfill` does. It does
 * not wait for the time that an insert may take, so nothing may be stored meanwhile.
 * @returns the number of spans that were added
 */
export async function backfillEverySpan(clickhouse: ClickHouse): Promise<number> {
  const { signal } = new AbortController()
  let added = 0
  await visitOwnTables(clickhouse, async (node) => {
    added += await backfillValueIndex(node, {
      entries: createSpanEntries(clickhouse),
      signal,
      onProgress: () => {},
      settledSeconds: 0,
    })
  })
  return added
}
