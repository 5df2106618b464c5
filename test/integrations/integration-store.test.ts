import { once } from 'node:events'
import { join } from 'node:path'
import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import { editIntegration } from '../../server/integrations/edit-integration.ts'
import { createGrantStore } from '../../server/integrations/grants.ts'
import type { IntegrationContent, StoredMatcher } from '../../server/integrations/integration-record.ts'
import {
  createIntegrationStore,
  findIntegrationIdIn,
  findSliceIn,
  grantedSlicesIn,
} from '../../server/integrations/integration-store.ts'
import { integrationTransfer } from '../../server/integrations/integration-transfer.ts'
import type { Metadata, MetadataOptions } from '../../server/metadata/database.ts'
import type { RecordTransfer } from '../../server/transfer/record-transfer.ts'
import { createTransfer } from '../../server/transfer/transfer.ts'
import { createViewStore } from '../../server/views/view-store.ts'
import { viewTransfer } from '../../server/views/view-transfer.ts'
import { authorIn } from '../support/author.ts'
import { forkTypeScript } from '../support/fork-typescript.ts'
import { describeStores, openMigrated } from '../support/stores.ts'

const newId = monotonicFactory()
const now = () => new Date('2026-03-01T09:00:00.000Z')
const acme = { org: 'acme' }

async function open(options: MetadataOptions) {
  const metadata = await openMigrated(options)
  const store = createIntegrationStore({ metadata, now, newId })
  const grants = createGrantStore({ metadata, newId })
  return { metadata, store, grants, transfer: integrationTransfer(store, newId, async () => []) }
}

function serviceOf(service: string): StoredMatcher {
  const id = newId()
  return { id, match_group: id, service, service_match: 'exact', include_descendants: false }
}

function content(change: Partial<IntegrationContent> = {}): IntegrationContent {
  return { name: 'kept', description: '', rule_match: 'any', matchers: [serviceOf('old')], ...change }
}

async function auditedActions({ metadata }: { metadata: Metadata }): Promise<string[]> {
  const rows = await metadata.db.selectFrom('audit_entries').select('action').execute()
  return rows.map(({ action }) => action)
}

/** Imports as an admin of acme and returns the response body. */
async function importInto(
  { metadata }: { metadata: Metadata },
  transfers: RecordTransfer[],
  body: object,
  mode: 'merge' | 'replace',
) {
  const rest = { path: {}, headers: {}, signal: AbortSignal.any([]), requestId: 'r1', operation: 'test' }
  const caller = { org: 'acme', role: 'admin', subject: 'ada' } as const
  const { importConfig } = createTransfer({ metadata, now }, transfers).handlers
  return (await importConfig({ ...rest, caller, query: { mode }, body: { format_version: 1, ...body } })).body
}

/** Exports as an admin of acme and returns the response body. */
async function exportFrom({ metadata }: { metadata: Metadata }, transfers: RecordTransfer[]) {
  const rest = { path: {}, query: {}, headers: {}, signal: AbortSignal.any([]), requestId: 'r1', operation: 'test' }
  const caller = { org: 'acme', role: 'admin', subject: 'ada' } as const
  const { exportConfig } = createTransfer({ metadata, now }, transfers).handlers
  return (await exportConfig({ ...rest, caller, body: undefined })).body
}

describeStores('the store of integrations', (newStore) => {
  it('records when an integration was last changed, and keeps when it was created', async () => {
    const metadata = await openMigrated(await newStore())
    const later = new Date(now().getTime() + 1)
    const [before, after] = [now, () => later].map((clock) => createIntegrationStore({ metadata, now: clock, newId }))
    const created = await before?.insert(authorIn('acme'), content())
    const changed = created && (await after?.replace(authorIn('acme'), created, content({ description: 'd' })))
    expect(changed).toMatchObject({ created_at: now().toISOString(), updated_at: later.toISOString() })
  })

  it('returns what was stored, byte for byte', async () => {
    const { store } = await open(await newStore())
    const condition = { attribute_source: 'any', attribute_key: "a\u0000'`%\ud800", operator: 'equals' } as const
    const matchers = [1.5, true, '9007199254740993', 'ключ🗝'].map((value) => ({
      ...serviceOf('s'),
      ...condition,
      value,
    }))
    const stored = await store.insert(
      authorIn('acme'),
      content({ name: 'Größe "🗝"', description: 'two\nlines', matchers }),
    )
    expect(await store.find(acme, stored.id)).toEqual(stored)
    expect(await store.list(acme, { limit: 10, before: undefined })).toEqual([stored])
  })

  it('changes only a record that is unchanged since it was read', async () => {
    const { store } = await open(await newStore())
    const first = await store.insert(authorIn('acme'), content())
    const second = await store.replace(authorIn('acme'), first, content({ description: 'second' }))
    expect(await store.replace(authorIn('acme'), first, content({ description: 'late' }))).toBeUndefined()
    expect(await store.remove(authorIn('acme'), first)).toBe(false)
    expect(await store.find(acme, first.id)).toEqual(second)
    expect(second).toMatchObject({ description: 'second', version: 2 })
  })

  it('keeps organizations apart, even with equal ids and names', async () => {
    const { store } = await open(await newStore())
    const stored = await store.insert(authorIn('acme'), content())
    await store.insert(authorIn('evil'), content())
    expect(await store.find({ org: 'evil' }, stored.id)).toBeUndefined()
    expect(await store.replace(authorIn('evil'), stored, content({ name: 'x' }))).toBeUndefined()
    expect(await store.remove(authorIn('evil'), stored)).toBe(false)
  })

  it('lets one of 10 concurrent writers take a name', async () => {
    const { store } = await open(await newStore())
    const made = await Promise.allSettled(Array.from({ length: 10 }, () => store.insert(authorIn('acme'), content())))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toEqual(Array(9).fill('conflict'))
    const other = await store.insert(authorIn('acme'), content({ name: 'other' }))
    await expect(store.replace(authorIn('acme'), other, content())).rejects.toMatchObject({ code: 'conflict' })
  })

  it('serializes the edits of 20 concurrent writers without losing any', async () => {
    const { store } = await open(await newStore())
    const { id } = await store.insert(authorIn('acme'), content({ matchers: [] }))
    const add = (n: number) =>
      editIntegration(store, { author: authorIn('acme'), id, ifMatch: undefined }, (current) => ({
        ...current,
        matchers: [...current.matchers, serviceOf(`s${n}`)],
      }))
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    await Promise.all(numbers.map(add))
    const stored = await store.find(acme, id)
    expect(stored?.version).toBe(21)
    expect(stored?.matchers.map(({ service }) => service).sort()).toEqual(numbers.map((n) => `s${n}`).sort())
  })

  it('keeps the old matchers when the store fails between check and write', async () => {
    const { store } = await open(await newStore())
    const stored = await store.insert(authorIn('acme'), content())
    const failing = { ...store, replace: () => Promise.reject(new Error('the connection is gone')) }
    const edit = editIntegration(failing, { author: authorIn('acme'), id: stored.id, ifMatch: '"1"' }, (current) => ({
      ...current,
      matchers: [serviceOf('new')],
    }))
    await expect(edit).rejects.toThrow('the connection is gone')
    expect(await store.find(acme, stored.id)).toEqual(stored)
  })
})

describeStores('grants', (newStore) => {
  it('show a subject its integrations and their slices, and no others', async () => {
    const { metadata, store, grants } = await open(await newStore())
    const [one, two] = [
      await store.insert(authorIn('acme'), content()),
      await store.insert(authorIn('acme'), content({ name: 'two' })),
    ]
    await grants.replace(authorIn('acme'), one.id, { subjects: [], version: 1 }, ['bob', 'eve'])
    await grants.replace(authorIn('acme'), two.id, { subjects: [], version: 1 }, ['bob'])
    const page = { limit: 10, before: undefined }
    const namesFor = async (grantedTo: string) =>
      (await store.list({ ...acme, grantedTo }, page)).map(({ name }) => name)
    expect([await namesFor('bob'), await namesFor('eve'), await namesFor('')]).toEqual([['two', 'kept'], ['kept'], []])
    const eve = { org: 'acme', role: 'restricted', subject: 'eve' } as const
    expect(await findSliceIn(store)(eve, two.id)).toBeUndefined()
    expect(await findSliceIn(store)(eve, one.id)).toMatchObject({ name: 'kept', slice: { mode: 'any' } })
    expect(await findIntegrationIdIn(metadata)(eve, 'two')).toBeUndefined()
    expect(await findIntegrationIdIn(metadata)(eve, 'kept')).toBe(one.id)
    expect(await findIntegrationIdIn(metadata)({ ...eve, role: 'viewer' }, 'two')).toBe(two.id)
    expect(await findIntegrationIdIn(metadata)({ ...eve, org: 'evil', role: 'viewer' }, 'two')).toBeUndefined()
    expect(await grantedSlicesIn(store)(eve)).toHaveLength(1)
    expect(await grantedSlicesIn(store)({ ...eve, org: 'evil' })).toEqual([])
  })

  it('are replaced atomically, and only when unchanged since they were read', async () => {
    const { store, grants } = await open(await newStore())
    const { id } = await store.insert(authorIn('acme'), content())
    const replaced = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        grants.replace(authorIn('acme'), id, { subjects: [], version: 1 }, [`a${n}`, `b${n}`]),
      ),
    )
    const [winner, ...others] = replaced.filter((each) => each !== undefined)
    expect([await grants.find('acme', id), others]).toEqual([winner, []])
    expect(await grants.find('evil', id)).toBeUndefined()
  })

  it('are deleted with their integration', async () => {
    const { metadata, store, grants } = await open(await newStore())
    const stored = await store.insert(authorIn('acme'), content())
    await grants.replace(authorIn('acme'), stored.id, { subjects: [], version: 1 }, ['eve'])
    expect(await store.remove(authorIn('acme'), stored)).toBe(true)
    expect(await metadata.db.selectFrom('integration_grants').selectAll().execute()).toEqual([])
  })
})

describeStores('an import', (newStore) => {
  it('that fails in a later kind of record changes nothing', async () => {
    const opened = await open(await newStore())
    const stored = await opened.store.insert(authorIn('acme'), content())
    const failing: RecordTransfer = {
      name: 'channels',
      read: async () => [],
      prepare: async () => () => Promise.reject(new Error('the connection is gone')),
    }
    const body = { integrations: [{ name: 'created' }], channels: [] }
    await expect(importInto(opened, [opened.transfer, failing], body, 'replace')).rejects.toThrow('is gone')
    expect(await opened.store.list(acme, { limit: 10, before: undefined })).toEqual([stored])
    expect(await auditedActions(opened)).toEqual(['created'])
  })

  it('whose server is killed changes nothing', async () => {
    const options = await newStore()
    const opened = await open(options)
    const { store } = opened
    const stored = await store.insert(authorIn('acme'), content())
    const path = join(import.meta.dirname, 'import-crash-child.ts')
    const child = forkTypeScript(path, [JSON.stringify(options)])
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
    expect(await store.list(acme, { limit: 10, before: undefined })).toEqual([stored])
    expect(await auditedActions(opened)).toEqual(['created'])
  })

  it('that runs concurrently with others leaves one of them complete', async () => {
    const opened = await open(await newStore())
    const names = (n: number) =>
      Array.from({ length: 5 }, (_, at) => ({ name: `i${(at * 3 + n) % 7}`, description: `${n}` }))
    const imports = Array.from({ length: 8 }, (_, n) =>
      importInto(opened, [opened.transfer], { integrations: names(n) }, 'replace'),
    )
    const done = await Promise.allSettled(imports)
    const refused = done.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toEqual([])
    const left = await opened.store.list(acme, { limit: 100, before: undefined })
    const wholes = Array.from({ length: 8 }, (_, n) =>
      names(n).map(({ name, description }) => `${name} ${description}`),
    )
    expect(wholes.map((whole) => whole.sort())).toContainEqual(
      left.map(({ name, description }) => `${name} ${description}`).sort(),
    )
  })
})

describeStores('an export', (newStore) => {
  it('has nothing of a change that another server makes while it reads', async () => {
    const options = await newStore()
    const [reading, writing] = [await open(options), await open(options)]
    const views = viewTransfer(createViewStore({ metadata: reading.metadata, now, newId }))
    const written = createViewStore({ metadata: writing.metadata, now, newId })
    const change: RecordTransfer['read'] = async (...read) => {
      const before = await reading.transfer.read(...read)
      const { id: integrationId } = await writing.store.insert(authorIn('acme'), content({ name: 'late' }))
      const window = { kind: 'relative', last_s: 60 } as const
      await written.insert(authorIn('acme'), { name: 'late', description: '', rows: [], window, integrationId })
      return before
    }
    const exported = await exportFrom(reading, [{ ...reading.transfer, read: change }, views])
    expect(exported).toMatchObject({ integrations: [], saved_views: [] })
    expect(await exportFrom(reading, [reading.transfer, views])).toMatchObject({
      integrations: [{ name: 'late' }],
      saved_views: [{ name: 'late', integration: 'late' }],
    })
  })
})
