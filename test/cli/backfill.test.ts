import { expect, inject, it, onTestFinished } from 'vitest'
import { dropDatabase, newDatabaseName, openDatabase } from '../support/engine.ts'
import { exportRequest } from '../support/otlp-files.ts'
import { startRemote } from '../support/remote-engine.ts'
import {
  type RunningCommand,
  runCommand,
  startCommand,
  startServerProcess,
  tokenFor,
} from '../support/server-process.ts'
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

it('an interrupted migration ends with the code of interruptions and says that it can be continued', async () => {
  const { username: CLICKHOUSE_USER, password: CLICKHOUSE_PASSWORD } = inject('engine')
  let command: RunningCommand | undefined
  const CLICKHOUSE_URL = await startRemote(() => {
    command?.kill('SIGINT')
    return true
  })
  command = startCommand(['migrate'], {
    DATA_DIR: temporaryFolder(),
    CLICKHOUSE_URL,
    CLICKHOUSE_USER,
    CLICKHOUSE_PASSWORD,
    LOG_LEVEL: 'silent',
  })
  const message = 'The migration was stopped. Run the command again to continue it.\n'
  expect(await command.ended).toEqual({ code: 130, stdout: '', stderr: message })
})

it('a backfill beside a stopped server adds what that server stored last', async () => {
  const dataDir = temporaryFolder()
  const server = await startServerProcess({ dataDir, env: { VALUE_INDEX: 'off' } })
  const stored = await fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenFor(dataDir, 'ingest')}`, 'content-type': 'application/json' },
    body: JSON.stringify(exportRequest([3], 1)),
  })
  expect(stored.status).toBe(200)
  await server.end('SIGTERM')
  const { code, stdout, stderr } = await runCommand(['migrate', '--backfill'], { DATA_DIR: dataDir })
  expect(code).toBe(0)
  expect(stderr).toMatch(/ 0 of 3 records indexed {2}\? left\n/)
  expect(stdout).toContain('"records":3,"msg":"All spans and log records are in the value index"')
})
