import { describe, expect, it } from 'vitest'
import { type Integration, type MatcherInput, matcher, said, sharedApp } from '../support/integration-app.ts'

const tenant = sharedApp()

it('matchers accept their own operator names, and not those of other kinds of record', async () => {
  const { ask } = tenant()
  const names = 'equals not_equals contains not_contains prefix suffix regex exists not_exists'.split(' ')
  const matchers = names.map((operator) => matcher('a', { operator }))
  expect((await ask('POST', '/integrations', { body: { name: 'a', matchers } })).status).toBe(201)
  for (const operator of ['eq', 'neq', 'starts_with', 'ends_with', 'matches', 'gt', 'EQUALS', '']) {
    const answer = await ask('POST', '/integrations', { body: { name: 'b', matchers: [matcher('a', { operator })] } })
    expect([operator, answer.status, ...answer.refusal]).toEqual([
      ...[operator, 400],
      ...['invalid_request', '/matchers/0/operator'],
    ])
  }
})

const faulty: [string, unknown, string][] = [
  ['no service', { attribute_key: 'k', operator: 'exists' }, '/service'],
  ['an unknown kind of service', { service: 'a', service_match: 'regex' }, '/service_match'],
  ['an unknown source', matcher('a', { attribute_source: 'log' }), '/attribute_source'],
  ['an unknown intrinsic', matcher('a', { attribute_source: 'intrinsic', attribute_key: 'x' }), '/attribute_key'],
  ['a key that is too long', matcher('a', { attribute_key: 'k'.repeat(257) }), '/attribute_key'],
  ['a condition without a key', { service: 'a', operator: 'equals', value: 'v' }, '/attribute_key'],
  ['a key without an operator', { service: 'a', attribute_key: 'k' }, '/operator'],
  ['no value', matcher('a', { value: undefined }), '/value'],
  ['a null value', matcher('a', { value: null }), '/value'],
  ['a list as value', matcher('a', { value: [] }), '/value'],
  ['an integer that JSON cannot hold', matcher('a', { value: 2 ** 53 }), '/value'],
  ['a value that is too long', matcher('a', { value: 'x'.repeat(4097) }), '/value'],
  ['a pattern that RE2 refuses', matcher('a', { operator: 'regex', value: '(?=a)' }), '/value'],
  ['a pattern that is too long', matcher('a', { operator: 'regex', value: 'a'.repeat(1001) }), '/value'],
  ['include_descendants that is not a boolean', matcher('a', { include_descendants: 1 }), '/include_descendants'],
  ['the spelling of message rows', matcher('a', { includeDescendants: true }), '/includeDescendants'],
  ['another service than its group', matcher('b', { match_group: 'g' }), '/service'],
  ['another kind of service than its group', matcher('a', { match_group: 'g', service_match: 'pattern' }), '/service'],
]

describe('an invalid matcher is refused at its row, and nothing is stored', () => {
  it.each(faulty)('%s', async (_, row, field) => {
    const { ask, create, read } = tenant()
    const good = matcher('a', { match_group: 'g' })
    const refusal = ['invalid_request', `/matchers/2${field}`]
    const list = [good, { service: 'c' }, row, { service: 'd' }]
    expect((await ask('POST', '/integrations', { body: { name: 'n', matchers: list } })).refusal).toEqual(refusal)
    const before = await create({ matchers: [good] })
    expect((await ask('PUT', `/integrations/${before.id}`, { body: { matchers: list } })).refusal).toEqual(refusal)
    expect((await ask('PUT', `/integrations/${before.id}/matchers`, { body: { matchers: list } })).refusal).toEqual(
      refusal,
    )
    expect((await ask('POST', '/integrations/preview', { body: { matchers: list } })).refusal).toEqual(refusal)
    const added = await ask('POST', `/integrations/${before.id}/matchers`, { body: row })
    expect([added.status, ...added.refusal]).toEqual([400, 'invalid_request', field])
    expect(await read(before.id)).toEqual(before)
  })
})

it('the problem of an added matcher names its fields, not its place in the list', async () => {
  const { ask, create } = tenant()
  const { id } = await create({ matchers: [{ service: 'a' }, { service: 'b' }] })
  const answer = await ask('POST', `/integrations/${id}/matchers`, { body: { service: 'c', operator: 'exists' } })
  expect(answer.body).toMatchObject({
    detail: '/attribute_key: A condition requires `attribute_key`.',
    errors: [{ pointer: '/attribute_key', message: 'A condition requires `attribute_key`.' }],
  })
})

it('all invalid rows are reported together', async () => {
  const bad = matcher('a', { operator: 'regex', value: '(' })
  const body = { name: 'a', matchers: [bad, matcher('a'), { service: 'a', value: 'x' }, bad] }
  const { refusal } = await tenant().ask('POST', '/integrations', { body })
  expect(refusal.slice(1).sort()).toEqual(['/matchers/0/value', '/matchers/2/attribute_key', '/matchers/3/value'])
})

it('500 matchers are accepted, and none is stored if one is invalid; 501 are refused', async () => {
  const { ask, create, read } = tenant()
  const rows = Array.from({ length: 500 }, (_, n) => matcher(`s${n}`, { operator: 'regex', value: `^t-${n}$` }))
  const before = await create({ matchers: [{ service: 'old' }] })
  const path = `/integrations/${before.id}/matchers`
  const bad = await ask('PUT', path, {
    body: { matchers: rows.with(317, matcher('s', { operator: 'regex', value: '[' })) },
  })
  expect([bad.status, ...bad.refusal]).toEqual([400, 'invalid_request', '/matchers/317/value'])
  expect(await read(before.id)).toEqual(before)
  const many = await ask('PUT', path, { body: { matchers: [...rows, matcher('x')] } })
  expect([many.status, ...many.refusal]).toEqual([400, 'invalid_request', '/matchers'])
  const good = await ask<Integration>('PUT', path, { body: { matchers: rows } })
  expect([good.status, good.body.matchers.length]).toEqual([200, 500])
  const more = await ask('POST', path, { body: { service: 'x' } })
  expect([more.status, ...more.refusal]).toEqual([422, 'refused'])
})

it('a replace keeps the mode unless it sets another', async () => {
  const { ask, create } = tenant()
  const { id } = await create({ rule_match: 'all' })
  const replace = async (body: object) =>
    (await ask<Integration>('PUT', `/integrations/${id}/matchers`, { body })).body.rule_match
  expect(await replace({ matchers: [{ service: 'a' }] })).toBe('all')
  expect(await replace({ matchers: [], rule_match: 'any' })).toBe('any')
})

it('a matcher that is sent with its id keeps it, once; an unknown id is replaced', async () => {
  const { ask, create } = tenant()
  const other = await create({ matchers: [{ service: 'o' }] })
  const { id, matchers } = await create({ matchers: [{ service: 'a' }, matcher('b')] })
  const [first, second] = matchers
  const sent = [second, second, first, other.matchers[0]]
  const answer = await ask<Integration>('PUT', `/integrations/${id}/matchers`, { body: { matchers: sent } })
  const ids = answer.body.matchers.map((each) => each.id)
  expect([ids[0], ids[2]]).toEqual([second?.id, first?.id])
  expect(new Set([...ids, other.matchers[0]?.id]).size).toBe(5)
})

it.each([
  ['a', ['a', 'a']],
  ['b', ['a', 'b']],
])(
  'a matcher without a group is a rule of its own, though another is in the group of its id: %s',
  async (service, services) => {
    const { ask, create, read } = tenant()
    const { id, matchers } = await create({ matchers: [matcher('a'), matcher('a')] })
    const first = matchers[0]?.id
    const list = [
      { ...matcher('a'), id: first },
      { ...matcher(service), match_group: first },
    ]
    expect((await ask('PUT', `/integrations/${id}/matchers`, { body: { matchers: list } })).status).toBe(200)
    const stored = (await read(id)).matchers
    expect(stored.map((each) => each.service)).toEqual(services)
    expect(stored[0]?.id).toBe(first)
    expect(new Set(stored.map(({ match_group }) => match_group)).size).toBe(2)
    expect((await ask('GET', `/integrations/${id}/stats`)).status).toBe(200)
  },
)

it('a matcher is appended, and deleted by its id', async () => {
  const { ask, create, read } = tenant()
  const { id } = await create({ matchers: [matcher('a', { match_group: 'g' })] })
  const body = matcher('a', { match_group: 'g', operator: 'exists', value: { ignored: true } })
  const added = await ask<{ id: string }>('POST', `/integrations/${id}/matchers`, { body })
  const path = `/integrations/${id}/matchers/${added.body.id}`
  expect(added).toMatchObject({ status: 201, location: `/api/v1${path}` })
  const [, last] = (await read(id)).matchers
  expect(last).toEqual(added.body)
  expect(last).not.toHaveProperty('value')
  expect((await ask('DELETE', path)).status).toBe(204)
  expect((await ask('DELETE', path)).refusal).toEqual(['not_found'])
  expect(await read(id)).toMatchObject({ matchers: [{ match_group: 'g' }], version: 3 })
})

it('keys and values are any Unicode text', async () => {
  const { create, read } = tenant()
  const matchers: MatcherInput[] = ['', 'a.b', 'it\'s `%` "q"', 'ключ 🗝', 'a\u0000b'].map((text) =>
    matcher('a', { attribute_key: text, value: text }),
  )
  const { id } = await create({ matchers })
  expect(said((await read(id)).matchers)).toMatchObject(matchers)
})
