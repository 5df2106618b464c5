import { expect, it } from 'vitest'
import { keysPerOrgMax } from '../../server/api-keys/api-key-store.ts'
import { hashOf, isWellFormed } from '../../server/auth/key-text.ts'
import { describeStores } from '../support/stores.ts'
import { admin, create, list, openServer, remove, rest, start, stranger } from './api-key-server.ts'

describeStores('the record of an API key', (newStore) => {
  it('is returned once, with the location of its record, and stored only as a hash', async () => {
    const server = await openServer(await newStore())
    const answer = await server.handlers.createApiKey({ ...rest, caller: admin, body: { name: 'ci', role: 'viewer' } })
    const { key = '', id = '', ...shown } = answer.body ?? {}
    expect(answer).toMatchObject({ status: 201, headers: { Location: `/api/v1/api-keys/${id}` } })
    expect(isWellFormed(key)).toBe(true)
    expect(shown).toEqual({
      name: 'ci',
      role: 'viewer',
      prefix: key.slice(0, 8),
      last4: key.slice(-4),
      created_by: 'ada',
      created_at: start.toISOString(),
      updated_at: start.toISOString(),
      expires_at: null,
      last_used_at: null,
    })
    const [row] = await server.metadata.db.selectFrom('api_keys').selectAll().execute()
    expect(row?.hash).toBe(hashOf(key))
    expect(JSON.stringify(row)).not.toContain(key.slice(8, -4))
    expect(JSON.stringify(await list(server))).not.toMatch(/hash|"key"|org/)
  })

  it('is listed newest first, page by page, while other keys are created and deleted', async () => {
    const server = await openServer(await newStore())
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.unshift((await create(server, { name: `k${n}` })).id)
    const first = await list(server, { limit: 2 })
    await create(server, { name: 'late' })
    await remove(server, ids[1] ?? '')
    const second = await list(server, { limit: 2, cursor: first.next_cursor ?? '' })
    const third = await list(server, { limit: 2, cursor: second.next_cursor ?? '' })
    expect([first, second, third].map(({ items }) => items.map(({ id }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ])
    expect(third.next_cursor).toBeNull()
  })

  it('of another organization is not listed, cannot be deleted, and its cursors are rejected', async () => {
    const server = await openServer(await newStore())
    const { id, key } = await create(server)
    await create(server)
    expect(await list(server, {}, stranger)).toEqual({ items: [], next_cursor: null })
    await expect(remove(server, id, stranger)).rejects.toMatchObject({ code: 'not_found', status: 404 })
    expect(await server.verifier.verify(key)).toBeDefined()
    const { next_cursor: cursor } = await list(server, { limit: 1 })
    const theirs = list(server, { cursor: cursor ?? '' }, stranger)
    await expect(theirs).rejects.toMatchObject({ code: 'invalid_cursor', status: 400 })
  })

  it.each(['', 'x', 'bnVsbA', 'WyJhIl0', Buffer.from('["[\\"api keys\\",\\"acme\\"]",1]').toString('base64url')])(
    'is not listed for the cursor %j',
    async (cursor) => {
      const server = await openServer(await newStore())
      await expect(list(server, { cursor })).rejects.toMatchObject({ code: 'invalid_cursor' })
    },
  )

  it('that does not exist cannot be deleted', async () => {
    const server = await openServer(await newStore())
    const { id } = await create(server)
    expect(await remove(server, id)).toEqual({ status: 204 })
    await expect(remove(server, id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['an expiry in the past', { expires_at: '2026-03-01T08:59:59Z' }, '/expires_at'],
    ['an expiry now', { expires_at: '2026-03-01T09:00:00Z' }, '/expires_at'],
    ['an expiry after the year 9999 in UTC', { expires_at: '9999-12-31T23:59:59-14:00' }, '/expires_at'],
    ['an invalid expiry', { expires_at: '2026-12-30T23:59:60Z' }, '/expires_at'],
    ['a null character in its name', { name: 'a\0b' }, '/name'],
  ])('with %s is not created', async (_, body, pointer) => {
    const server = await openServer(await newStore())
    await expect(create(server, body)).rejects.toMatchObject({ status: 400, extras: { errors: [{ pointer }] } })
  })

  it('beyond the limit of an organization is refused, without affecting other organizations', async () => {
    const server = await openServer(await newStore())
    const { id, ...row } = await create(server)
    const { key: _, ...record } = { ...row, org: 'acme' }
    const rows = Array.from({ length: keysPerOrgMax - 1 }, (_, n) => ({ ...record, id: `${id}${n}`, hash: `${n}` }))
    for (let at = 0; at < rows.length; at += 100) {
      await server.metadata.db
        .insertInto('api_keys')
        .values(rows.slice(at, at + 100))
        .execute()
    }
    await expect(create(server)).rejects.toMatchObject({ code: 'refused', status: 422 })
    expect((await create(server, {}, stranger)).name).toBe('collector')
  })
})
