import { expect, it } from 'vitest'
import { type Integration, matcher, sharedApp, type Tenant } from '../support/integration-app.ts'

const tenant = sharedApp()

const joined = [matcher('a', { match_group: '1' }), matcher('a', { match_group: '2' }), { service: 'b' }]
const separate = [matcher('a', { match_group: '1' }), matcher('a', { match_group: '1' }), { service: 'b' }]
const refused = { status: 409, refusal: ['or_under_all', '/matchers'] }

/** Imports an integration under `all` with two groups on one service. */
async function importFlagged({ ask }: Tenant, matchers: readonly object[] = joined): Promise<Integration> {
  const integrations = [{ name: 'flagged', rule_match: 'all', matchers }]
  await ask('POST', '/config/import', { body: { format_version: 1, integrations } })
  const { body } = await ask<{ items: Integration[] }>('GET', '/integrations')
  return body.items.find(({ name }) => name === 'flagged') as Integration
}

it('a new integration that joins conditions with or under all is refused, with the names of the services', async () => {
  const { ask } = tenant()
  const matchers = [...joined, { service: 'c*', service_match: 'pattern' }, { service: 'c*', service_match: 'pattern' }]
  const answer = await ask('POST', '/integrations', { body: { name: 'n', rule_match: 'all', matchers } })
  expect(answer).toMatchObject({ status: 409, refusal: ['or_under_all', '/matchers', '/matchers'] })
  expect(answer.body).toMatchObject({ detail: expect.stringContaining('"a", "c*"') })
  expect((await ask('POST', '/integrations', { body: { name: 'n', rule_match: 'any', matchers } })).status).toBe(201)
})

it('the same text as a name and as a pattern are two services', async () => {
  const matchers = [{ service: 'a' }, { service: 'a', service_match: 'pattern' as const }]
  expect((await tenant().create({ rule_match: 'all', matchers })).flags).toEqual([])
})

it('all allows two conditions of one group, which are joined with and', async () => {
  expect((await tenant().create({ rule_match: 'all', matchers: separate })).flags).toEqual([])
})

it('a change to all is refused by every operation that makes it, and nothing is stored', async () => {
  const { ask, create, read } = tenant()
  const any = await create({ matchers: joined })
  const all = await create({ rule_match: 'all', matchers: separate })
  const answers = [
    await ask('PUT', `/integrations/${any.id}`, { body: { rule_match: 'all' } }),
    await ask('PUT', `/integrations/${any.id}/matchers`, { body: { matchers: joined, rule_match: 'all' } }),
    await ask('PUT', `/integrations/${all.id}`, { body: { matchers: joined } }),
    await ask('PUT', `/integrations/${all.id}/matchers`, { body: { matchers: joined } }),
    await ask('POST', `/integrations/${all.id}/matchers`, { body: { service: 'b' } }),
  ]
  for (const answer of answers) expect(answer).toMatchObject(refused)
  expect([await read(any.id), await read(all.id)]).toEqual([any, all])
})

it('a change to all that also merges the groups is accepted', async () => {
  const { ask, create } = tenant()
  const { id } = await create({ matchers: joined })
  const body = { matchers: separate, rule_match: 'all' }
  expect((await ask('PUT', `/integrations/${id}/matchers`, { body })).status).toBe(200)
})

it('an import stores such an integration, which is read back with a flag', async () => {
  const it = tenant()
  expect(await importFlagged(it)).toMatchObject({
    rule_match: 'all',
    flags: ['or_under_all'],
    matchers: [{ match_group: '1' }, { match_group: '2' }, { service: 'b' }],
  })
})

it('a flagged integration accepts edits that leave mode and matchers as they are', async () => {
  const it = tenant()
  const { id, matchers } = await importFlagged(it)
  const edits = [
    { name: 'new' },
    { description: 'x', rule_match: 'all' },
    { description: 'y', matchers },
    { matchers: joined },
  ]
  for (const body of edits) {
    const answer = await it.ask<Integration>('PUT', `/integrations/${id}`, { body })
    expect([answer.status, answer.body.flags]).toEqual([200, ['or_under_all']])
  }
})

it('a flagged integration accepts its rules in another order, and written in another way', async () => {
  const it = tenant()
  const ofGroup = { match_group: '1' }
  const first = [matcher('a', ofGroup), matcher('a', { ...ofGroup, value: 't-2', include_descendants: true })]
  const { id, matchers } = await importFlagged(it, [...first, { service: 'b' }, matcher('a', { match_group: '2' })])
  const [one, two, other, second] = matchers.map((each) => ({ ...each, include_descendants: each.match_group === '1' }))
  const edited = await it.ask('PUT', `/integrations/${id}`, { body: { matchers: [second, two, one, other] } })
  expect(edited.status).toBe(200)
  const changed = [{ ...second, include_descendants: true }, two, one, other]
  expect(await it.ask('PUT', `/integrations/${id}`, { body: { matchers: changed } })).toMatchObject(refused)
})

it('a flagged integration refuses edits of its matchers that would leave it flagged', async () => {
  const it = tenant()
  const flagged = await importFlagged(it)
  const path = `/integrations/${flagged.id}`
  const answers = [
    await it.ask('PUT', `${path}/matchers`, { body: { matchers: [...joined, { service: 'c' }] } }),
    await it.ask('PUT', path, { body: { name: 'x', matchers: joined.slice(0, 2) } }),
    await it.ask('POST', `${path}/matchers`, { body: { service: 'c' } }),
    await it.ask('DELETE', `${path}/matchers/${flagged.matchers[2]?.id}`),
  ]
  for (const answer of answers) expect(answer).toMatchObject(refused)
  expect(await it.read(flagged.id)).toEqual(flagged)
})

it.each<[string, (it: Tenant, flagged: Integration) => Promise<unknown>]>([
  ['the mode any', (it, { id }) => it.ask('PUT', `/integrations/${id}`, { body: { rule_match: 'any' } })],
  ['joining with and', (it, { id }) => it.ask('PUT', `/integrations/${id}/matchers`, { body: { matchers: separate } })],
  ['deleting a group', (it, { id, matchers }) => it.ask('DELETE', `/integrations/${id}/matchers/${matchers[1]?.id}`)],
])('a flagged integration loses its flag by %s', async (_, edit) => {
  const it = tenant()
  const flagged = await importFlagged(it)
  await edit(it, flagged)
  expect(await it.read(flagged.id)).toMatchObject({ flags: [], version: 2 })
})

it('a flagged integration can be cloned once the or is removed, like its content could be created', async () => {
  const it = tenant()
  const { id } = await importFlagged(it)
  const clone = () => it.ask<Integration>('POST', `/integrations/${id}/clone`, { body: { name: 'copy' } })
  expect(await clone()).toMatchObject({ status: 409, body: { code: 'or_under_all' } })
  await it.ask('PUT', `/integrations/${id}`, { body: { rule_match: 'any' } })
  expect(await clone()).toMatchObject({ status: 201, body: { rule_match: 'any', flags: [] } })
})

it('a preview reports that a save would be refused', async () => {
  const preview = await tenant().ask('POST', '/integrations/preview', { body: { rule_match: 'all', matchers: joined } })
  expect(preview).toMatchObject({ status: 200, body: { flags: ['or_under_all'] } })
})
