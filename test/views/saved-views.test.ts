import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'

const tenant = sharedApp()

type View = components['schemas']['SavedView']

const missing = '01JNB4Y8Z0V6Q3W2R7T5X9K1MD'

const save = ({ ask }: Tenant, body: object) => ask<View>('POST', '/saved-views', { body: { name: 'v', ...body } })

async function saved(it: Tenant, body: object): Promise<View> {
  const answer = await save(it, body)
  if (answer.status !== 201) throw new Error(`not saved: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Rows with every operator, source and kind of value, some without their optional fields. */
const rows = [
  { attribute_key: 'a', operator: 'eq', value: '77', includeDescendants: true },
  { attribute_source: 'span', attribute_key: '', operator: 'neq', value: 1.5 },
  { attribute_source: 'resource', attribute_key: 'ключ "🗝"\u0000', operator: 'contains', value: true },
  { attribute_source: 'any', attribute_key: 'b', operator: 'not_contains', value: '', includeDescendants: false },
  { attribute_key: 'b', operator: 'starts_with', value: '9007199254740993' },
  { attribute_key: 'b', operator: 'ends_with', value: 'x' },
  { attribute_key: 'b', operator: 'matches', value: '^(a|b)+$' },
  { attribute_source: 'intrinsic', attribute_key: 'duration_ms', operator: 'gt', value: 5 },
  ...['gte', 'lt', 'lte'].map((operator) => ({ attribute_key: 'n', operator, value: '-1e3' })),
  { attribute_key: 'b', operator: 'exists', includeDescendants: true },
  { attribute_key: 'b', operator: 'not_exists', value: ['ignored', null] },
]

it('a view is read back as it was sent, without defaults filled in', async () => {
  const it = tenant()
  const { id: integration_id } = await it.create({ name: 'Shop' })
  const window = { kind: 'absolute', from: '2026-03-01T09:00:00.000000001Z', to: '2026-03-01T10:00:00Z' }
  const content = { name: 'Größe "🗝"', description: 'two\nlines', rows, integration_id, status: 'error', window }
  const answer = await save(it, content)
  expect(answer).toMatchObject({ status: 201, etag: '"1"', body: { ...content, flags: [], version: 1 } })
  expect(answer.body.rows).toEqual(rows)
  expect(answer.location).toBe(`/api/v1/saved-views/${answer.body.id}`)
  const read = await it.ask('GET', `/saved-views/${answer.body.id}`)
  expect([read.body, read.etag]).toEqual([answer.body, '"1"'])
  expect((await it.ask('GET', '/saved-views')).body).toEqual({ items: [answer.body], next_cursor: null })
})

it('a view with nothing but a name selects all messages of the last hour', async () => {
  const view = await saved(tenant(), {})
  expect(view).toMatchObject({ description: '', rows: [], window: { kind: 'relative', last_s: 3_600 } })
  expect('integration_id' in view || 'status' in view).toBe(false)
  expect(view.summary).toBe('Messages, in the last hour.')
})

it.each([
  [1, 'second'],
  [90, '90 seconds'],
  [120, '2 minutes'],
  [5_400, '90 minutes'],
  [172_800, '2 days'],
])('a window of the last %i s is said as the last %s', async (last_s, words) => {
  const { summary } = await saved(tenant(), { window: { kind: 'relative', last_s } })
  expect(summary).toBe(`Messages, in the last ${words}.`)
})

it('the summary of a view is that of the same search', async () => {
  const it = tenant()
  const { id: integration_id } = await it.create({ name: 'Shop' })
  const range = { from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' }
  const view = await saved(it, { rows, integration_id, status: 'ok', window: { kind: 'absolute', ...range } })
  const search = await it.ask<View>('POST', '/messages/summary', {
    body: { rows, integration_id, status: 'ok', ...range },
  })
  expect(view.summary).toBe(search.body.summary)
})

const row = (change: object) => ({ rows: [rows[0], { attribute_key: 'k', operator: 'eq', value: 'v', ...change }] })
const window = (change: object) => ({ window: change })

it.each<[string, object, number, string[]]>([
  ['a row without its value', { rows: [{ attribute_key: 'k', operator: 'eq' }] }, 400, ['/rows/0/value']],
  ['an unknown operator', row({ operator: 'like' }), 400, ['/rows/1/operator']],
  ['an invalid pattern', row({ operator: 'matches', value: '(' }), 400, ['/rows/1/value']],
  ['a text instead of a number', row({ operator: 'gt', value: 'x' }), 400, ['/rows/1/value']],
  [
    'child spans of a negative row',
    row({ operator: 'neq', includeDescendants: true }),
    400,
    ['/rows/1/includeDescendants'],
  ],
  ['an unknown intrinsic', row({ attribute_source: 'intrinsic' }), 400, ['/rows/1/attribute_key']],
  ['51 rows', { rows: Array(51).fill(rows[0]) }, 400, ['/rows']],
  ['a window of no time', window({ kind: 'relative', last_s: 0 }), 400, ['/window/last_s']],
  [
    'a window that ends before it begins',
    window({
      kind: 'absolute',
      from: '2026-03-02T00:00:00Z',
      to: '2026-03-01T00:00:00Z',
    }),
    400,
    ['/window/from'],
  ],
  [
    'no day of the calendar',
    window({ kind: 'absolute', from: '2026-02-30T00:00:00Z', to: '2026-03-01T00:00:00Z' }),
    400,
    ['/window/from'],
  ],
  [
    'a window of both kinds',
    window({ kind: 'relative', last_s: 1, from: '2026-03-02T00:00:00Z' }),
    400,
    ['/window/from'],
  ],
  ['a control character in its name', { name: 'a\u0000' }, 400, ['/name']],
  ['an integration that does not exist', { integration_id: missing }, 422, ['/integration_id']],
])('a view with %s is refused, new and changed', async (_, body, status, pointers) => {
  const it = tenant()
  const view = await saved(it, { name: 'kept' })
  for (const answer of [await save(it, body), await it.ask('PUT', `/saved-views/${view.id}`, { body })]) {
    expect([answer.status, ...answer.refusal.slice(1)]).toEqual([status, ...pointers])
  }
  expect((await it.ask<{ items: View[] }>('GET', '/saved-views')).body.items).toEqual([view])
})

it('an update replaces the fields that are sent, and null removes integration and status', async () => {
  const it = tenant()
  const { id: integration_id } = await it.create({ name: 'Shop' })
  const view = await saved(it, { rows, integration_id, status: 'error' })
  const path = `/saved-views/${view.id}`
  const renamed = await it.ask<View>('PUT', path, { body: { name: 'w' }, ifMatch: '"1"' })
  expect(renamed).toMatchObject({
    status: 200,
    etag: '"2"',
    body: { name: 'w', rows, integration_id, status: 'error' },
  })
  expect((await it.ask('PUT', path, { body: { rows: [] }, ifMatch: '"1"' })).refusal).toEqual(['version_mismatch'])
  const { body } = await it.ask<View>('PUT', path, { body: { integration_id: null, status: null } })
  expect(body).toMatchObject({ rows, version: 3, summary: expect.not.stringMatching(/Shop|status/) })
  expect('integration_id' in body || 'status' in body).toBe(false)
  expect((await it.ask('DELETE', path, { ifMatch: '"2"' })).status).toBe(412)
  expect((await it.ask('DELETE', path, { ifMatch: '"3"' })).status).toBe(204)
  expect((await it.ask('GET', path)).refusal).toEqual(['not_found'])
})

it('a name is unique in an organization', async () => {
  const it = tenant()
  await saved(it, { name: 'one' })
  const two = await saved(it, { name: 'two' })
  expect((await save(it, { name: 'one' })).refusal).toEqual(['conflict'])
  expect((await it.ask('PUT', `/saved-views/${two.id}`, { body: { name: 'one' } })).refusal).toEqual(['conflict'])
  await saved(tenant(), { name: 'one' })
})

it('views are listed newest first, in pages', async () => {
  const it = tenant()
  for (const name of ['a', 'b', 'c']) await saved(it, { name })
  const page = (query: string) => it.ask<{ items: View[]; next_cursor: string }>('GET', `/saved-views?${query}`)
  const first = (await page('limit=2')).body
  const second = (await page(`limit=2&cursor=${first.next_cursor}`)).body
  expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['c', 'b', 'a'])
  expect(second.next_cursor).toBeNull()
  expect((await tenant().ask('GET', `/saved-views?cursor=${first.next_cursor}`)).refusal[0]).toBe('invalid_cursor')
})

it('views of another organization cannot be found', async () => {
  const [mine, other] = [tenant(), tenant()]
  const path = `/saved-views/${(await saved(mine, {})).id}`
  const answers = [
    await other.ask('GET', path),
    await other.ask('PUT', path, { body: {} }),
    await other.ask('DELETE', path),
    await other.ask('POST', `${path}/search`, { body: {} }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await other.ask('GET', '/saved-views')).body).toEqual({ items: [], next_cursor: null })
})

it('restricted callers see only the views of integrations granted to them', async () => {
  const it = tenant()
  const [granted, hidden] = [await it.create({ name: 'Granted' }), await it.create({ name: 'Hidden' })]
  await it.ask('PUT', `/integrations/${granted.id}/grants`, { body: { subjects: ['eve'] } })
  const views = [
    await saved(it, { name: 'of all' }),
    await saved(it, { name: 'granted', integration_id: granted.id }),
    await saved(it, { name: 'hidden', integration_id: hidden.id }),
  ]
  const whom = { role: 'restricted', subject: 'eve' } as const
  const { body } = await it.ask<{ items: View[] }>('GET', '/saved-views', { whom })
  expect(body.items.map(({ name }) => name)).toEqual(['granted'])
  const ask = (id: string, search = '') =>
    it.ask(search ? 'POST' : 'GET', `/saved-views/${id}${search}`, { whom, ...(search && { body: {} }) })
  const statuses = []
  for (const { id } of views) statuses.push([(await ask(id)).status, (await ask(id, '/search')).status])
  expect(statuses).toEqual([
    [404, 404],
    [200, 200],
    [404, 404],
  ])
  expect((await it.ask('POST', '/saved-views', { whom, body: { name: 'x' } })).status).toBe(403)
})

it('a view that an earlier version accepted can be read, replaced and deleted, and hides no other', async () => {
  const it = tenant()
  const { id } = await saved(it, { name: 'earlier' })
  const other = await saved(it, { name: 'other' })
  const { db } = it.app.app.metadata
  const conditions = Array.from({ length: 30 }, () => ({ attribute_key: 'k', operator: 'exists' }))
  const filter_rows = JSON.stringify(conditions)
  const relations = JSON.stringify([{ kind: 'contains', from: conditions, to: [] }])
  await db.updateTable('saved_views').set({ filter_rows, relations }).where('id', '=', id).execute()
  const why = 'A query has at most 50 conditions.'
  const summary = `This view was accepted by an earlier version and is no longer valid: /relations/0/from: ${why}`
  expect((await it.ask('GET', '/saved-views')).body).toMatchObject({ items: [other, { id, summary }] })
  const refused = { status: 400, body: { errors: [{ pointer: '/relations/0/from', message: why }] } }
  expect(await it.ask('POST', `/saved-views/${id}/search`, { body: {} })).toMatchObject(refused)
  expect(await it.ask('PUT', `/saved-views/${id}`, { body: { name: 'b' } })).toMatchObject(refused)
  expect(await it.ask('PUT', `/saved-views/${id}`, { body: { relations: [] } })).toMatchObject({ status: 200 })
  await db.updateTable('saved_views').set({ filter_rows, relations }).where('id', '=', id).execute()
  expect(await it.ask('DELETE', `/saved-views/${id}`)).toMatchObject({ status: 204 })
})
