import { describe, expect, it } from 'vitest'
import {
  authHeader,
  type Channel,
  create,
  created,
  put,
  refusal,
  template,
  url,
} from '../../support/channel-requests.ts'
import { sharedApp } from '../../support/integration-app.ts'

const newTenant = sharedApp()

describe('credentials', () => {
  it('"Authentication" 3: every response masks auth_header', async () => {
    const tenant = newTenant()
    const made = await created(tenant, { auth_header: authHeader })
    const answers = [
      made,
      (await tenant.ask('GET', `/alerting/channels/${made.id}`)).body,
      (await tenant.ask('GET', '/alerting/channels')).body,
      (await put(tenant, made.id, { name: 'Other' })).body,
      (await tenant.ask('GET', '/config/export')).body,
    ]
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain('the-receivers-own')
    expect(made.credentials.auth_header).toEqual({ set: true, last4: 'oken' })
  })

  it('the masked credentials that were read can be sent back', async () => {
    const tenant = newTenant()
    const { id, credentials } = await created(tenant, { auth_header: authHeader })
    const kept = await tenant.ask<Channel>('PUT', `/alerting/channels/${id}`, { body: { name: 'Other', credentials } })
    expect(kept.body).toMatchObject({ name: 'Other', credentials })
  })

  it.each(['auth_header', 'signing_secret'])('a secret in credentials.%s is refused, not ignored', async (field) => {
    const tenant = newTenant()
    const { id } = await created(tenant)
    const body = { name: 'Wrong', config: { url }, credentials: { [field]: 'Bearer in-the-wrong-place' } }
    for (const [method, path] of [
      ['POST', '/alerting/channels'],
      ['PUT', `/alerting/channels/${id}`],
    ] as const) {
      const answer = await tenant.ask<{ errors: { message: string }[] }>(method, path, { body })
      expect([answer.status, ...answer.refusal]).toEqual([400, 'invalid_request', `/credentials/${field}`])
      expect(answer.body.errors[0]?.message).toContain(`\`config.${field}\``)
      expect(JSON.stringify(answer.body)).not.toContain('wrong-place')
    }
    expect((await tenant.ask<{ items: Channel[] }>('GET', '/alerting/channels')).body.items).toMatchObject([{ id }])
  })

  it('creating a channel without a signing secret generates one and shows it once', async () => {
    const tenant = newTenant()
    const made = await created(tenant)
    expect(made.signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made.credentials.signing_secret).toEqual({ set: true, last4: made.signing_secret?.slice(-4) })
    const read = await tenant.ask('GET', `/alerting/channels/${made.id}`)
    expect(JSON.stringify(read.body)).not.toContain('whsec_')
  })

  it.each([
    ['seven77', ''],
    ['eight888', 't888'],
  ])('of %s, the last characters shown are "%s"', async (auth_header, last4) => {
    const { credentials } = await created(newTenant(), { auth_header })
    expect(credentials.auth_header).toEqual({ set: true, last4 })
  })

  it('omitting a credential keeps it, null clears it, and text replaces it', async () => {
    const tenant = newTenant()
    const signing_secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const made = await created(tenant, { auth_header: authHeader, signing_secret })
    expect(made.signing_secret).toBeUndefined()
    const kept = await put(tenant, made.id, { config: { url: 'https://receiver.example/other' } })
    expect(kept.body.credentials).toEqual({
      auth_header: { set: true, last4: 'oken' },
      signing_secret: { set: true, last4: signing_secret.slice(-4) },
    })
    const cleared = await put(tenant, made.id, { config: { auth_header: null, signing_secret: null } })
    expect(cleared.body.credentials).toEqual({ auth_header: { set: false }, signing_secret: { set: false } })
    const again = await put(tenant, made.id, { config: { auth_header: 'Basic dXNlcjpvdGhlcg==' } })
    expect(again.body.credentials.auth_header).toEqual({ set: true, last4: 'cg==' })
    expect((await created(newTenant(), { signing_secret: null })).credentials.signing_secret).toEqual({ set: false })
  })

  it.each([
    ['host', 'https://other.example/'],
    ['subdomain', 'https://a.receiver.example/'],
    ['port', 'https://receiver.example:8443/'],
    ['scheme', 'http://receiver.example/'],
  ])('a URL with another %s requires the stored auth_header again', async (_, other) => {
    const tenant = newTenant()
    const { id } = await created(tenant, { auth_header: authHeader })
    const refused = await put(tenant, id, { name: 'Moved', config: { url: other } })
    expect([refused.status, refused.refusal]).toEqual([422, ['refused', '/config/auth_header']])
    const read = (await tenant.ask<Channel>('GET', `/alerting/channels/${id}`)).body
    expect([read.name, read.config.url, read.version]).toEqual(['On-call', url, 1])
    const sent = await put(tenant, id, { config: { url: other, auth_header: 'Bearer of-the-other' } })
    expect(sent.body).toMatchObject({ config: { url: other }, credentials: { auth_header: { last4: 'ther' } } })
    const removed = await put(tenant, id, { config: { url, auth_header: null } })
    expect(removed.body).toMatchObject({ config: { url }, credentials: { auth_header: { set: false } } })
  })

  it.each(['a\r\nX-Other: 1', 'a\u0000', ' a', 'a ', 'é', '', 'x'.repeat(4_097), 7])(
    'an auth_header that is not a header value is refused: %j',
    async (value) => {
      expect((await refusal(newTenant(), { auth_header: value })).slice(0, 2)).toEqual([400, 'invalid_request'])
    },
  )

  it.each([
    'secret',
    'whsec_',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    `whsec_${'A'.repeat(33)}`,
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!',
  ])('a malformed signing_secret is refused: %s', async (value) => {
    expect((await refusal(newTenant(), { signing_secret: value })).slice(0, 2)).toEqual([400, 'invalid_request'])
  })

  it.each([
    'ftp://x.example',
    'x',
    '/path',
    'http://',
    'http:x.example',
    'javascript:alert(1)',
    'https://user:pass@x.example',
    'https://user@x.example',
    'https://x.example/ a',
    'https://x.example/\n',
    'file:///etc/passwd',
  ])(
    'a URL that is not http or https, or that contains credentials, is refused and not repeated: %j',
    async (value) => {
      const refused = await refusal(newTenant(), { url: value })
      expect(refused.slice(0, 2)).toEqual([400, 'invalid_request'])
      expect(refused.join()).not.toContain('pass@')
    },
  )

  it('all malformed fields are reported together', async () => {
    const { status, refusal } = await create(
      newTenant(),
      { url: 'x', auth_header: 'é', signing_secret: 'x' },
      { name: 'a\u0007' },
    )
    expect([status, refusal]).toEqual([
      400,
      ['invalid_request', '/name', '/config/url', '/config/auth_header', '/config/signing_secret'],
    ])
  })
})

describe('a channel', () => {
  it('has a location, an entity tag and a growing version, and If-Match protects changes', async () => {
    const tenant = newTenant()
    const { location, etag, body } = await create(tenant)
    expect([location, etag]).toEqual([`/api/v1/alerting/channels/${body.id}`, '"1"'])
    expect((await put(tenant, body.id, { name: 'Other' }, '"1"')).etag).toBe('"2"')
    expect((await put(tenant, body.id, { name: 'Third' }, '"1"')).status).toBe(412)
    expect((await tenant.ask('DELETE', `/alerting/channels/${body.id}`, { ifMatch: '"1"' })).status).toBe(412)
    expect((await tenant.ask('DELETE', `/alerting/channels/${body.id}`, { ifMatch: '"2"' })).status).toBe(204)
    expect((await tenant.ask('GET', `/alerting/channels/${body.id}`)).status).toBe(404)
  })

  it('does not exist for another organization', async () => {
    const { id } = await created(newTenant())
    const other = newTenant()
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      expect((await other.ask(method, `/alerting/channels/${id}`, { ...(body && { body }) })).status).toBe(404)
    }
  })

  it('has a unique name', async () => {
    const tenant = newTenant()
    await created(tenant)
    expect((await create(tenant)).status).toBe(409)
    const { id } = await created(tenant, {}, { name: 'Second' })
    expect((await put(tenant, id, { name: 'On-call' })).status).toBe(409)
  })

  it('shows viewers the origin of its URL and a masked template, and is writable by contributors', async () => {
    const tenant = newTenant()
    const settings = { url, ...template('{"routing_key":"in-the-template"}') }
    const { id } = await created(tenant, settings)
    const read = async (role: 'viewer' | 'contributor') => {
      const paths = [`/alerting/channels/${id}`, '/alerting/channels', '/config/export']
      const answers = await Promise.all(paths.map((path) => tenant.ask<object>('GET', path, { whom: { role } })))
      const [one, listed, exported] = answers.map(({ body }) => body as Channel & Record<string, Channel[]>)
      return [one, listed?.items?.[0], exported?.channels?.[0]].map((channel) => channel?.config)
    }
    for (const config of await read('viewer')) {
      expect(config).toMatchObject({ url: 'https://receiver.example', body_template: '[masked]' })
    }
    for (const config of await read('contributor')) expect(config).toMatchObject(settings)
    const statuses = await Promise.all([
      tenant.ask('GET', '/alerting/channels', { whom: { role: 'restricted' } }),
      tenant.ask('PUT', `/alerting/channels/${id}`, { body: { name: 'x' }, whom: { role: 'viewer' } }),
      tenant.ask('GET', '/alerting/template-context-schema', { whom: { role: 'viewer' } }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 200])
  })

  it('can be disabled and enabled, and gives the reason', async () => {
    const tenant = newTenant()
    const { id } = await created(tenant, {}, { enabled: false })
    const read = async () => (await tenant.ask('GET', `/alerting/channels/${id}`)).body
    expect(await read()).toMatchObject({ enabled: false, disabled_reason: 'by_user' })
    await put(tenant, id, { enabled: true })
    expect(await read()).not.toHaveProperty('disabled_reason')
  })

  it('is listed in pages, newest first', async () => {
    const tenant = newTenant()
    const ids = [] as string[]
    for (const name of ['a', 'b', 'c']) ids.unshift((await created(tenant, {}, { name })).id)
    const read: string[] = []
    let cursor = ''
    do {
      const { body } = await tenant.ask<{ items: Channel[]; next_cursor: string | null }>(
        'GET',
        `/alerting/channels?limit=2${cursor}`,
      )
      read.push(...body.items.map(({ id }) => id))
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    expect(read).toEqual(ids)
  })
})
