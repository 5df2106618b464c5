import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { Metadata } from '../../server/metadata/database.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { openPostgresStore } from '../support/stores.ts'
import { openSilentProxy } from './silent-proxy.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

/** Returns a store that lacks the newest migrations, of which each creates an index, and the URL of its database. */
async function openedOfEarlierVersion() {
  const url = await postgres.createDatabase()
  const metadata = await openPostgresStore(url)
  await metadata.migrate({ to: '0006-searched-rows' })
  return { url, metadata }
}

/** Makes every statement that creates an index take as long as that of a large table. */
async function slowDown({ db }: Metadata, seconds: number): Promise<void> {
  await sql`
    create function slow_down() returns event_trigger language plpgsql as
    ${sql.lit(`begin perform pg_sleep(${seconds}); end`)}
  `.execute(db)
  await sql`
    create event trigger slow_index on ddl_command_start when tag in ('CREATE INDEX') execute function slow_down()
  `.execute(db)
}

it('a migration may take longer than other statements', async () => {
  const { url, metadata } = await openedOfEarlierVersion()
  await slowDown(metadata, 1)
  const impatient = await openPostgresStore(`${url}?statement_timeout=200&query_timeout=400`)
  await impatient.migrate()
  expect(await impatient.isMigrated()).toBe(true)
  const sleeping = sql`select pg_sleep(1)`.execute(impatient.db)
  await expect(sleeping).rejects.toMatchObject({ code: 'unavailable', cause: { code: '57014' } })
})

it('a migration that waits for a table fails before the statements that wait behind it do', async () => {
  const { metadata } = await openedOfEarlierVersion()
  await metadata.transaction(async (transaction) => {
    await sql`lock table deliveries in row exclusive mode`.execute(transaction)
    await expect(metadata.migrate()).rejects.toMatchObject({ code: 'unavailable', cause: { code: '55P03' } })
  })
  await metadata.migrate()
  expect(await metadata.isMigrated()).toBe(true)
})

/** Resolves when a migration creates an index that `slowDown` delays. */
async function untilAsleep({ db }: Metadata): Promise<void> {
  const isAsleep = sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where wait_event = 'PgSleep' and datname = current_database()
  `
  await vi.waitUntil(async () => (await isAsleep.execute(db)).rows[0]?.count === 1, 60_000)
}

it('a server that stops ends its migration, which another can then run', async () => {
  const { metadata } = await openedOfEarlierVersion()
  await slowDown(metadata, 3_600)
  const stopped = new AbortController()
  const migrated = metadata.migrate({ signal: stopped.signal })
  await untilAsleep(metadata)
  stopped.abort()
  await expect(migrated).rejects.toMatchObject({
    code: 'unavailable',
    cause: expect.not.objectContaining({ code: '57014' }),
  })
  await sql`drop event trigger slow_index`.execute(metadata.db)
  await metadata.migrate()
  expect(await metadata.isMigrated()).toBe(true)
})

it('a server that stops does not wait for a Postgres that fell silent during its migration', async () => {
  const { url, metadata } = await openedOfEarlierVersion()
  await slowDown(metadata, 3_600)
  const proxy = await openSilentProxy(url)
  onTestFinished(() => proxy.close())
  const stopped = new AbortController()
  const migrated = (await openPostgresStore(proxy.url)).migrate({ signal: stopped.signal })
  await untilAsleep(metadata)
  proxy.silence({ later: true })
  stopped.abort()
  await expect(migrated).rejects.toMatchObject({ code: 'unavailable' })
})
