import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Metadata, type MetadataOptions, openMetadata } from '../../server/metadata/database.ts'
import type { ApiKeysTable } from '../../server/metadata/schema.ts'
import { isUniqueViolation } from '../../server/metadata/store-error.ts'
import { forkTypeScript } from '../support/fork-typescript.ts'
import { startPostgres } from '../support/postgres.ts'
import { describeStores } from '../support/stores.ts'

const open: Metadata[] = []
afterEach(async () => {
  for (const metadata of open.splice(0)) await metadata.close()
})

async function opened(options: MetadataOptions): Promise<Metadata> {
  const metadata = await openMetadata(options)
  open.push(metadata)
  return metadata
}

function row(id: string, more: Partial<ApiKeysTable> = {}): ApiKeysTable {
  const at = '2026-01-01T00:00:00.000Z'
  const names = { org: 'acme', name: id, role: 'viewer', prefix: 'tf_abcdef', last4: 'wxyz', created_by: 'me' } as const
  return {
    ...names,
    id,
    hash: id,
    created_at: at,
    updated_at: at,
    expires_at: null,
    last_used_at: null,
    ...more,
  }
}

/** Runs test/metadata/migrate-child.ts in a child process and returns its exit code. */
async function migrateInChild(options: MetadataOptions): Promise<number> {
  const path = join(import.meta.dirname, 'migrate-child.ts')
  const child = forkTypeScript(path, [JSON.stringify(options)])
  const [code] = await once(child, 'exit')
  return code
}

describeStores('the metadata store', (newStore) => {
  it('is not migrated when it is new', async () => {
    const metadata = await opened(await newStore())
    expect(await metadata.isMigrated()).toBe(false)
    await metadata.migrate()
    expect(await metadata.isMigrated()).toBe(true)
  })

  it('is migrated once by concurrent servers in one process', async () => {
    const options = await newStore()
    const servers = await Promise.all([1, 2, 3, 4].map(() => opened(options)))
    const wereNew = await Promise.all(servers.map((metadata) => metadata.migrate()))
    expect(wereNew.filter(Boolean)).toHaveLength(1)
    for (const metadata of servers) expect(await metadata.isMigrated()).toBe(true)
    expect(await (await opened(options)).migrate()).toBe(false)
  })

  it('is migrated once by concurrent processes', async () => {
    const options = await newStore()
    expect(await Promise.all([1, 2, 3].map(() => migrateInChild(options)))).toEqual([0, 0, 0])
    expect(await (await opened(options)).isMigrated()).toBe(true)
  })

  it('is migrated after the clock was set back between two migrations', async () => {
    const metadata = await opened(await newStore())
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    await metadata.migrate({ to: '0004-sessions' })
    vi.useRealTimers()
    for (const _ of ['the others', 'none']) expect(await metadata.migrate()).toBe(false)
    expect(await metadata.isMigrated()).toBe(true)
  })

  it('responds to a ping', async () => {
    expect(await (await opened(await newStore())).ping()).toBe(true)
  })

  it('recognizes a duplicate key', async () => {
    const metadata = await opened(await newStore())
    await metadata.migrate()
    await metadata.db.insertInto('api_keys').values(row('k1')).execute()
    const again = metadata.db.insertInto('api_keys').values(row('k1')).returning('id').execute()
    expect(isUniqueViolation(await again.catch((error: unknown) => error))).toBe(true)
  })

  it('sorts texts by bytes', async () => {
    const metadata = await opened(await newStore())
    await metadata.migrate()
    for (const id of ['a', 'B', 'ä', '_', 'Z']) await metadata.db.insertInto('api_keys').values(row(id)).execute()
    const sorted = await metadata.db.selectFrom('api_keys').select('id').orderBy('id').execute()
    expect(sorted.map(({ id }) => id)).toEqual(['B', 'Z', '_', 'a', 'ä'])
  })

  it('returns texts, nulls and counts as they were stored', async () => {
    const metadata = await opened(await newStore())
    await metadata.migrate()
    const name = 'naïve 🗝 \'"\\'
    await metadata.db.insertInto('api_keys').values(row('k1', { name })).execute()
    expect(await metadata.db.selectFrom('api_keys').selectAll().execute()).toEqual([row('k1', { name })])
    const count = await metadata.db.selectFrom('api_keys').select(sql<number>`count(*)`.as('n')).executeTakeFirst()
    expect(count).toEqual({ n: 1 })
  })

  it('rolls back a transaction that throws', async () => {
    const metadata = await opened(await newStore())
    await metadata.migrate()
    const work = metadata.transaction(async (transaction) => {
      await transaction.insertInto('api_keys').values(row('k1')).execute()
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await metadata.db.selectFrom('api_keys').selectAll().execute()).toEqual([])
  })

  it('commits every one of many concurrent read-then-write transactions', async () => {
    const options = await newStore()
    const servers = await Promise.all([1, 2].map(() => opened(options)))
    await servers[0]?.migrate()
    const insert = (metadata: Metadata, id: string) =>
      metadata.transaction(async (transaction) => {
        await transaction.selectFrom('api_keys').select('id').execute()
        await transaction.insertInto('api_keys').values(row(id)).execute()
      })
    await Promise.all(servers.flatMap((metadata, s) => [1, 2, 3, 4, 5].map((n) => insert(metadata, `${s}-${n}`))))
    expect(await servers[0]?.db.selectFrom('api_keys').select('id').execute()).toHaveLength(10)
  })

  it('refuses a store that another version has migrated, and names the unknown migration', async () => {
    const metadata = await opened(await newStore())
    await metadata.migrate()
    await sql`insert into tracefold_migration (name, timestamp) values ('9999-later', 'now')`.execute(metadata.db)
    await expect(metadata.migrate()).rejects.toThrow('has the migration 9999-later, which this version does not know')
  })
})

describe('the libsql file', () => {
  it('can be read by its owner only, like its directory', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'tracefold-metadata-'))
    const dataDir = join(parent, 'new', 'data')
    const metadata = await opened({ dataDir })
    await metadata.migrate()
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    for (const file of ['metadata.db', 'metadata.db-wal', 'metadata.db-shm']) {
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600)
    }
    await rm(parent, { recursive: true })
  })

  it('refuses values that would abort the process', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tracefold-metadata-'))
    const metadata = await opened({ dataDir })
    await expect(sql`select ${true}`.execute(metadata.db)).rejects.toThrow('type boolean cannot be stored')
    await expect(sql`select ${undefined}`.execute(metadata.db)).rejects.toThrow('type undefined cannot be stored')
    await expect(sql`select ${new Date()}`.execute(metadata.db)).rejects.toThrow('type object cannot be stored')
    await rm(dataDir, { recursive: true })
  })

  it('says that its disk is full', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tracefold-full-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { db, migrate } = await opened({ dataDir: folder })
    await migrate()
    // SQLite reports a file of as many pages as it may have as a full disk.
    await sql`PRAGMA max_page_count = 1`.execute(db)
    const filling = db
      .insertInto('api_keys')
      .values(row('a', { name: 'x'.repeat(1_000_000) }))
      .execute()
    await expect(filling).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('The disk of the metadata store is full.'),
    })
  })

  it('is unavailable when the file cannot be created', async () => {
    const metadata = await opened({ dataDir: '/dev/null/nowhere' })
    expect(await metadata.ping()).toBe(false)
  })
})

describe('two transactions on Postgres that deadlock', () => {
  it('are both committed', async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.remove())
    const metadata = await openMetadata({ dataDir: '/nonexistent', metadataUrl: await postgres.createDatabase() })
    onTestFinished(() => metadata.close())
    await metadata.migrate()
    for (const id of ['k1', 'k2']) await metadata.db.insertInto('api_keys').values(row(id)).execute()
    const runs: string[] = []
    let changed = 0
    let bothHoldOne = () => {}
    const bothHold = new Promise<void>((resolve) => {
      bothHoldOne = resolve
    })
    const rename = (name: string, ...ids: readonly string[]) =>
      metadata.transaction(async (transaction) => {
        runs.push(name)
        for (const id of ids) {
          await transaction.updateTable('api_keys').set({ name }).where('id', '=', id).execute()
          if (++changed === 2) bothHoldOne()
          await bothHold
        }
      })
    await Promise.all([rename('one', 'k1', 'k2'), rename('two', 'k2', 'k1')])
    const [last, ...earlier] = runs.reverse()
    expect(earlier).toContain(last)
    const stored = await metadata.db.selectFrom('api_keys').select('name').execute()
    expect(stored).toEqual([{ name: last }, { name: last }])
  })
})

describe('an unreachable Postgres', () => {
  it('does not keep the server from opening the store; its use fails with Retry-After', async () => {
    const metadata = await opened({ dataDir: '/nonexistent', metadataUrl: 'postgres://me@127.0.0.1:1/none' })
    expect(await metadata.ping()).toBe(false)
    await expect(metadata.migrate()).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfterSeconds: 5 } })
  })

  it('is unavailable while it is down and works again afterwards, without a restart of the server', async () => {
    const postgres = await startPostgres()
    const metadata = await opened({ dataDir: '/nonexistent', metadataUrl: await postgres.createDatabase() })
    await metadata.migrate()
    await postgres.stop()
    const read = () => metadata.db.selectFrom('api_keys').selectAll().execute()
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
    await postgres.start()
    expect(await read()).toEqual([])
    await metadata.close()
    await postgres.remove()
  })
})
