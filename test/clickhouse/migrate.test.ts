import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listLockTables, setLockHeldUntil } from '#sql'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { migrate, requireClickHouseVersion } from '../../server/clickhouse/migrate/migrate.ts'
import { readMigrations } from '../../server/clickhouse/migrate/migration-files.ts'
import { withMigrationLock } from '../../server/clickhouse/migrate/migration-lock.ts'
import { openDatabase } from '../support/engine.ts'
import { column } from '../support/own-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Lock {
  readonly number: number
  readonly heldUntil: number
  readonly now: number
}

let databases = 0

/** Returns a client of a database that does not exist yet. */
function newDatabase(): ClickHouse {
  const clickhouse = openDatabase(`test_migrate_${process.pid}_${databases++}`)
  onTestFinished(async () => {
    await clickhouse.command(`DROP DATABASE IF EXISTS ${clickhouse.database} SYNC`).catch(() => undefined)
    await clickhouse.close()
  })
  return clickhouse
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = path.join(temporaryFolder(), 'migrations')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  return folder
}

/** Returns the names of the migrations that were applied completely. */
function recorded(clickhouse: ClickHouse): Promise<unknown[]> {
  return column(clickhouse, 'SELECT name FROM schema_migrations ORDER BY name')
}

const things = 'CREATE TABLE IF NOT EXISTS things (x UInt8) ENGINE = MergeTree ORDER BY x;\n'
const addThing = 'INSERT INTO things VALUES (1);\n'

describe('migrating', () => {
  it('creates the database and applies each file once, in order', async () => {
    const clickhouse = newDatabase()
    const folder = folderOf({ '0001-things.sql': things, '0002-one.sql': addThing })
    const applied: string[] = []
    const onApplied = (name: string) => applied.push(name)
    await migrate(clickhouse, { folder, onApplied })
    await migrate(clickhouse, { folder, onApplied })
    expect(applied).toEqual(['0001-things', '0002-one'])
    expect(await column(clickhouse, 'SELECT x FROM things')).toEqual([1])
    expect(await recorded(clickhouse)).toEqual(['0001-things', '0002-one'])
  })

  it('applies the files that a newer version adds', async () => {
    const clickhouse = newDatabase()
    await migrate(clickhouse, { folder: folderOf({ '0001-things.sql': things }) })
    const folder = folderOf({ '0001-things.sql': things, '0002-one.sql': addThing })
    expect(await recorded(clickhouse)).toEqual(['0001-things'])
    await migrate(clickhouse, { folder })
    expect(await column(clickhouse, 'SELECT x FROM things')).toEqual([1])
  })

  it('runs the whole file again after a failure', async () => {
    const clickhouse = newDatabase()
    const broken = folderOf({ '0001-things.sql': `${things}SELECT * FROM nowhere;\n` })
    await expect(migrate(clickhouse, { folder: broken })).rejects.toThrow('UNKNOWN_TABLE')
    expect(await recorded(clickhouse)).toEqual([])
    const folder = folderOf({ '0001-things.sql': `${things}${addThing}` })
    await migrate(clickhouse, { folder })
    expect(await column(clickhouse, 'SELECT x FROM things')).toEqual([1])
  })

  it('refuses a database to which another text of a migration was applied', async () => {
    const clickhouse = newDatabase()
    await migrate(clickhouse, { folder: folderOf({ '0001-things.sql': things }) })
    const folder = folderOf({ '0001-things.sql': `${things} ` })
    const message = 'The migration 0001-things of the database differs from that of this version'
    await expect(migrate(clickhouse, { folder })).rejects.toThrow(message)
  })

  it('accepts a database to which 0011 was applied with the comment that it had at first', async () => {
    const clickhouse = newDatabase()
    await migrate(clickhouse)
    const first = '4ebd74720fcade78802b889298d57a344b4ad4673ba7635c8d1c63c5a444c481'
    const update = `ALTER TABLE schema_migrations UPDATE checksum = '${first}' WHERE name = '0011-cold-paths'`
    await clickhouse.command(`${update} SETTINGS mutations_sync = 2`)
    await migrate(clickhouse)
    expect(await column(clickhouse, "SELECT checksum FROM schema_migrations WHERE name LIKE '0011%'")).toEqual([first])
  })

  it('refuses a database that a newer version has migrated', async () => {
    const clickhouse = newDatabase()
    await migrate(clickhouse, { folder: folderOf({ '0001-things.sql': things, '0002-one.sql': addThing }) })
    const older = migrate(clickhouse, { folder: folderOf({ '0001-things.sql': things }) })
    await expect(older).rejects.toThrow('The database has the migration 0002-one, which this version does not know')
  })

  it('runs once when several servers start at the same time', async () => {
    const clickhouse = newDatabase()
    const folder = folderOf({ '0001-things.sql': things, '0002-one.sql': addThing })
    const servers = Array.from({ length: 4 }, () => openDatabase(clickhouse.database))
    await Promise.all(servers.map((server) => migrate(server, { folder })))
    expect(await column(clickhouse, 'SELECT x FROM things')).toEqual([1])
    expect(
      await column(
        clickhouse,
        "SELECT name FROM system.tables WHERE name LIKE 'schema_lock%' AND database = currentDatabase()",
      ),
    ).toHaveLength(1)
    await Promise.all(servers.map((server) => server.close()))
  })

  it('replaces placeholders, leaves parameters unchanged, and refuses a placeholder without a value', async () => {
    const clickhouse = newDatabase()
    const folder = folderOf({
      '0001-things.sql': `-- A remark; with a semicolon.\n${things.replace('UInt8', '{type}')};\n-- The end.\n`,
    })
    await expect(migrate(clickhouse, { folder })).rejects.toThrow('unknown placeholder {type}')
    await migrate(clickhouse, { folder, placeholders: { type: 'UInt16' } })
    expect(await column(clickhouse, 'SELECT toTypeName(x) FROM (SELECT x FROM things UNION ALL SELECT 1)')).toEqual([
      'UInt16',
    ])
  })
})

describe('migration files', () => {
  it.each([
    ['a gap', { '0001-a.sql': '', '0003-c.sql': '' }, 'The migration 0003-c.sql should be named 0002-<name>.sql'],
    ['a duplicate', { '0001-a.sql': '', '0001-b.sql': '' }, 'The migration 0001-b.sql should be named 0002-<name>.sql'],
    ['another name', { 'first.sql': '' }, 'The migration first.sql should be named 0001-<name>.sql'],
  ])('with %s in their numbers are refused', (_, files, message) => {
    expect(() => readMigrations(folderOf(files))).toThrow(message)
  })

  // Not even a comment may change: the stores of earlier versions would be refused.
  it('of this server are those that were released', () => {
    expect(readMigrations().map(({ name, checksum }) => `${name} ${checksum.slice(0, 16)}`)).toEqual([
      '0001-spans ecb1128b00278540',
      '0002-metrics 81131147ad1df60c',
      '0003-log-records ad26c25bf5c103b3',
      '0004-stored-rank-index 7181fd8e90c71969',
      '0005-repeated-spans d088989032b7d68c',
      '0006-value-index bc0c234672a63a72',
      '0007-value-index-keys 39b9d60b3784df29',
      '0008-trace-id-filter b3361c19921cf1f6',
      '0009-links-filter 2dd502c15ac05932',
      '0010-log-value-index dc558e478a5337d7',
      '0011-cold-paths 1e8329e5239194c4',
    ])
  })
})

describe('the migration lock', () => {
  /** Returns the lock that counts. */
  const newestLock = async (clickhouse: ClickHouse) => {
    const query = listLockTables(clickhouse.database)
    const { rows } = await clickhouse.read<Lock>(query, { for: 'system', label: 'the migration lock' })
    const [newest = { number: 0, heldUntil: 0, now: 0 }] = rows
    return { number: newest.number, isHeld: newest.heldUntil > newest.now }
  }

  it('is renewed every ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const clickhouse = newDatabase()
    await clickhouse.createDatabase()
    await withMigrationLock(clickhouse, async () => {
      const { number } = await newestLock(clickhouse)
      await clickhouse.command(setLockHeldUntil(number, 1))
      vi.advanceTimersByTime(10_000)
      await expect.poll(() => newestLock(clickhouse)).toEqual({ number, isHeld: true })
    })
    expect((await newestLock(clickhouse)).isHeld).toBe(false)
  })

  it('is not held by a server that saw it free before two others held it', async () => {
    const clickhouse = newDatabase()
    await clickhouse.createDatabase()
    const slow = { ...clickhouse, database: clickhouse.database, command: clickhouse.command.bind(clickhouse) }
    slow.read = async (...query) => {
      const seen = await clickhouse.read<never>(...query)
      slow.read = clickhouse.read.bind(clickhouse)
      for (let other = 0; other < 2; other++) await withMigrationLock(clickhouse, async () => undefined)
      return seen
    }
    const held: boolean[] = []
    await withMigrationLock(slow, async () => void held.push((await newestLock(clickhouse)).isHeld), { pollMs: 20 })
    expect(held).toEqual([true])
  })

  it('of a killed holder expires', async () => {
    const clickhouse = newDatabase()
    await clickhouse.createDatabase()
    const timing = { leaseSeconds: 1, pollMs: 20 }
    const killed = { ...clickhouse, database: clickhouse.database, read: clickhouse.read.bind(clickhouse) }
    const commands: string[] = []
    killed.command = async (text: string) => {
      // Stops as soon as it holds the lock: neither renews nor releases it.
      if (!text.startsWith('CREATE')) return
      commands.push(text)
      await clickhouse.command(text)
    }
    await withMigrationLock(killed as ClickHouse, async () => undefined, timing)
    expect(commands).toHaveLength(1)
    let ran = 0
    await withMigrationLock(clickhouse, async () => void ran++, timing)
    expect(ran).toBe(1)
  })

  it('that another server took over, because its holder was suspended, fails nothing', async () => {
    const clickhouse = newDatabase()
    await clickhouse.createDatabase()
    await withMigrationLock(clickhouse, async () => {
      const { number } = await newestLock(clickhouse)
      await clickhouse.command(setLockHeldUntil(number, 1))
      await withMigrationLock(clickhouse, async () => undefined)
    })
    expect((await newestLock(clickhouse)).isHeld).toBe(false)
  })

  it('is not waited for, and not taken, once the server stops', async () => {
    const clickhouse = newDatabase()
    await clickhouse.createDatabase()
    const stopping = new AbortController()
    let ran = 0
    await withMigrationLock(clickhouse, async () => {
      const waiting = withMigrationLock(openDatabase(clickhouse.database), async () => void ran++, {
        signal: stopping.signal,
      })
      stopping.abort()
      await expect(waiting).rejects.toThrow('aborted')
    })
    await withMigrationLock(clickhouse, async () => undefined)
    expect(ran).toBe(0)
  })

  it('is released when a migration stops, after the statement that is running', async () => {
    const clickhouse = newDatabase()
    const folder = folderOf({ '0001-things.sql': things, '0002-one.sql': `${addThing};\n${addThing}` })
    const stopping = new AbortController()
    const { signal } = stopping
    await expect(migrate(clickhouse, { folder, signal, onApplied: () => stopping.abort() })).rejects.toThrow('aborted')
    await withMigrationLock(clickhouse, async () => undefined)
    await migrate(clickhouse, { folder })
  })

  it('is released when the work under it fails', async () => {
    const clickhouse = newDatabase()
    await clickhouse.createDatabase()
    const failing = withMigrationLock(clickhouse, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    await expect(withMigrationLock(clickhouse, async () => undefined)).resolves.toBeUndefined()
  })
})

describe('the version', () => {
  it('of the embedded ClickHouse is new enough', async () => {
    const clickhouse = openDatabase('default')
    expect(Number.parseInt(await requireClickHouseVersion(clickhouse), 10)).toBeGreaterThanOrEqual(26)
    await clickhouse.close()
  })

  it('of an older ClickHouse is refused', async () => {
    const older = { read: async () => ({ rows: [{ version: '25.12.4.1' }] }) } as unknown as ClickHouse
    await expect(requireClickHouseVersion(older)).rejects.toThrow(
      'This ClickHouse is version 25.12.4.1. Tracefold needs 26.0 or newer.',
    )
  })
})
