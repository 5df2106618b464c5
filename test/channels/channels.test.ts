import { describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../integrations/integration-app.ts'

type Channel = components['schemas']['ChannelCreated']

const newTenant = sharedApp()
const url = 'https://receiver.example/alerts?token=in-the-query'
const auth_header = 'Bearer the-receivers-own-token'

function create(tenant: Tenant, config: object = {}, more: object = {}) {
  return tenant.ask<Channel>('POST', '/alerting/channels', {
    body: { kind: 'webhook', name: 'On-call', config: { url, ...config }, ...more },
  })
}

async function created(tenant: Tenant, config: object = {}, more: object = {}): Promise<Channel> {
  const { status, body } = await create(tenant, config, more)
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}

const put = (tenant: Tenant, id: string, body: object, ifMatch?: string) =>
  tenant.ask<Channel>('PUT', `/alerting/channels/${id}`, { body, ...(ifMatch !== undefined && { ifMatch }) })

const template = (text: string) => ({ format: 'template', body_template: text })

/** What a save answers, and that it stored nothing. */
async function refusal(config: object): Promise<readonly unknown[]> {
  const tenant = newTenant()
  const { status, body } = await create(tenant, config)
  const list = await tenant.ask<{ items: unknown[] }>('GET', '/alerting/channels')
  expect(list.body.items).toEqual([])
  const { code, errors = [] } = body as unknown as components['schemas']['Problem']
  return [status, code, ...errors.map((fault) => `${fault.pointer} ${fault.code} ${fault.message}`)]
}

const at = '/config/body_template'

describe('"Errors"', () => {
  it('webhook channel saved with a template that does not parse as JSON: channel rejected on save', async () => {
    expect(await refusal(template('{"a": }'))).toEqual([
      ...[422, 'refused'],
      `${at} malformed_json the template is not JSON: value expected at line 1, column 7`,
    ])
  })

  it('template references an unknown path: rejected on save, naming the path', async () => {
    expect(await refusal(template('{"a": "$alert.states", "b": ["x ${service.metadata.team}"]}'))).toEqual([
      ...[422, 'refused'],
      `${at} unknown_variable the template refers to "alert.states" at "/a", which is no variable`,
      `${at} unknown_variable the template refers to "service.metadata.team" at "/b/0", which is no variable`,
    ])
  })

  it('template larger than 32 KB: channel rejected on save', async () => {
    const ofBytes = (bytes: number) => template(`{"a":"${'é'.repeat((bytes - 8) / 2)}"}`)
    expect((await refusal(ofBytes(32_770))).slice(0, 2)).toEqual([422, 'refused'])
    expect((await create(newTenant(), ofBytes(32_768))).status).toBe(201)
  })

  it('body_template set without format equal to template: channel rejected on save', async () => {
    const body_template = '{"a":1}'
    for (const format of [{}, { format: 'json' }, { format: 'cloudevents' }]) {
      expect(await refusal({ ...format, body_template })).toEqual([
        422,
        'refused',
        expect.stringContaining(`${at} format_not_template`),
      ])
    }
    expect(await refusal({ format: 'template' })).toEqual([422, 'refused', expect.stringContaining(`${at} required`)])
  })

  it.each(['[]', '"x"', '1', 'null'])('template root is not a JSON object: rejected: %s', async (text) => {
    expect(await refusal(template(text))).toEqual([
      422,
      'refused',
      `${at} not_an_object the template must be a JSON object`,
    ])
  })

  it('a change of a channel is held against the same rules, and changes nothing when refused', async () => {
    const tenant = newTenant()
    const { id, version } = await created(tenant, template('{"a":"$alert.id"}'))
    for (const config of [
      { body_template: '{"a":"$x"}' },
      { body_template: null },
      { format: 'json' },
      { format: 'cloudevents' },
    ]) {
      const { status, told } = await put(tenant, id, { name: 'Other', config })
      expect([status, told]).toEqual([422, ['refused', at]])
    }
    expect((await tenant.ask('GET', `/alerting/channels/${id}`)).body).toMatchObject({ name: 'On-call', version })
    expect((await put(tenant, id, { config: { format: 'json', body_template: null } })).body.config).toMatchObject({
      format: 'json',
    })
  })
})

describe('"Custom body template"', () => {
  const preview = async (body_template: string) =>
    (
      await newTenant().ask<components['schemas']['TemplatePreview']>('POST', '/alerting/templates/preview', {
        body: { body_template },
      })
    ).body

  it('1: the template is kept and read back as it was sent', async () => {
    const text = ' {"b": 1.0, "a": "$alert.id"}\n'
    const tenant = newTenant()
    const { id } = await created(tenant, template(text))
    const { body } = await tenant.ask<Channel>('GET', `/alerting/channels/${id}`)
    expect(body.config).toMatchObject({ format: 'template', body_template: text })
  })

  it('2: substitution cannot make invalid JSON', async () => {
    const { text, body } = await preview('{"a\\"": "\\"$alert.summary\\" \\\\ ${service.metadata}"}')
    expect(JSON.parse(text)).toEqual(body)
    expect(Object.keys(body)).toEqual(['a"'])
  })

  it('3: $path and ${path} are the same, and braces end a path', async () => {
    expect((await preview('{"a":"$alert.state","b":"${alert.state}","c":"${alert.state}s"}')).body).toEqual({
      a: 'firing',
      b: 'firing',
      c: 'firings',
    })
  })

  it('4: a whole value keeps its type, and an absent one is null', async () => {
    expect((await preview('{"a":"$check.value","b":"$service.facets","c":"$alert.resolved_at"}')).body).toEqual({
      a: 912.4,
      b: ['core', 'http-input', 'db-output'],
      c: null,
    })
  })

  it('5: among other text values are text, and an absent one is empty', async () => {
    expect((await preview('{"a":"<$check.value|$alert.resolved_at>"}')).body).toEqual({ a: '<912.4|>' })
  })

  it('6: keys are not substituted, literals pass through untouched', async () => {
    const text = '{"$alert.id": 1.0, "2": 1e400, "1": 12345678901234567890, "__proto__": [true, null, "$5"]}'
    expect((await preview(text)).text).toBe(text)
  })

  it('7: a preview refuses what a save refuses', async () => {
    const { status, told } = await newTenant().ask('POST', '/alerting/templates/preview', {
      body: { body_template: '{"a":"$alert.states"}' },
    })
    expect([status, told]).toEqual([422, ['refused', '/body_template']])
  })

  it('8: template, CloudEvents and canonical payload are values of one setting', async () => {
    const tenant = newTenant()
    const { id } = await created(tenant, { format: 'cloudevents' })
    expect((await put(tenant, id, { config: template('{}') })).body.config.format).toBe('template')
    expect((await put(tenant, id, { config: { format: 'xml' } })).status).toBe(400)
  })
})

describe('credentials', () => {
  it('"Authentication" 3: auth_header reads back masked, everywhere', async () => {
    const tenant = newTenant()
    const made = await created(tenant, { auth_header })
    const answers = [
      made,
      (await tenant.ask('GET', `/alerting/channels/${made.id}`)).body,
      (await tenant.ask('GET', '/alerting/channels')).body,
      (await put(tenant, made.id, { name: 'Other' })).body,
      (await tenant.ask('GET', '/config/export')).body,
    ]
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain('the-receivers-own')
    expect(made.config.auth_header).toEqual({ set: true, last4: 'oken' })
  })

  it('a signing secret is made when none is sent, and shown in that answer alone', async () => {
    const tenant = newTenant()
    const made = await created(tenant)
    expect(made.signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made.config.signing_secret).toEqual({ set: true, last4: made.signing_secret?.slice(-4) })
    const read = await tenant.ask('GET', `/alerting/channels/${made.id}`)
    expect(JSON.stringify(read.body)).not.toContain('whsec_')
  })

  it('omitted they stay, null clears them, a text replaces them', async () => {
    const tenant = newTenant()
    const signing_secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const made = await created(tenant, { auth_header, signing_secret })
    expect(made.signing_secret).toBeUndefined()
    const kept = await put(tenant, made.id, { config: { url: 'https://other.example/' } })
    expect(kept.body.config).toMatchObject({
      auth_header: { set: true, last4: 'oken' },
      signing_secret: { set: true, last4: signing_secret.slice(-4) },
    })
    const cleared = await put(tenant, made.id, { config: { auth_header: null, signing_secret: null } })
    expect(cleared.body.config).toMatchObject({ auth_header: { set: false }, signing_secret: { set: false } })
    const again = await put(tenant, made.id, { config: { auth_header: 'Basic dXNlcjpvdGhlcg==' } })
    expect(again.body.config.auth_header).toEqual({ set: true, last4: 'cg==' })
    expect((await created(newTenant(), { signing_secret: null })).config.signing_secret).toEqual({ set: false })
  })

  it.each(['a\r\nX-Other: 1', 'a\u0000', ' a', 'a ', 'é', '', 'x'.repeat(4_097), 7])(
    'an auth_header that is no header value is refused: %j',
    async (value) => {
      expect((await refusal({ auth_header: value })).slice(0, 2)).toEqual([400, 'invalid_request'])
    },
  )

  it.each([
    'secret',
    'whsec_',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    `whsec_${'A'.repeat(33)}`,
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!',
  ])('a signing_secret of another form is refused: %s', async (value) => {
    expect((await refusal({ signing_secret: value })).slice(0, 2)).toEqual([400, 'invalid_request'])
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
  ])('a url that is none of http, or holds credentials, is refused and not repeated: %j', async (value) => {
    const told = await refusal({ url: value })
    expect(told.slice(0, 2)).toEqual([400, 'invalid_request'])
    expect(told.join()).not.toContain('pass@')
  })

  it('every malformed field is told at once', async () => {
    const { status, told } = await create(
      newTenant(),
      { url: 'x', auth_header: 'é', signing_secret: 'x' },
      { name: 'a\u0007' },
    )
    expect([status, told]).toEqual([
      400,
      ['invalid_request', '/name', '/config/url', '/config/auth_header', '/config/signing_secret'],
    ])
  })
})

describe('a channel', () => {
  it('has a place, an entity tag and a version that grows, and is changed at the version that is asked for only', async () => {
    const tenant = newTenant()
    const { location, etag, body } = await create(tenant)
    expect([location, etag]).toEqual([`/api/v1/alerting/channels/${body.id}`, '"1"'])
    expect((await put(tenant, body.id, { name: 'Other' }, '"1"')).etag).toBe('"2"')
    expect((await put(tenant, body.id, { name: 'Third' }, '"1"')).status).toBe(412)
    expect((await tenant.ask('DELETE', `/alerting/channels/${body.id}`, { ifMatch: '"1"' })).status).toBe(412)
    expect((await tenant.ask('DELETE', `/alerting/channels/${body.id}`, { ifMatch: '"2"' })).status).toBe(204)
    expect((await tenant.ask('GET', `/alerting/channels/${body.id}`)).status).toBe(404)
  })

  it('is absent in another organization', async () => {
    const { id } = await created(newTenant())
    const other = newTenant()
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      expect((await other.ask(method, `/alerting/channels/${id}`, { ...(body && { body }) })).status).toBe(404)
    }
  })

  it('has a name of its own', async () => {
    const tenant = newTenant()
    await created(tenant)
    expect((await create(tenant)).status).toBe(409)
    const { id } = await created(tenant, {}, { name: 'Second' })
    expect((await put(tenant, id, { name: 'On-call' })).status).toBe(409)
  })

  it('is read by viewers without what its address may give away, and changed by contributors', async () => {
    const tenant = newTenant()
    const { id } = await created(tenant)
    const read = (role: 'viewer' | 'contributor') =>
      tenant.ask<Channel>('GET', `/alerting/channels/${id}`, { whom: { role } })
    expect((await read('viewer')).body.config.url).toBe('https://receiver.example/[masked]')
    expect((await read('contributor')).body.config.url).toBe(url)
    const statuses = await Promise.all([
      tenant.ask('GET', '/alerting/channels', { whom: { role: 'restricted' } }),
      tenant.ask('PUT', `/alerting/channels/${id}`, { body: { name: 'x' }, whom: { role: 'viewer' } }),
      tenant.ask('GET', '/alerting/template-context-schema', { whom: { role: 'viewer' } }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 200])
  })

  it('is disabled and enabled, and says why', async () => {
    const tenant = newTenant()
    const { id } = await created(tenant, {}, { enabled: false })
    const read = async () => (await tenant.ask('GET', `/alerting/channels/${id}`)).body
    expect(await read()).toMatchObject({ enabled: false, disabled_reason: 'by_user' })
    await put(tenant, id, { enabled: true })
    expect(await read()).not.toHaveProperty('disabled_reason')
  })

  it('stands in a list that is read in pages, newest first', async () => {
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

it('the template context schema lists every path with its type, when it carries a value, and a sample', async () => {
  const { body } = await newTenant().ask<components['schemas']['TemplateVariablePage']>(
    'GET',
    '/alerting/template-context-schema',
  )
  expect(body.next_cursor).toBeNull()
  expect(body.items).toContainEqual(
    expect.objectContaining({ path: 'check.value', type: 'number', when: 'for metric checks', sample: 912.4 }),
  )
  const previewed = await newTenant().ask<components['schemas']['TemplatePreview']>(
    'POST',
    '/alerting/templates/preview',
    {
      body: { body_template: JSON.stringify(Object.fromEntries(body.items.map(({ path }) => [path, `$${path}`]))) },
    },
  )
  expect(previewed.body.body).toEqual(Object.fromEntries(body.items.map(({ path, sample }) => [path, sample])))
})
