import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSessionStore } from '../../server/sessions/session-store.ts'
import { startApp, type TestApp } from '../support/app.ts'

const hourMs = 3_600_000

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

function openStore() {
  let at = new Date('2026-03-01T09:00:00Z')
  const store = createSessionStore(app.app.metadata, () => at)
  const pass = (hours: number) => {
    at = new Date(at.getTime() + hours * hourMs)
  }
  const caller = { org: app.org, role: 'viewer', subject: 'ada' } as const
  const begin = async (id: string) => {
    const secret = await store.begin({ id, caller, expiresAt: new Date(at.getTime() + 600_000) })
    if (secret === undefined) throw new Error('The link had been used.')
    return secret
  }
  return { store, pass, begin, caller }
}

it('a session ends twelve hours after its last use', async () => {
  const { store, pass, begin, caller } = openStore()
  const secret = await begin('idle')
  pass(11)
  expect(await store.find(secret)).toEqual(caller)
  pass(11)
  expect(await store.find(secret)).toEqual(caller)
  pass(0.5)
  expect(await store.find(secret)).toEqual(caller)
  pass(11.9)
  expect(await store.find(secret)).toEqual(caller)
  pass(12.1)
  expect(await store.find(secret)).toBeUndefined()
})

it('a session ends after seven days however often it is used', async () => {
  const { store, pass, begin } = openStore()
  const secret = await begin('busy')
  for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
    pass(6)
    expect(await store.find(secret)).toBeDefined()
  }
  pass(6)
  expect(await store.find(secret)).toBeUndefined()
})

/** Makes the store read-only, or not. A statement outside of a transaction would be one that writes. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const pragma = sql`PRAGMA query_only = ${sql.raw(value)}`
  await app.app.metadata.readSnapshot((transaction) => pragma.execute(transaction))
}

it('a session can be used while it cannot be extended, because nothing can be written', async () => {
  const { store, pass, begin, caller } = openStore()
  const secret = await begin('unextended')
  pass(6)
  await setReadOnly('on')
  const found = await store.find(secret).finally(() => setReadOnly('off'))
  expect(found).toEqual(caller)
  pass(5)
  expect(await store.find(secret)).toEqual(caller)
  pass(11)
  expect(await store.find(secret)).toEqual(caller)
})

it('a session that a clock far ahead began ends when the clock is right, and a sweep deletes it', async () => {
  const { store, pass, begin, caller } = openStore()
  const [days, early] = [30 * 24, await begin('early')]
  pass(days)
  const ahead = await begin('ahead')
  expect(await store.find(ahead)).toEqual(caller)
  pass(-days)
  expect(await store.find(ahead)).toBeUndefined()
  expect(await store.find(early)).toEqual(caller)
  await store.sweep()
  expect(await store.find(early)).toEqual(caller)
  pass(days)
  expect(await store.find(ahead)).toBeUndefined()
})

it('a sweep deletes what has expired, and nothing else', async () => {
  const { store, pass, begin } = openStore()
  await begin('swept')
  pass(13)
  const secret = await begin('unswept')
  await store.sweep()
  const { db } = app.app.metadata
  expect(await db.selectFrom('sessions').selectAll().where('expires_at', '<=', '2026-03-01T22').execute()).toEqual([])
  expect(await store.find(secret)).toBeDefined()
  const used = db.selectFrom('used_login_links').select('id').where('id', 'in', ['swept', 'unswept'])
  expect(await used.execute()).toEqual([{ id: 'unswept' }])
})
