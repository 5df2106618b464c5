import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { applyRetention } from '../../server/clickhouse/migrate/retention.ts'
import { freshDatabase } from '../support/engine.ts'
import { column, until } from './own-engine.ts'

let clickhouse: ClickHouse
beforeEach(async () => {
  clickhouse = await freshDatabase()
  await clickhouse.command(`CREATE TABLE events (start DateTime64(9, 'UTC'), x UInt8) ENGINE = MergeTree
    PARTITION BY toYYYYMMDD(start) ORDER BY x SETTINGS ttl_only_drop_parts = 1`)
})
afterEach(() => clickhouse.close())

const events = [{ table: 'events', time: 'toDateTime(start)' }]
const ttl = () =>
  column(
    clickhouse,
    "SELECT extract(engine_full, 'TTL (.*) SETTINGS') FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
  )

it('is changed only when it is another than asked for', async () => {
  expect(await applyRetention(clickhouse, events, undefined)).toEqual([])
  expect(await applyRetention(clickhouse, events, 30)).toEqual(['events'])
  expect(await ttl()).toEqual(['toDateTime(start) + toIntervalDay(30)'])
  expect(await applyRetention(clickhouse, events, 30)).toEqual([])
  expect(await applyRetention(clickhouse, events, 7)).toEqual(['events'])
  expect(await ttl()).toEqual(['toDateTime(start) + toIntervalDay(7)'])
  expect(await applyRetention(clickhouse, events, undefined)).toEqual(['events'])
  expect(await ttl()).toEqual([''])
})

it('removes what is older, also what was stored before it was set', async () => {
  await clickhouse.command('INSERT INTO events SELECT now() - toIntervalDay(number), number FROM numbers(10)')
  await applyRetention(clickhouse, events, 3)
  await until(async () => {
    await clickhouse.command('OPTIMIZE TABLE events FINAL')
    const left = await column(clickhouse, 'SELECT x FROM events ORDER BY x')
    return left.length === 3 && left.every((x, index) => x === index)
  })
})

it('of a table that is not there is an error', async () => {
  await expect(applyRetention(clickhouse, [{ table: 'nothing', time: 'now()' }], 1)).rejects.toThrow('no table nothing')
})
