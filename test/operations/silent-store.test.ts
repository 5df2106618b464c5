/** A server that stops, or starts, while a store is held by another server or does not answer. */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { withMigrationLock } from '../../server/clickhouse/migrate/migration-lock.ts'
import { openSilentProxy } from '../metadata/silent-proxy.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { newDatabaseName, openDatabase } from '../support/engine.ts'
import { startPostgres } from '../support/postgres.ts'
import { remoteEnv, startRemote } from '../support/remote-engine.ts'

/** Starts a load balancer before ClickHouse that accepts connections and, while it is silent, answers on none. */
async function startBalancer() {
  const target = new URL(await startRemote())
  const sockets = new Set<Socket>()
  const balancer = {
    url: '',
    isSilent: true,
    connections: 0,
    /** Also passes nothing more over the connections that it has. */
    fallSilent() {
      balancer.isSilent = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    recover() {
      balancer.isSilent = false
      for (const socket of sockets) socket.destroy()
    },
  }
  const server = createServer((near) => {
    balancer.connections++
    sockets.add(near.on('error', () => {}))
    if (balancer.isSilent) return
    const far = connect(Number(target.port), target.hostname)
    sockets.add(far.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  balancer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return balancer
}

/** Starts a proxy that delays each message to a Postgres by half a second, and returns the URL through it. */
async function startSlowProxy(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname)
    near.on('data', (chunk) => void setTimeout(() => far.write(chunk), 500))
    far.pipe(near)
    for (const socket of [near, far]) sockets.push(socket.on('error', () => {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const through = new URL(databaseUrl)
  through.port = String((server.address() as AddressInfo).port)
  return through.href
}

async function startWaiting(url: string, database?: string): Promise<TestApp> {
  return await startApp({ env: remoteEnv(url, database), beforeReady: true })
}

/** The lock of Kysely's migrator. */
const holdMigrationLock = 'SELECT pg_advisory_lock(3853314791062309107)::text AS held'

const missing = async ({ url }: TestApp) => (await fetch(`${url}/readyz`)).text()

it('a server that waits for the migrations of another one stops, and leaves the lock to it', async () => {
  const clickhouse = openDatabase(newDatabaseName())
  onTestFinished(() => clickhouse.close())
  await clickhouse.createDatabase()
  await withMigrationLock(clickhouse, async () => {
    const app = await startWaiting(await startRemote(), clickhouse.database)
    await expect.poll(() => missing(app)).toContain('migrating')
    expect(await app.app.stop()).toBe(0)
    rmSync(app.config.dataDir, { recursive: true })
    await expect(app.app.ready).rejects.toThrow('aborted')
  })
  const { rows } = await clickhouse.read<{ name: string }>(
    { text: 'SELECT name FROM system.tables WHERE database = currentDatabase()', params: {} },
    { for: 'system', label: 'tables' },
  )
  expect(rows).toEqual([{ name: 'schema_lock_1' }])
  await clickhouse.command(`DROP DATABASE ${clickhouse.database} SYNC`)
})

it('a server that waits for the migrations of another one in a slow Postgres stops before that ends', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const databaseUrl = await postgres.createDatabase()
  const other = new Client(databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  const { rows } = await other.query<{ held: string }>(holdMigrationLock)
  expect(rows).toHaveLength(1)
  const METADATA_URL = await startSlowProxy(databaseUrl)
  const app = await startApp({ env: { METADATA_URL, SECRETS_KEY: '7'.repeat(64) }, beforeReady: true })
  onTestFinished(() => rmSync(app.config.dataDir, { recursive: true }))
  const tries = "SELECT FROM pg_stat_activity WHERE query LIKE '%advisory_lock%' AND pid != pg_backend_pid()"
  await expect.poll(async () => (await other.query(tries)).rowCount, { interval: 20 }).toBe(1)
  const before = performance.now()
  await app.app.stop()
  // The time limit of a statement is 30 s.
  expect(performance.now() - before).toBeLessThan(20_000)
})

it('a server whose Postgres falls silent stops soon after its drain', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const databaseUrl = await postgres.createDatabase()
  const proxy = await openSilentProxy(databaseUrl)
  onTestFinished(() => proxy.close())
  const other = new Client(databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  const env = { METADATA_URL: proxy.url, SECRETS_KEY: '7'.repeat(64), DRAIN_SECONDS_MAX: '1' }
  const app = await startApp({ env })
  onTestFinished(() => rmSync(app.config.dataDir, { recursive: true }))
  await other.query('BEGIN; LOCK TABLE saved_views')
  const unanswered = app.send('/api/v1/saved-views').catch((error: Error) => error)
  const waiting = 'SELECT FROM pg_locks WHERE NOT granted'
  await expect.poll(async () => (await other.query(waiting)).rowCount, { interval: 20 }).toBe(1)
  proxy.silence({ later: true })
  const before = performance.now()
  await app.app.stop()
  // A statement without an answer fails after 35 s.
  expect(performance.now() - before).toBeLessThan(20_000)
  expect(await unanswered).toBeInstanceOf(Error)
})

it('a server behind a load balancer that accepts and does not answer starts when it answers again', async () => {
  const balancer = await startBalancer()
  const app = await startWaiting(balancer.url)
  onTestFinished(() => app.close())
  await expect.poll(() => balancer.connections).toBeGreaterThan(0)
  balancer.isSilent = false
  await app.app.ready
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(200)
})

it('a search that a silent load balancer does not answer is refused because of that, not as too large', async () => {
  const balancer = await startBalancer()
  balancer.isSilent = false
  const app = await startApp({ env: { ...remoteEnv(balancer.url), QUERY_SECONDS_MAX: '5' }, beforeReady: true })
  onTestFinished(() => {
    balancer.recover()
    return app.close()
  })
  await app.app.ready
  balancer.fallSilent()
  const before = performance.now()
  const response = await app.send('/api/v1/messages/search', { json: {} })
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    503,
    '2',
    expect.objectContaining({ code: 'unavailable', detail: 'The telemetry store cannot be reached. Retry later.' }),
  ])
  // An insert may take a minute.
  expect(performance.now() - before).toBeLessThan(50_000)
})

it('a server behind a load balancer that accepts and does not answer stops', async () => {
  const balancer = await startBalancer()
  const app = await startWaiting(balancer.url)
  await expect.poll(() => balancer.connections).toBeGreaterThan(0)
  expect(await app.app.stop()).toBe(0)
  rmSync(app.config.dataDir, { recursive: true })
})
