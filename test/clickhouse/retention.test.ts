import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { applyRetention } from '../../server/clickhouse/migrate/retention.ts'
import { telemetryTableNames, telemetryTables } from '../../sql/index.ts'
import { freshDatabase, openDatabase } from '../support/engine.ts'
import { column, until } from './own-engine.ts'

let clickhouse: ClickHouse
beforeEach(async () => {
  clickhouse = await freshDatabase()
})
afterEach(() => clickhouse.close())

const ttl = (table: string) =>
  column(
    clickhouse,
    `SELECT extract(engine_full, ' TTL (.*) SETTINGS')
     FROM system.tables WHERE database = currentDatabase() AND name = '${table}'`,
  )

it('is changed only when the TTL differs from the setting', async () => {
  const expectTtl = async (days: number | undefined) => {
    for (const table of telemetryTableNames) {
      const expected = days === undefined ? '' : `toDateTime(${telemetryTables[table].time}) + toIntervalDay(${days})`
      expect(await ttl(table)).toEqual([expected])
    }
  }
  expect(await applyRetention(clickhouse, undefined)).toEqual([])
  expect(await applyRetention(clickhouse, 30)).toEqual(telemetryTableNames)
  await expectTtl(30)
  expect(await applyRetention(clickhouse, 30)).toEqual([])
  expect(await applyRetention(clickhouse, 7)).toEqual(telemetryTableNames)
  await expectTtl(7)
  expect(await applyRetention(clickhouse, undefined)).toEqual(telemetryTableNames)
  await expectTtl(undefined)
})

it('removes older rows, including those that were stored before it was set', async () => {
  await clickhouse.command(
    `INSERT INTO log_records (org, event_time, severity_number)
     SELECT 'acme', now() - toIntervalDay(number), number FROM numbers(10)`,
  )
  await applyRetention(clickhouse, 3)
  await until(async () => {
    await clickhouse.command('OPTIMIZE TABLE log_records FINAL')
    const left = await column(clickhouse, 'SELECT severity_number FROM log_records ORDER BY severity_number')
    return left.length === 3 && left.every((x, index) => x === index)
  })
})

it('fails when a table does not exist', async () => {
  const empty = openDatabase('default')
  await expect(applyRetention(empty, 1)).rejects.toThrow('the table spans does not exist')
  await empty.close()
})
