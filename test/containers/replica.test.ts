import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { storeTelemetry } from '../cluster/telemetry.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { clientOf, column, until } from '../support/own-engine.ts'

const seed = Math.floor(Math.random() * 1e9)
let app: TestApp

beforeAll(async () => {
  app = await startApp({ env: { METADATA_URL: inject('postgresUrl') } })
})
afterAll(() => app?.close())

const docker = (...args: readonly string[]) => promisify(execFile)('docker', [...args, inject('replica')])

/** Stops the replica at once, as a failed machine does, and starts it again after the test. */
async function loseReplica(): Promise<() => Promise<unknown>> {
  const restart = () => docker('start')
  onTestFinished(() => void restart())
  await docker('kill')
  return restart
}

async function countMessages(org: string): Promise<number> {
  const client = await app.client({ org, role: 'viewer' })
  const body = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }
  const { data } = await client.POST('/api/v1/messages/count', { body })
  if (data === undefined) throw new Error('The messages could not be counted.')
  return data.message_count
}

it('the loss of a replica changes no answer', async () => {
  const org = `questions-${randomUUID()}`
  await storeTelemetry(app, org, seed)
  const before = await countMessages(org)
  expect(before).toBeGreaterThan(0)
  await loseReplica()
  for (let time = 0; time < 20; time++) expect(await countMessages(org)).toBe(before)
})

it('bodies that are acknowledged while a replica is lost are complete, also on that replica later', async () => {
  const orgs = Array.from({ length: 10 }, () => `ingest-${randomUUID()}`)
  const [first = '', ...others] = orgs
  await storeTelemetry(app, first, seed)
  const expected = await countMessages(first)
  const restart = await loseReplica()
  for (const org of others) await storeTelemetry(app, org, seed)
  for (const org of orgs) expect(await countMessages(org)).toBe(expected)
  await restart()
  const endpoint = inject('replicaEndpoint')
  const replica = clientOf({ state: 'ready', endpoint: () => endpoint }, `${app.config.clickhouse.database}_shard`)
  const rows = `SELECT count(DISTINCT org) FROM spans WHERE org LIKE 'ingest-%'`
  expect(await until(async () => String(await column(replica, rows).catch(() => '')) === String(orgs.length))).toBe(
    true,
  )
})
