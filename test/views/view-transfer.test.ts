import { expect, it } from 'vitest'
import { exportOf, importInto, sharedApp } from '../support/integration-app.ts'

const tenant = sharedApp()

const done = (change: object) => ({
  status: 200,
  body: { saved_views: { created: 0, updated: 0, unchanged: 0, deleted: 0, ...change } },
})

const rows = [
  { attribute_key: 'tenant', operator: 'eq', value: 't-1', includeDescendants: true },
  { attribute_source: 'span', attribute_key: 'retry', operator: 'not_exists' },
]
const window = { kind: 'absolute', from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' }

it('an import elsewhere has the exported rows, status and window, and the integration by name', async () => {
  const [one, other] = [tenant(), tenant()]
  const { id: integration_id } = await one.create({ name: 'Shop' })
  const page = { order: 'longest', columns: [{ attribute_source: 'resource', attribute_key: 'tenant' }] }
  for (const body of [{ name: 'a', rows, ...page, integration_id, status: 'error', window }, { name: 'b' }])
    await one.ask('POST', '/saved-views', { body })
  const exported = await exportOf(one)
  expect(exported.saved_views).toEqual([
    { name: 'a', description: '', rows, ...page, integration: 'Shop', status: 'error', window },
    { name: 'b', description: '', rows: [], window: { kind: 'relative', last_s: 3_600 } },
  ])
  expect(await importInto(other, exported)).toMatchObject(done({ created: 2 }))
  expect(await exportOf(other)).toEqual(exported)
  expect(await importInto(other, exported)).toMatchObject(done({ unchanged: 2 }))
  const { items } = (await other.ask<{ items: object[] }>('GET', '/saved-views')).body
  expect(items).toMatchObject([{ flags: [] }, { flags: [] }])
})

it('a merge keeps views that the import lacks, a replace deletes them', async () => {
  const it = tenant()
  for (const name of ['kept', 'changed']) await it.ask('POST', '/saved-views', { body: { name } })
  const saved_views = [{ name: 'changed', rows }, { name: 'new' }]
  expect(await importInto(it, { saved_views })).toMatchObject(done({ created: 1, updated: 1 }))
  expect(await importInto(it, { saved_views }, 'replace')).toMatchObject(done({ unchanged: 2, deleted: 1 }))
  expect(await importInto(it, {}, 'replace')).toMatchObject(done({}))
})

it('a merge that changes one field of a view updates the view', async () => {
  const it = tenant()
  for (const name of ['Shop', 'Bank']) await it.create({ name })
  const relations = [{ kind: 'contains', from: [rows[1]], to: [] }]
  const page = { order: 'longest', columns: [{ attribute_key: 'tenant' }] }
  const filter = { rows, relations, integration: 'Shop', status: 'error', window }
  const stored = { name: 'v', description: 'd', ...filter, ...page }
  await importInto(it, { saved_views: [stored] })
  for (const change of [
    { description: '' },
    { rows: [] },
    { relations: [] },
    { order: 'oldest' },
    { columns: [] },
    { integration: 'Bank' },
    { status: 'ok' },
    { window: { kind: 'relative', last_s: 60 } },
  ]) {
    for (const imported of [{ ...stored, ...change }, stored]) {
      const { body } = await importInto(it, { saved_views: [imported] })
      expect([change, body.saved_views]).toMatchObject([change, { updated: 1 }])
      expect((await exportOf(it)).saved_views).toEqual([imported])
    }
  }
})

it.each<[string, object, number, string[]]>([
  [
    'a row that is not valid',
    { rows: [rows[0], { attribute_key: 'k', operator: 'gt', value: 'x' }] },
    400,
    ['/rows/1/value'],
  ],
  ['a name twice', { name: 'first' }, 400, ['/name']],
  ['an integration that is neither stored nor imported', { integration: 'None' }, 422, ['/integration']],
])('a view with %s leaves all as it was', async (_, view, status, pointers) => {
  const it = tenant()
  const before = await exportOf(it)
  const body = { integrations: [{ name: 'Shop' }], saved_views: [{ name: 'first' }, { name: 'x', ...view }] }
  const answer = await importInto(it, body)
  expect([answer.status, ...answer.refusal.slice(1)]).toEqual([status, ...pointers.map((at) => `/saved_views/1${at}`)])
  expect(await exportOf(it)).toEqual(before)
})

it('a replace that deletes an integration flags its views', async () => {
  const it = tenant()
  const { id: integration_id } = await it.create({ name: 'Shop' })
  await it.ask('POST', '/saved-views', { body: { name: 'v', integration_id } })
  await importInto(it, { integrations: [] }, 'replace')
  expect((await it.ask('GET', '/saved-views')).body).toMatchObject({
    items: [{ integration_id, flags: ['integration_deleted'] }],
  })
})
