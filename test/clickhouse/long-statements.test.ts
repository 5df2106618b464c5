import { expect, it, onTestFinished } from 'vitest'
import { dropDatabase, newDatabaseName, openDatabase } from '../support/engine.ts'
import { column } from '../support/own-engine.ts'

/** More than the seconds after which a read or an insert without a response fails. */
const seconds = 67

it('a statement may take longer than any request, such as a migration of billions of rows', async () => {
  const clickhouse = openDatabase(newDatabaseName())
  onTestFinished(() => clickhouse.close())
  await clickhouse.createDatabase()
  onTestFinished(() => dropDatabase(clickhouse))
  await clickhouse.command('CREATE TABLE slept (n UInt64, second UInt8) ENGINE = MergeTree ORDER BY n')
  const sleeping = `INSERT INTO slept SELECT number, sleepEachRow(1) FROM numbers(${seconds})`
  await clickhouse.command(`${sleeping} SETTINGS max_block_size = 1`)
  expect(await column(clickhouse, 'SELECT count() FROM slept')).toEqual([String(seconds)])
})
