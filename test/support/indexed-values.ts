import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { type BackfillOptions, backfillValueIndex } from '../../server/clickhouse/migrate/backfill.ts'
import { createStoredEntries } from '../../server/ingest/records/stored-entries.ts'
import { visitOwnTables } from './engine.ts'

/**
 * Adds every record without entries to the value index, on every node, as `tracefold migrate --backfill` does. Unless
 * `changed` says otherwise, it does not wait for the time that an insert may take, so nothing may be stored meanwhile.
 * @returns the number of records that were added
 */
export async function backfillEverything(
  clickhouse: ClickHouse,
  changed: Partial<Omit<BackfillOptions, 'entries'>> = {},
): Promise<number> {
  const { signal } = new AbortController()
  const options = { signal, onProgress: () => {}, settledSeconds: 0, ...changed }
  let added = 0
  await visitOwnTables(clickhouse, async (node) => {
    added += await backfillValueIndex(node, { ...options, entries: createStoredEntries(clickhouse) })
  })
  return added
}
