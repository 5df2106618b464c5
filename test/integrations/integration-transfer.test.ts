import { describe, expect, it } from 'vitest'
import {
  exportOf,
  type Integration,
  importInto,
  type MatcherInput,
  matcher,
  said,
  sharedApp,
  type Tenant,
} from '../support/integration-app.ts'

const tenant = sharedApp()

const done = (change: object) => ({
  status: 200,
  body: { integrations: { created: 0, updated: 0, unchanged: 0, deleted: 0, ...change } },
})

const operators = 'equals not_equals contains not_contains prefix suffix regex exists not_exists'.split(' ')
const sources = ['any', 'span', 'resource']

/** Matchers with every operator, source, kind of service and kind of value, in groups and alone. */
const rich: object[] = [
  ...operators.map((operator, n) => matcher('a', { match_group: `g${n % 2}`, operator } as object)),
  ...sources.map((attribute_source, n) => matcher(`s${n}`, { attribute_source, attribute_key: '', value: n === 0 })),
  matcher('ключ-*?', { service_match: 'pattern', value: 1.5, include_descendants: true }),
  matcher('b', { attribute_source: 'intrinsic', attribute_key: 'duration_ms', value: '9007199254740993' }),
  { service: 'bare' },
]

it('an import elsewhere has the exported modes, matchers, groups and child spans', async () => {
  const [from, to] = [tenant(), tenant()]
  await from.create({ name: 'rich', description: 'two\nlines', matchers: rich as MatcherInput[] })
  const strict = [matcher('x', { include_descendants: true, match_group: 'g' }), matcher('x', { match_group: 'g' })]
  await from.create({ name: 'strict', rule_match: 'all', matchers: strict })
  const exported = await exportOf(from)
  expect(await importInto(to, exported)).toMatchObject(done({ created: 2 }))
  expect(await exportOf(to)).toEqual(exported)
  const items = async ({ ask }: Tenant) =>
    (await ask<{ items: Integration[] }>('GET', '/integrations')).body.items
      .map(({ name, description, rule_match, matchers }) => ({
        name,
        description,
        rule_match,
        matchers: said(matchers),
      }))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
  expect(await items(to)).toEqual(await items(from))
})

it('an export has every kind of record, without ids, versions, grants and credentials', async () => {
  const it = tenant()
  await it.create({ name: 'b' })
  const { id } = await it.create({ name: 'a', matchers: [{ service: 's', match_group: 'g' }] })
  await it.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['secret-subject'] } })
  expect(await exportOf(it)).toEqual({
    format_version: 1,
    integrations: [
      {
        name: 'a',
        description: '',
        rule_match: 'any',
        matchers: [{ match_group: 'g', service: 's', service_match: 'exact', include_descendants: false }],
      },
      { name: 'b', description: '', rule_match: 'any', matchers: [] },
    ],
    saved_views: [],
    facets: [],
    facet_overrides: [],
    facet_mappings: [],
    alert_rules: [],
    channels: [],
  })
})

it('a merge updates records by name, creates others, and keeps equal and unnamed records as they are', async () => {
  const it = tenant()
  const [same, old, other] = [
    await it.create({ name: 'same', matchers: [matcher('a')] }),
    await it.create({ name: 'old', description: 'd', matchers: [{ service: 'a' }] }),
    await it.create({ name: 'other' }),
  ]
  const integrations = [
    { name: 'new', rule_match: 'all' },
    { name: 'same', matchers: [matcher('a')] },
    { name: 'old', rule_match: 'all', matchers: [{ service: 'b' }] },
  ]
  expect(await importInto(it, { integrations })).toMatchObject(done({ created: 1, updated: 1, unchanged: 1 }))
  expect(await it.read(same.id)).toEqual(same)
  expect(await it.read(other.id)).toEqual(other)
  expect(await it.read(old.id)).toMatchObject({ description: '', rule_match: 'all', version: 2 })
  expect((await exportOf(it)).integrations.map(({ name }) => name)).toEqual(['new', 'old', 'other', 'same'])
})

it('a merge that changes one field of an integration updates the integration', async () => {
  const it = tenant()
  const stored = { name: 'i', description: 'd', rule_match: 'any', matchers: [matcher('a', { match_group: 'g' })] }
  await importInto(it, { integrations: [stored] })
  for (const change of [
    { description: '' },
    { rule_match: 'all' },
    { matchers: [matcher('a', { match_group: 'g', include_descendants: true })] },
  ]) {
    for (const imported of [{ ...stored, ...change }, stored]) {
      expect(await importInto(it, { integrations: [imported] })).toMatchObject(done({ updated: 1 }))
      expect((await exportOf(it)).integrations).toMatchObject([imported])
    }
  }
})

it('a replace deletes missing records in the sections that the import contains', async () => {
  const it = tenant()
  const kept = await it.create({ name: 'kept' })
  await it.create({ name: 'gone' })
  await it.ask('PUT', `/integrations/${kept.id}/grants`, { body: { subjects: ['eve'] } })
  expect(await importInto(it, {}, 'replace')).toMatchObject(done({}))
  const body = { integrations: [{ name: 'kept', description: 'x' }, { name: 'new' }] }
  expect(await importInto(it, body, 'replace')).toMatchObject(done({ created: 1, updated: 1, deleted: 1 }))
  expect((await it.ask('GET', `/integrations/${kept.id}/grants`)).body).toMatchObject({ subjects: ['eve'] })
  expect(await importInto(it, { integrations: [] }, 'replace')).toMatchObject(done({ deleted: 2 }))
})

describe('an import with one fault changes nothing', () => {
  const good = { name: 'new', matchers: [{ service: 'a' }] }
  it.each<[string, object, number, string[]]>([
    [
      'a bad matcher',
      {
        integrations: [
          good,
          { name: 'x', matchers: [good.matchers[0], matcher('a', { operator: 'regex', value: '(' })] },
        ],
      },
      400,
      ['/integrations/1/matchers/1/value'],
    ],
    [
      'faults in two records',
      { integrations: [{ name: 'x', matchers: [{ service: 'a', value: 1 }] }, { name: 'y\n' }] },
      400,
      ['/integrations/0/matchers/0/attribute_key', '/integrations/1/name'],
    ],
    ['an unknown field', { integrations: [good, { ...good, id: 'x' }] }, 400, ['/integrations/1/id']],
    ['a name twice', { integrations: [good, good] }, 400, ['/integrations/1/name']],
    [
      'a rule about an integration that is not there',
      {
        integrations: [good],
        alert_rules: [
          { name: 'r', kind: 'trace', measure: 'span_count', comparator: 'gt', threshold: 1, integration: 'none' },
        ],
      },
      422,
      ['/alert_rules/0/integration'],
    ],
    ['another format', { format_version: 2, integrations: [good] }, 422, ['/format_version']],
    ['an unknown kind of record', { integrations: [good], dashboards: [] }, 400, ['/dashboards']],
  ])('%s', async (_, body, status, pointers) => {
    const it = tenant()
    await it.create({ name: 'kept' })
    const before = await exportOf(it)
    for (const mode of ['merge', 'replace']) {
      const answer = await importInto(it, body, mode)
      expect([answer.status, ...answer.refusal.slice(1)]).toEqual([status, ...pointers])
      expect(await exportOf(it)).toEqual(before)
    }
  })

  it('an unknown mode is refused', async () => {
    expect((await importInto(tenant(), {}, 'both')).refusal).toEqual(['invalid_request', '#/query/mode'])
  })
})

it('an import belongs to the organization of its caller', async () => {
  const [one, other] = [tenant(), tenant()]
  await one.create({ name: 'mine' })
  await importInto(other, { integrations: [{ name: 'mine', description: 'theirs' }] }, 'replace')
  expect((await exportOf(one)).integrations).toMatchObject([{ name: 'mine', description: '' }])
})

it('an import of more integrations than an organization may have is refused as a whole', async () => {
  const it = tenant()
  const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => ({ name: `${prefix}${n}` }))
  expect(await importInto(it, { integrations: named('a', 1_000) })).toMatchObject(done({ created: 1_000 }))
  expect((await importInto(it, { integrations: named('b', 1) })).refusal).toEqual(['refused'])
  expect((await it.ask('POST', '/integrations', { body: { name: 'c' } })).refusal).toEqual(['refused'])
  expect(await importInto(it, { integrations: named('b', 1_000) }, 'replace')).toMatchObject(
    done({ created: 1_000, deleted: 1_000 }),
  )
})

it('an import may be larger than other request bodies', async () => {
  const it = tenant()
  const matchers = Array.from({ length: 500 }, (_, n) => matcher(`s${n}`, { value: 'x'.repeat(1_000) }))
  const integrations = Array.from({ length: 12 }, (_, n) => ({ name: `i${n}`, matchers }))
  expect(await importInto(it, { integrations })).toMatchObject(done({ created: 12 }))
  expect(await importInto(it, await exportOf(it))).toMatchObject(done({ unchanged: 12 }))
})

it('a dry run reports what an import changes, by name, and changes nothing', async () => {
  const it = tenant()
  for (const name of ['kept', 'old']) await it.create({ name, matchers: [matcher('a')] })
  await it.ask('POST', '/saved-views', { body: { name: 'View' } })
  const { kept } = Object.fromEntries((await exportOf(it)).integrations.map((each) => [each.name, each]))
  const body = { integrations: [kept, { name: 'new' }], saved_views: [{ name: 'View', description: 'changed' }] }
  const before = [await exportOf(it), await it.ask('GET', '/audit-log')]
  const planned = await importInto(it, body, 'replace&dry_run=true')
  expect(planned).toMatchObject({
    status: 200,
    body: {
      integrations: {
        created: 1,
        updated: 0,
        unchanged: 1,
        deleted: 1,
        changes: [
          { action: 'deleted', name: 'old' },
          { action: 'created', name: 'new' },
        ],
      },
      saved_views: { updated: 1, changes: [{ action: 'updated', name: 'View' }] },
    },
  })
  expect([await exportOf(it), await it.ask('GET', '/audit-log')]).toEqual(before)
  expect((await importInto(it, body, 'replace')).body).toEqual(planned.body)
  expect((await importInto(it, { integrations: [{ name: '' }] }, 'merge&dry_run=true')).status).toBe(400)
})
