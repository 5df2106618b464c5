import { describe, expect, it } from 'vitest'
import { type Integration, matcher, said, sharedApp } from '../support/integration-app.ts'

const tenant = sharedApp()

interface Page {
  readonly items: Integration[]
  readonly next_cursor: string | null
}

it('an integration is created with a Location and a version, and read back with its defaults', async () => {
  const { ask } = tenant()
  const body = { name: 'Checkout', matchers: [{ service: 'checkout' }, matcher('pay', { include_descendants: true })] }
  const made = await ask<Integration>('POST', '/integrations', { body })
  expect(made).toMatchObject({ status: 201, etag: '"1"', location: `/api/v1/integrations/${made.body.id}` })
  expect(made.body).toMatchObject({ name: 'Checkout', description: '', rule_match: 'any', flags: [], version: 1 })
  expect(said(made.body.matchers)).toEqual([
    { service: 'checkout', service_match: 'exact', include_descendants: false },
    {
      service: 'pay',
      service_match: 'exact',
      attribute_source: 'any',
      attribute_key: 'tenant',
      operator: 'equals',
      value: 't-1',
      include_descendants: true,
    },
  ])
  expect(new Set(made.body.matchers.map(({ match_group }) => match_group)).size).toBe(2)
  const read = await ask('GET', `/integrations/${made.body.id}`)
  expect(read).toMatchObject({ status: 200, etag: '"1"', body: made.body })
})

it('an update replaces the fields that are sent and keeps the others', async () => {
  const { ask, create } = tenant()
  const { id, matchers } = await create({ name: 'a', description: 'first', matchers: [{ service: 'x' }] })
  const put = async (body: object) => (await ask<Integration>('PUT', `/integrations/${id}`, { body })).body
  expect(await put({ rule_match: 'all' })).toMatchObject({ name: 'a', description: 'first', matchers, version: 2 })
  expect(await put({ name: 'b', description: '' })).toMatchObject({ name: 'b', description: '', rule_match: 'all' })
  expect(await put({ matchers: [] })).toMatchObject({ name: 'b', rule_match: 'all', matchers: [], version: 4 })
})

it('integrations are listed newest first, a page at a time', async () => {
  const { ask, create } = tenant()
  const ids = [await create(), await create(), await create()].map(({ id }) => id).reverse()
  const first = (await ask<Page>('GET', '/integrations?limit=2')).body
  const second = (await ask<Page>('GET', `/integrations?limit=2&cursor=${first.next_cursor}`)).body
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
  expect(second.next_cursor).toBeNull()
})

it('a deleted integration is gone', async () => {
  const { ask, create } = tenant()
  const { id } = await create()
  expect(await ask('DELETE', `/integrations/${id}`)).toMatchObject({ status: 204, body: undefined })
  expect((await ask('GET', `/integrations/${id}`)).refusal).toEqual(['not_found'])
  expect((await ask('DELETE', `/integrations/${id}`)).status).toBe(404)
})

it('a name is unique in an organization, for updates and clones too', async () => {
  const { ask, create } = tenant()
  await create({ name: 'taken' })
  const { id } = await create({ name: 'free' })
  const sent = { body: { name: 'taken' } }
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', `/${id}`],
    ['POST', `/${id}/clone`],
  ] as const) {
    expect(await ask(method, `/integrations${path}`, sent)).toMatchObject({ status: 409, refusal: ['conflict'] })
  }
  expect((await tenant().create({ name: 'taken' })).name).toBe('taken')
})

it('a clone has the mode and matchers of the original, but not its grants and later changes', async () => {
  const { ask, create, read } = tenant()
  const matchers = [matcher('a', { match_group: 'g', include_descendants: true }), { service: 'b' }]
  const { id } = await create({ description: 'd', rule_match: 'all', matchers })
  await ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['eve'] } })
  const clone = await ask<Integration>('POST', `/integrations/${id}/clone`, { body: { name: 'copy' } })
  expect(clone).toMatchObject({ status: 201, etag: '"1"', location: `/api/v1/integrations/${clone.body.id}` })
  await ask('PUT', `/integrations/${id}/matchers`, { body: { matchers: [] } })
  const copy = await read(clone.body.id)
  expect(copy).toMatchObject({ name: 'copy', description: 'd', rule_match: 'all', version: 1 })
  expect(copy.matchers).toMatchObject([{ match_group: 'g', include_descendants: true }, { service: 'b' }])
  const grants = await ask('GET', `/integrations/${clone.body.id}/grants`)
  expect(grants.body).toEqual({ subjects: [], version: 1 })
})

it.each([
  ['a name without characters', { name: '' }, '/name'],
  ['a line break in a name', { name: 'a\nb' }, '/name'],
  ['the character 0 in a description', { name: 'a', description: 'a\0' }, '/description'],
  ['an organization', { name: 'a', org: 'other' }, '/org'],
  ['an unknown mode', { name: 'a', rule_match: 'none' }, '/rule_match'],
])('%s is refused', async (_, body, pointer) => {
  expect(await tenant().ask('POST', '/integrations', { body })).toMatchObject({
    status: 400,
    refusal: ['invalid_request', pointer],
  })
})

it('an integration of another organization cannot be found by any operation', async () => {
  const { create } = tenant()
  const { id, matchers } = await create({ matchers: [{ service: 'a' }] })
  const { ask } = tenant()
  const answers = [
    await ask('GET', `/integrations/${id}`),
    await ask('PUT', `/integrations/${id}`, { body: { name: 'mine' } }),
    await ask('DELETE', `/integrations/${id}`),
    await ask('POST', `/integrations/${id}/matchers`, { body: { service: 'a' } }),
    await ask('PUT', `/integrations/${id}/matchers`, { body: { matchers: [] } }),
    await ask('DELETE', `/integrations/${id}/matchers/${matchers[0]?.id}`),
    await ask('POST', `/integrations/${id}/clone`, { body: { name: 'mine' } }),
    await ask('GET', `/integrations/${id}/stats`),
    await ask('GET', `/integrations/${id}/flow-graph`),
    await ask('GET', `/integrations/${id}/grants`),
    await ask('PUT', `/integrations/${id}/grants`, { body: { subjects: [] } }),
    await ask('POST', '/messages/search', { body: { integration_id: id } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect((await ask<Page>('GET', '/integrations')).body.items).toEqual([])
})

describe('roles', () => {
  it('viewers read, contributors write, admins grant', async () => {
    const { ask, create } = tenant()
    const { id } = await create()
    const least = async (method: string, path: string, body?: object) => {
      for (const role of ['restricted', 'viewer', 'contributor', 'admin'] as const) {
        const { status } = await ask(method, path, { body, whom: { role } })
        if (status !== 403) return role
      }
      return 'nobody'
    }
    expect(await least('GET', '/integrations')).toBe('restricted')
    expect(await least('POST', '/integrations', { name: 'x' })).toBe('contributor')
    expect(await least('PUT', `/integrations/${id}`, {})).toBe('contributor')
    expect(await least('PUT', `/integrations/${id}/matchers`, { matchers: [] })).toBe('contributor')
    expect(await least('GET', `/integrations/${id}/grants`)).toBe('admin')
    expect(await least('PUT', `/integrations/${id}/grants`, { subjects: [] })).toBe('admin')
    expect(await least('GET', '/config/export')).toBe('viewer')
    expect(await least('POST', '/config/import', { format_version: 1 })).toBe('contributor')
    expect(await least('DELETE', `/integrations/${id}`)).toBe('contributor')
  })

  it('a restricted caller finds the integrations granted to it, and no other', async () => {
    const { ask, create } = tenant()
    const [granted, other] = [await create(), await create()]
    const whom = { role: 'restricted', subject: 'eve' } as const
    await ask('PUT', `/integrations/${granted.id}/grants`, { body: { subjects: ['eve', 'bob'] } })
    await ask('PUT', `/integrations/${other.id}/grants`, { body: { subjects: ['bob'] } })
    expect((await ask<Page>('GET', '/integrations', { whom })).body.items).toEqual([granted])
    for (const path of ['', '/stats', '/flow-graph']) {
      expect((await ask('GET', `/integrations/${granted.id}${path}`, { whom })).status).toBe(200)
      expect((await ask('GET', `/integrations/${other.id}${path}`, { whom })).status).toBe(404)
    }
    const summarize = (id: string) => ask('POST', '/messages/summary', { body: { integration_id: id }, whom })
    expect((await summarize(granted.id)).status).toBe(200)
    expect((await summarize(other.id)).status).toBe(404)
  })
})

describe('grants', () => {
  it('are replaced as a whole, each subject once, and have their own version', async () => {
    const { ask, create, read } = tenant()
    const { id } = await create()
    const path = `/integrations/${id}/grants`
    expect(await ask('GET', path)).toMatchObject({ etag: '"1"', body: { subjects: [], version: 1 } })
    const body = { subjects: ['ｅve', 'bob', 'bob', '🙂'] }
    const put = await ask('PUT', path, { body, ifMatch: '"1"' })
    expect(put).toMatchObject({ status: 200, etag: '"2"', body: { subjects: ['bob', 'ｅve', '🙂'], version: 2 } })
    expect((await ask('GET', path)).body).toEqual(put.body)
    expect((await ask('PUT', path, { body: { subjects: [] }, ifMatch: '"1"' })).status).toBe(412)
    expect((await read(id)).version).toBe(1)
  })

  it('end immediately when they are removed', async () => {
    const { ask, create } = tenant()
    const { id } = await create()
    const whom = { role: 'restricted', subject: 'eve' } as const
    const status = async () => (await ask('GET', `/integrations/${id}`, { whom })).status
    await ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['eve'] } })
    expect(await status()).toBe(200)
    await ask('PUT', `/integrations/${id}/grants`, { body: { subjects: [] } })
    expect(await status()).toBe(404)
  })

  it('of a subject with control characters are refused', async () => {
    const { ask, create } = tenant()
    const { id } = await create()
    const sent = { body: { subjects: ['a', 'b\0'] } }
    expect((await ask('PUT', `/integrations/${id}/grants`, sent)).refusal).toEqual(['invalid_request', '/subjects/1'])
  })
})
