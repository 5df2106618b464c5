import { expect, it } from 'vitest'
import { authHeader, type Channel, created, template, url } from '../../support/channel-requests.ts'
import { exportOf, importInto, sharedApp, type Tenant } from '../../support/integration-app.ts'
import { leastStretch } from '../../support/longest-stretch.ts'

const newTenant = sharedApp()

const list = async (tenant: Tenant) => (await tenant.ask<{ items: Channel[] }>('GET', '/alerting/channels')).body.items

it('an export contains channels without credentials, and its import elsewhere reproduces them', async () => {
  const [from, to] = [newTenant(), newTenant()]
  await created(from, { auth_header: authHeader, ...template('{"a": 1.0, "b": "$alert.id"}') })
  await created(from, {}, { name: 'Off', enabled: false })
  const exported = await exportOf(from)
  expect(exported.channels).toEqual([
    { kind: 'webhook', name: 'Off', enabled: false, config: { url, format: 'json' } },
    { kind: 'webhook', name: 'On-call', enabled: true, config: { url, ...template('{"a": 1.0, "b": "$alert.id"}') } },
  ])
  const { body } = await importInto(to, exported)
  const note = (name: string) =>
    `The channel "${name}" has no auth_header and a newly generated signing_secret. Set both.`
  expect(body.channels).toEqual({
    created: 2,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    changes: ['Off', 'On-call'].map((name) => ({ action: 'created', name })),
    notes: [note('On-call'), note('Off')].sort(),
  })
  expect(await exportOf(to)).toEqual(exported)
  for (const { credentials } of await list(to))
    expect([credentials.auth_header.set, credentials.signing_secret.set]).toEqual([false, true])
  expect((await importInto(to, exported)).body.channels).toEqual({
    created: 0,
    updated: 0,
    unchanged: 2,
    deleted: 0,
    changes: [],
  })
})

it('an import updates channels by name, keeps their credentials, and deletes the others in mode replace', async () => {
  const tenant = newTenant()
  const before = await created(tenant, { auth_header: authHeader, ...template('{}') })
  await created(tenant, {}, { name: 'Rest' })
  const moved = { name: 'On-call', config: { url: 'https://receiver.example/other' } }
  const { body } = await importInto(tenant, { channels: [moved] }, 'replace')
  expect(body.channels).toMatchObject({ created: 0, updated: 1, unchanged: 0, deleted: 1 })
  const [after, ...others] = await list(tenant)
  expect(others).toEqual([])
  expect(after).toMatchObject({
    id: before.id,
    version: 2,
    config: { ...moved.config, format: 'json' },
    credentials: before.credentials,
  })
  expect(after?.config).not.toHaveProperty('body_template')
})

it('an import that changes one setting of a channel updates the channel', async () => {
  const tenant = newTenant()
  await created(tenant)
  await created(tenant, template('{"a":1}'), { name: 'Template' })
  const { channels } = await exportOf(tenant)
  for (const [of, change] of [
    ['On-call', { enabled: false }],
    ['On-call', { config: { url: 'https://receiver.example/other', format: 'json' } }],
    ['On-call', { config: { url, format: 'cloudevents' } }],
    ['Template', { config: { url, ...template('{"a":2}') } }],
  ] as const) {
    const changed = channels.map((channel) => (channel.name === of ? { ...channel, ...change } : channel))
    for (const imported of [changed, channels]) {
      const { body } = await importInto(tenant, { channels: imported })
      expect([change, body.channels]).toMatchObject([change, { updated: 1, unchanged: 1 }])
      expect((await exportOf(tenant)).channels).toEqual(imported)
    }
  }
})

it('an import that disables a channel keeps the reason for which it is disabled already', async () => {
  const tenant = newTenant()
  const { id } = await created(tenant)
  const { db } = tenant.app.app.metadata
  await db.updateTable('channels').set({ disabled_reason: 'gone' }).where('id', '=', id).execute()
  const imported = await importInto(tenant, { channels: (await exportOf(tenant)).channels })
  expect(imported.body.channels).toMatchObject({ updated: 0, unchanged: 1 })
  const config = { url: 'https://receiver.example/other' }
  await importInto(tenant, { channels: [{ name: 'On-call', enabled: false, config }] })
  expect(await list(tenant)).toMatchObject([{ enabled: false, disabled_reason: 'gone', config }])
  await importInto(tenant, { channels: [{ name: 'On-call', config }] })
  expect((await list(tenant))[0]).not.toHaveProperty('disabled_reason')
})

it('an import that gives a channel another origin removes its auth_header and says so', async () => {
  const tenant = newTenant()
  const before = await created(tenant, { auth_header: authHeader })
  await created(tenant, { auth_header: null }, { name: 'Without' })
  const config = { url: 'https://other.example/' }
  const channels = ['On-call', 'Without'].map((name) => ({ name, config }))
  const { body } = await importInto(tenant, { channels })
  const notes = ['The channel "On-call" has a URL with another origin. Set its auth_header again.']
  expect(body.channels).toMatchObject({ created: 0, updated: 2, unchanged: 0, deleted: 0, notes })
  const after = (await list(tenant)).find(({ name }) => name === 'On-call')
  expect(after?.config).toMatchObject(config)
  expect(after?.credentials).toEqual({ ...before.credentials, auth_header: { set: false } })
})

it('an export by a viewer is refused by an import, which would lose the masked URLs', async () => {
  const tenant = newTenant()
  await created(tenant)
  const { body } = await tenant.ask('GET', '/config/export', { whom: { role: 'viewer' } })
  const { status, refusal } = await tenant.ask('POST', '/config/import', { body })
  expect([status, refusal]).toEqual([400, ['invalid_request', '/channels/0/masked']])
})

const good = { name: 'New', config: { url: 'https://receiver.example/' } }

it.each([
  [
    'an invalid template',
    { name: 'x', config: { url, ...template('{"a":"$x"}') } },
    422,
    '/channels/1/config/body_template',
  ],
  [
    'a template without its format',
    { name: 'x', config: { url, body_template: '{}' } },
    422,
    '/channels/1/config/body_template',
  ],
  [
    'a URL with an internal address',
    { name: 'x', config: { url: 'http://127.0.0.1/' } },
    422,
    '/channels/1/config/url',
  ],
  ['a malformed URL', { name: 'x', config: { url: 'ftp://x' } }, 400, '/channels/1/config/url'],
  ['a credential', { name: 'x', config: { url, auth_header: authHeader } }, 400, '/channels/1/config/auth_header'],
  ['a duplicate name', good, 400, '/channels/1/name'],
])('an import with %s writes nothing', async (_, channel, status, pointer) => {
  const tenant = newTenant()
  const answer = await importInto(tenant, { channels: [good, channel] })
  expect([answer.status, ...answer.refusal.slice(1)]).toEqual([status, pointer])
  expect(await list(tenant)).toEqual([])
})

it('an import of many large templates does not block the event loop', async () => {
  const tenant = newTenant()
  const large = template(JSON.stringify({ a: '$alert.id '.repeat(3_000) }))
  const channels = Array.from({ length: 300 }, (_, index) => ({ name: `${index}`, config: { url, ...large } }))
  const internal = { name: 'internal', config: { url: 'http://10.0.0.1/' } }
  const send = async () => {
    const { status, body } = await importInto(tenant, { channels: [...channels, internal] })
    expect([status, body]).toMatchObject([422, { errors: [{ pointer: '/channels/300/config/url' }] }])
  }
  expect(await leastStretch(send, 150)).toBeLessThan(150)
}, 120_000)
