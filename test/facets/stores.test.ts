import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import { mappingRecords, type StoredMapping } from '../../server/facets/facet-mapping.ts'
import { readFacetSettings } from '../../server/facets/facet-settings.ts'
import { allFacets, createFacetStore } from '../../server/facets/facet-store.ts'
import { overrideRecords } from '../../server/facets/service-facets.ts'
import { findServiceRecord, replaceServiceRecord } from '../../server/facets/service-records.ts'
import type { MetadataOptions } from '../../server/metadata/database.ts'
import { authorIn } from '../support/author.ts'
import { describeStores, openMigrated } from '../support/stores.ts'

const newId = monotonicFactory()
const now = () => new Date('2026-03-01T09:00:00.000Z')

async function open(options: MetadataOptions) {
  const metadata = await openMigrated(options)
  return { metadata, facets: createFacetStore({ metadata, now, newId }) }
}

const content = { name: 'Größe "🗝"', description: "a'\nb" }

const mapping = (attribute_key: string): StoredMapping => ({
  id: newId(),
  attribute_source: 'span',
  attribute_key,
  match_operator: 'equals',
  match_value: 'nul\u0000 \ud800 🗝',
  set_io_kind: 'db',
  set_io_role: 'output',
  created_at: now().toISOString(),
})

describeStores('the store of custom facets', (newStore) => {
  it('returns what was stored, sorted by the code points of slugs', async () => {
    const { metadata, facets } = await open(await newStore())
    const slugs = ['é', 'z', 'a-b', 'a', 'ab', '支', '😀', '\uffee', '10', '9']
    for (const slug of slugs) await facets.insert(authorIn('acme'), content, slug)
    expect(await facets.find({ org: 'acme' }, 'é')).toMatchObject({ id: 'é', ...content, version: 1 })
    const stored = (await allFacets(metadata.db, 'acme')).map(({ id }) => id)
    expect(stored).toEqual(['10', '9', 'a', 'a-b', 'ab', 'z', 'é', '支', '\uffee', '😀'])
  })

  it('changes a facet only if it is unchanged since it was read, and keeps organizations apart', async () => {
    const { facets } = await open(await newStore())
    const first = await facets.insert(authorIn('acme'), content, 'a')
    const second = await facets.replace(authorIn('acme'), first, { name: 'second', description: '' })
    expect(await facets.replace(authorIn('acme'), first, { name: 'late', description: '' })).toBeUndefined()
    expect(await facets.remove(authorIn('acme'), first)).toBe(false)
    expect(await facets.find({ org: 'acme' }, 'a')).toEqual(second)
    expect(second && (await facets.remove(authorIn('evil'), second))).toBe(false)
    expect(await facets.find({ org: 'evil' }, 'a')).toBeUndefined()
    expect(await facets.insert(authorIn('evil'), content, 'a')).toMatchObject({ version: 1 })
  })

  it('assigns a slug once, even with 10 concurrent writers', async () => {
    const { facets } = await open(await newStore())
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, () => facets.insert(authorIn('acme'), content, 'a')),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toEqual(Array(9).fill('conflict'))
  })
})

describeStores('the settings of services', (newStore) => {
  it('are returned as they were stored, and together form the settings of the organization', async () => {
    const { metadata, facets } = await open(await newStore())
    const service = "a'b 🗝\n%"
    const rules = [mapping('b'), mapping('nul\u0000'), mapping('a')]
    const none = await findServiceRecord(mappingRecords, metadata.db, 'acme', service)
    expect(none).toEqual({ service, content: [], version: 0 })
    await replaceServiceRecord(mappingRecords, { metadata, newId }, authorIn('acme'), none, rules)
    const overrides = { include: ['支'], exclude: ['worker'] }
    await replaceServiceRecord(
      overrideRecords,
      { metadata, newId },
      authorIn('acme'),
      { ...none, content: overrides },
      overrides,
    )
    await facets.insert(authorIn('acme'), content, '支')
    const found = await findServiceRecord(mappingRecords, metadata.db, 'acme', service)
    expect(found).toEqual({ service, content: rules, version: 1 })
    const settings = await readFacetSettings(metadata.db, 'acme')
    expect([settings.customSlugs, settings.overriddenServices]).toEqual([['支'], [service]])
    expect(settings.overridesOf(service)).toEqual(overrides)
    expect(settings.rules).toMatchObject([{ service, rules: [{}, {}, {}] }])
    const others = await readFacetSettings(metadata.db, 'evil')
    expect([others.customSlugs, others.overriddenServices, others.rules]).toEqual([[], [], []])
  })

  it('are written by one of 10 writers that read the same version, the first version or a later one', async () => {
    const { metadata } = await open(await newStore())
    for (const version of [0, 1]) {
      const current = await findServiceRecord(overrideRecords, metadata.db, 'acme', 'shop')
      const written = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          replaceServiceRecord(overrideRecords, { metadata, newId }, authorIn('acme'), current, {
            include: [`f${n}`],
            exclude: [],
          }),
        ),
      )
      const winners = written.filter((record) => record !== undefined)
      expect(winners).toEqual([await findServiceRecord(overrideRecords, metadata.db, 'acme', 'shop')])
      expect(winners[0]?.version).toBe(version + 1)
    }
  })
})
