import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { type BackfillOptions, backfillValueIndex } from '../../server/clickhouse/migrate/backfill.ts'
import { createSpanEntries } from '../../server/ingest/spans/stored-span-entries.ts'
import { visitOwnTables } from './engine.ts'

/**
 * Adds every span without entries to the value index, on every node, as `tracefold migrate --backfill` does. Unless
 * `changed` says otherwise, it does not wait for the time that an insert may take, so nothing may be stored meanwhile.
 * @returns the number of spans that were added
 */
export async function backfillEverySpan(
  clickhouse: ClickHouse,
  changed: Partial<Omit<BackfillOptions, 'entries'>> = {},
): Promise<number> {
  const { signal } = new AbortController()
  const options = { signal, onProgress: () => {}, settledSeconds: 0, ...changed }
  let added = 0
  await visitOwnTables(clickhouse, async (node) => {
    added += await backfillValueIndex(node, { ...options, entries: createSpanEntries(clickhouse) })
  })
  return added
}
