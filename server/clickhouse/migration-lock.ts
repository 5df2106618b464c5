import type { ClickHouse } from './client.ts'

export async function withMigrationLock(_clickhouse: ClickHouse, run: () => Promise<void>): Promise<void> {
  await run()
}
