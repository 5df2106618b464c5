import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import { createGrantStore } from '../../server/integrations/grants.ts'
import { createIntegrationStore } from '../../server/integrations/integration-store.ts'
import type { MetadataOptions } from '../../server/metadata/database.ts'
import { toViewRecord, type ViewContent } from '../../server/views/view-record.ts'
import { createViewStore } from '../../server/views/view-store.ts'
import { authorIn } from '../support/author.ts'
import { describeStores, openMigrated } from '../support/stores.ts'

const newId = monotonicFactory()
const now = () => new Date('2026-03-01T09:00:00.000Z')
const acme = { org: 'acme' }
const page = { limit: 10, before: undefined }

async function open(options: MetadataOptions) {
  const metadata = await openMigrated(options)
  const deps = { metadata, now, newId }
  return {
    metadata,
    views: createViewStore(deps),
    integrations: createIntegrationStore(deps),
    grants: createGrantStore({ metadata, newId }),
  }
}

function content(change: Partial<ViewContent> = {}): ViewContent {
  return { name: 'kept', description: '', rows: [], window: { kind: 'relative', last_s: 60 }, ...change }
}

const integration = { name: 'Shop', description: '', rule_match: 'any', matchers: [] } as const

describeStores('the store of saved views', (newStore) => {
  it('returns what was stored, byte for byte', async () => {
    const { views, integrations } = await open(await newStore())
    const { id: integrationId } = await integrations.insert(authorIn('acme'), integration)
    const rows = [1.5, true, '9007199254740993', 'ключ🗝'].map((value) => ({
      attribute_key: "a\u0000'`%\ud800",
      operator: 'eq',
      value,
      includeDescendants: true,
    })) as ViewContent['rows']
    const stored = await views.insert(
      authorIn('acme'),
      content({ name: 'Größe "🗝"', rows, integrationId, status: 'error' }),
    )
    expect(stored).toMatchObject({ rows, integrationId, integrationName: 'Shop', status: 'error', version: 1 })
    expect(await views.find(acme, stored.id)).toEqual(stored)
    expect(await views.list(acme, page)).toEqual([stored])
  })

  it('changes only a record that is unchanged since it was read, and keeps organizations apart', async () => {
    const { views } = await open(await newStore())
    const first = await views.insert(authorIn('acme'), content())
    const second = await views.replace(authorIn('acme'), first, content({ description: 'second' }))
    expect(await views.replace(authorIn('acme'), first, content({ description: 'late' }))).toBeUndefined()
    expect(await views.remove(authorIn('acme'), first)).toBe(false)
    expect(await views.find(acme, first.id)).toEqual(second)
    await views.insert(authorIn('evil'), content())
    expect(await views.find({ org: 'evil' }, first.id)).toBeUndefined()
    expect(await views.replace(authorIn('evil'), first, content({ name: 'x' }))).toBeUndefined()
  })

  it('lets one of 10 concurrent writers take a name', async () => {
    const { views } = await open(await newStore())
    const made = await Promise.allSettled(Array.from({ length: 10 }, () => views.insert(authorIn('acme'), content())))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toEqual(Array(9).fill('conflict'))
  })

  it('recognizes a deleted integration, even when another organization has one with the same id', async () => {
    const { metadata, views, integrations } = await open(await newStore())
    const shop = await integrations.insert(authorIn('acme'), integration)
    const view = await views.insert(authorIn('acme'), content({ integrationId: shop.id }))
    await integrations.remove(authorIn('acme'), shop)
    const row = { ...integration, org: 'evil', id: shop.id, matchers: '[]', version: 1, grants_version: 1 }
    await metadata.db
      .insertInto('integrations')
      .values({ ...row, created_at: '', updated_at: '' })
      .execute()
    expect(await views.find(acme, view.id)).toMatchObject({ integrationId: shop.id, integrationName: null })
    await expect(views.insert(authorIn('acme'), content({ name: 'x', integrationId: shop.id }))).rejects.toMatchObject({
      code: 'refused',
    })
  })

  it('shows a subject only the views of granted integrations', async () => {
    const { views, integrations, grants } = await open(await newStore())
    const ids = []
    for (const name of ['one', 'two'])
      ids.push((await integrations.insert(authorIn('acme'), { ...integration, name })).id)
    for (const [n, integrationId] of ids.entries())
      await views.insert(authorIn('acme'), content({ name: `of ${n}`, integrationId: `${integrationId}` }))
    await views.insert(authorIn('acme'), content({ name: 'of none' }))
    await grants.replace(authorIn('acme'), `${ids[0]}`, { subjects: [], version: 1 }, ['bob'])
    const namesFor = async (grantedTo: string) =>
      (await views.list({ ...acme, grantedTo }, page)).map(({ name }) => name)
    expect([await namesFor('bob'), await namesFor('eve')]).toEqual([['of 0'], []])
  })

  it('reads rows without child spans and attribute sources, as earlier versions stored them', async () => {
    const { metadata, views } = await open(await newStore())
    const { id } = await views.insert(authorIn('acme'), content())
    const filter_rows = '[{"attribute_key":"tenant","operator":"neq","value":"t-1"}]'
    await metadata.db.updateTable('saved_views').set({ filter_rows }).where('id', '=', id).execute()
    const found = await views.find(acme, id)
    expect(found && toViewRecord(found)).toMatchObject({
      rows: [{ attribute_key: 'tenant', operator: 'neq', value: 't-1' }],
      summary: 'Messages where tenant never equals "t-1", in the last minute.',
    })
  })
})
