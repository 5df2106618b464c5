import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Metadata } from '../../server/metadata/database.ts'
import { describeUnless } from '../support/describe-unless.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { openPostgresStore } from '../support/stores.ts'
import { openSilentProxy } from './silent-proxy.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

/** The server connects, and a frozen machine goes on, in less. */
const timeoutMs = 4_000

async function openedThroughProxy() {
  const proxy = await openSilentProxy(await postgres.createDatabase())
  onTestFinished(() => proxy.close())
  return { proxy, metadata: await openPostgresStore(`${proxy.url}?query_timeout=${timeoutMs}`) }
}

it('a connection on which a query got no answer is not used again', async () => {
  const { proxy, metadata } = await openedThroughProxy()
  expect(await metadata.ping()).toBe(true)
  proxy.silence()
  await expect(sql`select 1`.execute(metadata.db)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await metadata.ping()).toBe(true)
})

it('a transaction that gets no answer fails after one timeout', async () => {
  const { proxy, metadata } = await openedThroughProxy()
  let silentAt = 0
  const work = metadata.transaction(async (transaction) => {
    await sql`select 1`.execute(transaction)
    proxy.silence()
    silentAt = performance.now()
    await sql`select 1`.execute(transaction)
  })
  await expect(work).rejects.toMatchObject({ code: 'unavailable' })
  expect(performance.now() - silentAt).toBeLessThan(2 * timeoutMs)
})

it('a connection that ends between two statements of a transaction fails only the transaction', async () => {
  const metadata = await openPostgresStore(await postgres.createDatabase())
  const work = metadata.transaction(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(metadata.db)
    // An error without a listener would fail the test run, as it would end a server.
    await sleep(100)
    await sql`select 1`.execute(transaction)
  })
  await expect(work).rejects.toMatchObject({ code: 'unavailable' })
  expect(await metadata.ping()).toBe(true)
})

it('Postgres ends a transaction whose server falls silent, and its locks', async () => {
  const metadata = await openPostgresStore(await postgres.createDatabase())
  const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(metadata.db)
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1min' }])
})

/** Returns the seconds until TCP probes each idle connection to a local port. */
function secondsToProbes(port: string): number[] {
  const remote = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`
  const connections = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return connections
    .filter((fields) => fields[2]?.endsWith(remote))
    .map((fields) => Number.parseInt(fields[5]?.split(':')[1] ?? '', 16) / 100)
}

const missing = process.platform === 'linux' ? undefined : 'only Linux has /proc/net/tcp'
describeUnless(missing, 'the connections to Postgres', () => {
  it('are probed by TCP, which soon notices that its host is gone', async () => {
    const url = await postgres.createDatabase()
    const metadata = await openPostgresStore(url)
    expect(await metadata.ping()).toBe(true)
    const seconds = secondsToProbes(new URL(url).port)
    expect(seconds.length).toBeGreaterThan(0)
    expect(Math.max(...seconds)).toBeLessThan(60)
  })
})

it('a connection on which nothing can be written, as after a failover, is not used again', async () => {
  const metadata = await openPostgresStore(await postgres.createDatabase())
  const write = (into: Pick<Metadata, 'db'>['db']) => sql`create table if not exists written ()`.execute(into)
  const works = [() => write(metadata.db), () => metadata.transaction(write)]
  for (const work of works) {
    await sql`set session characteristics as transaction read only`.execute(metadata.db)
    await expect(work()).rejects.toMatchObject({ code: 'unavailable', cause: { code: '25006' } })
    await work()
  }
})

it('a Postgres that denies a privilege is unavailable until it grants it', async () => {
  const url = await postgres.createDatabase()
  const owner = await openPostgresStore(url)
  await owner.migrate()
  await sql`create role limited`.execute(owner.db)
  const metadata = await openPostgresStore(`${url}?options=${encodeURIComponent('-c role=limited')}`)
  const read = () => metadata.db.selectFrom('api_keys').selectAll().execute()
  await expect(read()).rejects.toMatchObject({ code: 'unavailable', cause: { code: '42501' } })
  await sql`grant select on api_keys to limited`.execute(owner.db)
  expect(await read()).toEqual([])
})
