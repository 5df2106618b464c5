import { expect, inject, it, onTestFinished } from 'vitest'
import { dropDatabase, newDatabaseName, openDatabase } from '../support/engine.ts'
import { startRemote } from '../support/remote-engine.ts'
import { runCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a backfill that loses ClickHouse says in one line that it can be continued', async () => {
  const { username, password } = inject('engine')
  const database = newDatabaseName()
  const clickhouse = openDatabase(database)
  onTestFinished(() => clickhouse.close())
  onTestFinished(() => dropDatabase(clickhouse))
  const env = {
    DATA_DIR: temporaryFolder(),
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: database,
  }
  const backfill = async (isRefused: (statement: string) => boolean) =>
    runCommand(['migrate', '--backfill'], { ...env, CLICKHOUSE_URL: await startRemote(isRefused) })
  const lost = await backfill((statement) => statement.includes('is_indexed < 2'))
  expect(lost.code).toBe(4)
  expect(lost.stderr).toContain('The backfill could not reach ClickHouse, or was refused by it. Run the command again')
  expect(lost.stderr).not.toContain(' at ')
  const whole = await backfill(() => false)
  expect(whole.code).toBe(0)
  expect(whole.stderr).not.toContain('0 of 0')
})
