import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type Metadata, type MetadataOptions, openMetadata } from '../../server/metadata/database.ts'
import {
  MetadataNotEmpty,
  type RestoredMetadata,
  restoreSnapshot,
  type SnapshotRow,
  takeSnapshot,
} from '../../server/metadata/snapshot.ts'
import { snapshotTableNames } from '../../server/metadata/snapshot-tables.ts'
import { describeStores, type NewStore } from '../support/stores.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const at = '2026-11-20T10:00:00.000Z'
const integration = { description: 'ä "quoted"\n', rule_match: 'any' as const, matchers: '[]', version: 3 }

async function open(options: MetadataOptions): Promise<Metadata> {
  const metadata = await openMetadata(options)
  onTestFinished(() => metadata.close())
  await metadata.migrate()
  return metadata
}

async function addIntegrations({ db }: Metadata, first: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...integration,
    org: 'acme',
    id: `integration-${String(first + index).padStart(5, '0')}`,
    name: `name ${first + index}`,
    grants_version: 1,
    created_at: at,
    updated_at: at,
  }))
  await db.insertInto('integrations').values(rows).execute()
}

/** Reads a whole snapshot. `duringTables` runs between the first table and the others. */
async function read(options: MetadataOptions, duringTables: () => Promise<void> = async () => {}) {
  const rows = new Map<string, SnapshotRow[]>()
  const migrations = await takeSnapshot(options, async ({ name, pages }) => {
    const all: SnapshotRow[] = []
    for await (const page of pages) all.push(...page)
    rows.set(name, all)
    if (rows.size === 1) await duringTables()
  })
  return { migrations, rows }
}

function toRestore({ migrations, rows }: Awaited<ReturnType<typeof read>>): RestoredMetadata {
  const pagesOf = async function* (all: SnapshotRow[]) {
    for (let from = 0; from < all.length; from += 200) yield all.slice(from, from + 200)
  }
  return { migrations, tables: [...rows].map(([name, all]) => ({ name, pages: pagesOf(all) })) }
}

function workDir(): string {
  const directory = temporaryFolder()
  return directory
}

const plain = { replacing: false, beforeCommit: async () => {} }

function snapshotCases(newStore: NewStore): void {
  it('a restored snapshot has every row of every table', async () => {
    const source = await newStore()
    const metadata = await open(source)
    await addIntegrations(metadata, 0, 1_300)
    await metadata.db
      .insertInto('integration_grants')
      .values({ org: 'acme', subject: 'ada', integration_id: 'integration-00007' })
      .execute()
    const taken = await read(source)
    const target = await newStore()
    const restored = await restoreSnapshot(await open(target), toRestore(taken), { ...plain, workDir: workDir() })
    expect(restored).toBe(1_301)
    expect(await read(target)).toEqual(taken)
    expect([...taken.rows.keys()]).toEqual(snapshotTableNames)
  })

  it('a snapshot does not contain what is written while it is taken, and does not block the writer', async () => {
    const source = await newStore()
    const metadata = await open(source)
    await addIntegrations(metadata, 0, 3)
    const taken = await read(source, () => addIntegrations(metadata, 3, 3))
    expect(taken.rows.get('integrations')).toHaveLength(3)
    expect((await read(source)).rows.get('integrations')).toHaveLength(6)
  })

  it('a store with records is refused, and replaced on request', async () => {
    const [source, target] = [await newStore(), await newStore()]
    await addIntegrations(await open(source), 0, 2)
    const metadata = await open(target)
    await addIntegrations(metadata, 10, 5)
    const taken = await read(source)
    const refused = restoreSnapshot(metadata, toRestore(taken), { ...plain, workDir: workDir() })
    await expect(refused).rejects.toThrow(MetadataNotEmpty)
    await restoreSnapshot(metadata, toRestore(taken), { ...plain, replacing: true, workDir: workDir() })
    expect(await read(target)).toEqual(taken)
  })

  it('nothing is restored if the step before the commit fails', async () => {
    const [source, target] = [await newStore(), await newStore()]
    await addIntegrations(await open(source), 0, 2)
    const metadata = await open(target)
    const beforeCommit = async () => Promise.reject(new Error('the disk is full'))
    const restoring = restoreSnapshot(metadata, toRestore(await read(source)), {
      replacing: false,
      beforeCommit,
      workDir: workDir(),
    })
    await expect(restoring).rejects.toThrow('the disk is full')
    expect((await read(target)).rows.get('integrations')).toEqual([])
  })

  it('a snapshot with a migration that this version does not know is refused', async () => {
    const metadata = await open(await newStore())
    const newer = { migrations: ['0001-initial', '9999-later'], tables: [] }
    await expect(restoreSnapshot(metadata, newer, { ...plain, workDir: workDir() })).rejects.toThrow(
      'The metadata migration 9999-later is not known to this version.',
    )
  })
}

function pagingCases(newStore: NewStore): void {
  it('large rows are read in small pages', async () => {
    const source = await newStore()
    const metadata = await open(source)
    const texts = { id: 'c', name: 'c', url: 'http://receiver.example/', created_at: at, updated_at: at }
    const channel = { ...texts, org: 'acme', kind: 'webhook', format: 'json', version: 1 } as const
    await metadata.db.insertInto('channels').values(channel).execute()
    const pending = { org: 'acme', channel_id: 'c', event: 'firing', state: 'pending', tries: 1 } as const
    const sent = { context: '{}', body: 'x'.repeat(2 ** 20), due_at: at, created_at: at }
    for (let n = 0; n < 20; n += 1) {
      const delivery = { ...pending, ...sent, id: `delivery-${n}`, alert_id: `alert-${n}` }
      await metadata.db.insertInto('deliveries').values(delivery).execute()
    }
    const sizes: number[] = []
    await takeSnapshot(source, async ({ name, pages }) => {
      for await (const page of pages) if (name === 'deliveries') sizes.push(page.length)
    })
    expect(sizes.reduce((sum, size) => sum + size)).toBe(20)
    expect(Math.max(...sizes)).toBeLessThan(10)
  })

  it('files may take longer than Postgres lets other transactions be idle', async () => {
    const options = await newStore()
    await addIntegrations(await open(options), 0, 1)
    const { metadataUrl } = options
    const impatient = metadataUrl && { metadataUrl: `${metadataUrl}?idle_in_transaction_session_timeout=2000` }
    const { rows } = await read({ ...options, ...impatient }, () => sleep(2_500))
    expect(rows.get('integrations')).toHaveLength(1)
  })
}

describeStores('Snapshots', snapshotCases)
describeStores('The pages of snapshots', pagingCases)
