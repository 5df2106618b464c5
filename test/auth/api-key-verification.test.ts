import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicFactory } from 'ulid'
import { describe, expect, it } from 'vitest'
import { type ApiKeyStore, createApiKeyStore } from '../../server/api-keys/api-key-store.ts'
import { cachedMsMax, createApiKeyVerifier } from '../../server/api-keys/api-key-verifier.ts'
import { generateKey } from '../../server/auth/key-text.ts'
import { openMetadata } from '../../server/metadata/database.ts'
import { describeStores } from '../support/stores.ts'
import { create, list, openServer, remove, start } from './api-key-server.ts'

describeStores('an API key', (newStore) => {
  it('identifies its organization, its role and itself', async () => {
    const server = await openServer(await newStore())
    for (const role of ['restricted', 'viewer', 'contributor', 'admin', 'ingest'] as const) {
      const { id, key } = await create(server, { role })
      expect(await server.verifier.verify(key)).toEqual({
        org: 'acme',
        role,
        subject: `key:${id}`,
        apiKeyName: 'collector',
      })
    }
  })

  it('expires at its exact millisecond, cached or not', async () => {
    const server = await openServer(await newStore())
    const { key } = await create(server, { expires_at: '2026-03-01T09:00:01.5009Z' })
    server.passMs(1_499)
    expect(await server.verifier.verify(key)).toBeDefined()
    server.passMs(1)
    await expect(server.verifier.verify(key)).rejects.toMatchObject({
      status: 401,
      message: 'The API key expired at 2026-03-01T09:00:01.500Z.',
    })
  })

  it('is rejected immediately when deleted here, and within the cache time when deleted elsewhere', async () => {
    const options = await newStore()
    const [here, elsewhere] = [await openServer(options), await openServer(options)]
    const { id, key } = await create(here)
    for (const server of [here, elsewhere]) expect(await server.verifier.verify(key)).toBeDefined()
    await remove(here, id)
    expect(await here.verifier.verify(key)).toBeUndefined()
    elsewhere.passMs(cachedMsMax)
    expect(await elsewhere.verifier.verify(key)).toBeUndefined()
  })

  it.each([cachedMsMax / 2, 3_600_000])(
    'that is deleted elsewhere is rejected within the cache time after the clock was set back by %i ms, too',
    async (ms) => {
      const options = await newStore()
      const [here, elsewhere] = [await openServer(options), await openServer(options)]
      const { id, key } = await create(here)
      expect(await elsewhere.verifier.verify(key)).toBeDefined()
      await remove(here, id)
      elsewhere.setClockBack(ms)
      elsewhere.passMs(cachedMsMax)
      expect(await elsewhere.verifier.verify(key)).toBeUndefined()
    },
  )

  it('that is deleted during a lookup is not cached', async () => {
    const server = await openServer(await newStore())
    const { id, key } = await create(server)
    await Promise.all([server.verifier.verify(key), remove(server, id), server.verifier.verify(key)])
    expect(await server.verifier.verify(key)).toBeUndefined()
  })

  it('that is created on one server works immediately on the others', async () => {
    const options = await newStore()
    const [here, elsewhere] = [await openServer(options), await openServer(options)]
    const { key } = await create(here)
    expect(await elsewhere.verifier.verify(key)).toBeDefined()
  })

  it('is rejected when any character is changed or added', async () => {
    const server = await openServer(await newStore())
    const { key } = await create(server)
    for (let at = 0; at < key.length; at += 1) {
      const changed = `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`
      expect(await server.verifier.verify(changed), changed).toBeUndefined()
    }
    for (const changed of [`${key} `, ` ${key}`, `${key}\n`, key.toUpperCase(), key.slice(0, -1), 'tf_', '']) {
      expect(await server.verifier.verify(changed), changed).toBeUndefined()
    }
  })

  it('shows when it was last used, after the next flush', async () => {
    const server = await openServer(await newStore())
    const { key } = await create(server)
    await create(server, { name: 'unused' })
    for (let n = 0; n < 3; n += 1) {
      server.passMs(1_000)
      await server.verifier.verify(key)
    }
    const lastUses = async () =>
      (await server.store.list('acme', { limit: 9, before: undefined })).map((k) => k.last_used_at)
    expect(await lastUses()).toEqual([null, null])
    await server.verifier.flush()
    expect(await lastUses()).toEqual([null, '2026-03-01T09:00:03.000Z'])
  })

  it('keeps the latest use that two servers record', async () => {
    const options = await newStore()
    const [early, late] = [await openServer(options), await openServer(options)]
    const { key } = await create(early)
    late.passMs(10_000)
    for (const server of [early, late]) await server.verifier.verify(key)
    await late.verifier.flush()
    await early.verifier.flush()
    const [record] = await early.store.list('acme', { limit: 1, before: undefined })
    expect(record?.last_used_at).toBe('2026-03-01T09:00:10.000Z')
  })

  it('is recorded as used when the server stops', async () => {
    const server = await openServer(await newStore())
    const { key } = await create(server)
    await server.verifier.verify(key)
    await server.verifier.close()
    expect((await list(server)).items[0]).toMatchObject({ last_used_at: start.toISOString() })
  })
})

describe('an API key while the store is unreachable', () => {
  const down = { dataDir: '/nonexistent', metadataUrl: 'postgres://me@127.0.0.1:1/none' }

  it('is neither accepted nor rejected, and its uses are kept for later', async () => {
    const metadata = await openMetadata(down)
    const store = createApiKeyStore({ metadata, now: () => start, newId: monotonicFactory() })
    const verifier = createApiKeyVerifier({ store, now: () => start })
    const key = generateKey()
    for (let n = 0; n < 2; n += 1) await expect(verifier.verify(key)).rejects.toMatchObject({ code: 'unavailable' })
    await verifier.close()
    await metadata.close()
  })

  it('is also unavailable before the store is migrated', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tracefold-keys-'))
    const metadata = await openMetadata({ dataDir })
    const store = createApiKeyStore({ metadata, now: () => start, newId: monotonicFactory() })
    await expect(store.find('tf_x')).rejects.toMatchObject({ code: 'unavailable' })
    await metadata.close()
    await rm(dataDir, { recursive: true })
  })
})

describe('the uses of API keys', () => {
  it('that cannot be recorded are recorded the next time', async () => {
    let fails = true
    const noted: string[] = []
    const record = { org: 'acme', id: 'k1', role: 'viewer', expires_at: null } as Awaited<
      ReturnType<ApiKeyStore['find']>
    >
    const errors: unknown[] = []
    const store = {
      find: async () => record,
      async noteUses(uses: readonly { id: string; at: string }[]) {
        if (fails) {
          await verifier.verify(generateKey())
          throw new Error('down')
        }
        noted.push(...uses.map(({ id, at }) => `${id} ${at}`))
      },
    } as Partial<ApiKeyStore> as ApiKeyStore
    let uses = 0
    const now = () => new Date(start.getTime() + 1_000 * uses++)
    const verifier = createApiKeyVerifier({ store, now, onFlushError: (error) => errors.push(error) })
    await verifier.verify(generateKey())
    await expect(verifier.flush()).rejects.toThrow('down')
    fails = false
    await verifier.close()
    expect([noted, errors]).toEqual([[`k1 ${new Date(start.getTime() + 1_000 * (uses - 1)).toISOString()}`], []])
  })
})
