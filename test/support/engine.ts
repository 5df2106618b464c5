/** Databases on the run's embedded engine (see engine-setup.ts): each test file takes a fresh one. */
import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { type ClickHouse, openClickHouse } from '../../server/clickhouse/client.ts'
import type { Logger } from '../../server/clickhouse/engine-log.ts'
import { migrate } from '../../server/clickhouse/migrate.ts'
import { type QueryLimits, queryLimitDefaults } from '../../server/clickhouse/query-limits.ts'

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

export function openDatabase(database: string, limits: Partial<QueryLimits> = {}): ClickHouse {
  const endpoint = inject('engine')
  return openClickHouse({
    source: { state: 'ready', endpoint: () => endpoint },
    database,
    limits: { ...queryLimitDefaults, ...limits },
    logger: silentLogger,
  })
}

/** A new database with all migrations applied and a client on it. `close()` of the client drops the database. */
export async function freshDatabase(limits: Partial<QueryLimits> = {}): Promise<ClickHouse> {
  const clickhouse = openDatabase(`test_${randomUUID().replaceAll('-', '')}`, limits)
  await migrate(clickhouse, { exclusive: true })
  const close = clickhouse.close.bind(clickhouse)
  clickhouse.close = async () => {
    await clickhouse.command(`DROP DATABASE IF EXISTS ${clickhouse.database} SYNC`)
    await close()
  }
  return clickhouse
}
