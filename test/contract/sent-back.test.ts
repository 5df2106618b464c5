import { expect, it } from 'vitest'
import { handledOperations, nameOf, readOnlyOf, schemas } from '../support/documented-operations.ts'
import { matcher, sharedApp, type Tenant } from '../support/integration-app.ts'

const newTenant = sharedApp()

type Record = { readonly [property: string]: unknown }

/** How a record of one kind is created in full, read, and sent again. */
interface Kind {
  readonly create: Record
  /** What makes a copy of the record acceptable beside it. */
  readonly copy?: Record
  /** The path of the records, and of one of them. */
  readonly path: string
  readonly one?: (record: Record) => string
}

const mapping = {
  attribute_source: 'span',
  attribute_key: 'peer',
  match_operator: 'equals',
  match_value: 'db',
  set_io_kind: 'db',
  set_io_role: 'output',
}

const row = { attribute_source: 'any', attribute_key: 'tenant', operator: 'eq', value: 't-1' }

/** By the operations that accept a record of the kind. */
const kinds: Readonly<{ [operations: string]: Kind }> = {
  'createIntegration updateIntegration': {
    path: '/integrations',
    create: { name: 'Shop', description: 'All of it', rule_match: 'any', matchers: [matcher('shop'), matcher('web')] },
    copy: { name: 'Copy' },
  },
  'createSavedView updateSavedView': {
    path: '/saved-views',
    create: {
      name: 'Slow',
      description: 'Too slow',
      rows: [row, { ...row, operator: 'gt', value: 7.5 }, { ...row, value: true }],
      status: 'error',
      window: { kind: 'absolute', from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00.5Z' },
    },
    copy: { name: 'Copy' },
  },
  'createChannel updateChannel': {
    path: '/alerting/channels',
    create: {
      name: 'On-call',
      enabled: false,
      config: {
        url: 'https://receiver.example/a',
        format: 'template',
        body_template: '{"id":"$alert.id"}',
        auth_header: 'Bearer secret-of-the-receiver',
      },
    },
    copy: { name: 'Copy' },
  },
  'createAlertRule updateAlertRule': {
    path: '/alerting/rules',
    create: {
      name: 'Fails',
      kind: 'trace',
      service: 'shop',
      conditions: [row],
      measure: 'error_rate',
      comparator: 'gt',
      threshold: 0.25,
      window_s: 300,
      for_s: 60,
      severity: 'critical',
      enabled: false,
    },
    copy: { name: 'Copy' },
  },
  'createFacet updateFacet': {
    path: '/service-facets',
    one: ({ slug }) => `/service-facets/${slug}`,
    create: { name: 'Payments', description: 'Takes money' },
    copy: { name: 'Copy' },
  },
  createFacetMapping: { path: '/services/shop/facet-mappings', create: mapping },
  createApiKey: { path: '/api-keys', create: { name: 'ci', role: 'viewer', expires_at: '2126-01-01T00:00:00+01:00' } },
}

const listed = async (tenant: Tenant, { path }: Kind) =>
  (await tenant.ask<{ items: Record[] }>('GET', path)).body.items.filter(({ built_in }) => built_in !== true)

/** Creates the record of a kind and returns it as it is read. */
async function recordOf(tenant: Tenant, kind: Kind): Promise<Record> {
  const { status, body } = await tenant.ask<Record>('POST', kind.path, { body: kind.create })
  expect([status, body]).toEqual([201, expect.anything()])
  const [record = {}, ...others] = await listed(tenant, kind)
  expect(others).toEqual([])
  return record
}

/** Returns a record without what every change sets. */
const content = ({ version: _, updated_at: __, ...rest }: Record) => rest

it('every operation that writes a record takes part', () => {
  const written = handledOperations.filter(({ operation }) => {
    const input = operation.requestBody?.content['application/json']?.schema?.$ref
    return readOnlyOf(schemas[nameOf(input)] ?? {}).length > 0
  })
  const covered = Object.keys(kinds).flatMap((operations) => operations.split(' '))
  const alone = ['replaceIntegrationGrants', 'replaceFacetOverrides', 'replaceMatchers']
  const unstored = ['previewAlertRule', 'previewIntegration', 'compareIntegration']
  expect([...covered, ...alone, ...unstored].sort()).toEqual(written.map(({ id }) => id).sort())
})

it.each(Object.entries(kinds).filter(([operations]) => operations.includes(' ')))(
  'a record that was read can be replaced with itself: %s',
  async (_, kind) => {
    const tenant = newTenant()
    const record = await recordOf(tenant, kind)
    const path = kind.one?.(record) ?? `${kind.path}/${record.id}`
    const answer = await tenant.ask<Record>('PUT', path, { body: record })
    expect([answer.status, content(answer.body)]).toEqual([200, content(record)])
    const nonsense = { ...record, version: 'x', created_at: ['y'], updated_at: null }
    expect((await tenant.ask<Record>('PUT', path, { body: nonsense })).status).toBe(200)
    expect((await tenant.ask('PUT', path, { body: { ...record, versions: 1 } })).refusal).toEqual([
      'invalid_request',
      '/versions',
    ])
    expect((await listed(tenant, kind)).map(content)).toEqual([content(record)])
  },
)

it.each(Object.entries(kinds))('a record that was read can be created again: %s', async (_, kind) => {
  const tenant = newTenant()
  const record = await recordOf(tenant, kind)
  const { status, body } = await tenant.ask<Record>('POST', kind.path, { body: { ...record, ...kind.copy } })
  expect([status, body]).toEqual([201, expect.anything()])
  const both = await listed(tenant, kind)
  expect(both).toHaveLength(2)
  const ids = both.map(({ id, slug }) => id ?? slug)
  expect(new Set(ids).size).toBe(2)
})

it.each([
  ['/integrations/:id/grants', { subjects: ['eve', 'mallory'] }],
  ['/services/shop/facet-overrides', { include: ['worker'], exclude: ['http-input'] }],
])('what was read of %s can be replaced with itself', async (template, body) => {
  const tenant = newTenant()
  const path = template.replace(':id', (await tenant.create()).id)
  await tenant.ask('PUT', path, { body })
  const read = (await tenant.ask<Record>('GET', path)).body
  const answer = await tenant.ask<Record>('PUT', path, { body: read })
  expect([answer.status, content(answer.body)]).toEqual([200, content(read)])
})

it('what was read of a facet, with its services, can be replaced with itself', async () => {
  const tenant = newTenant()
  const { body: facet } = await tenant.ask<Record>('POST', '/service-facets', { body: { name: 'Payments' } })
  const path = `/service-facets/${facet.slug}`
  const { body } = await tenant.ask<Record>('GET', path)
  expect(body).toHaveProperty('services')
  expect((await tenant.ask('PUT', path, { body })).status).toBe(200)
})

it.each([
  ['PUT', '/integrations/:id/matchers'],
  ['POST', '/integrations/:id/diff'],
  ['POST', '/integrations/preview'],
])('an integration that was read is accepted by %s %s', async (method, template) => {
  const tenant = newTenant()
  const body = await tenant.create({ matchers: [matcher('shop')] })
  const answer = await tenant.ask(method, template.replace(':id', body.id), { body: { ...body, name: 'Ignored' } })
  expect(answer.status).toBe(200)
  expect((await tenant.read(body.id)).name).toBe(body.name)
})

/** Python clients of openapi-generator write null for a `value` that the server left out. */
it.each([
  ['POST', '/integrations'],
  ['PUT', '/integrations/:id'],
  ['PUT', '/integrations/:id/matchers'],
  ['POST', '/integrations/:id/diff'],
  ['POST', '/integrations/preview'],
])('a matcher without a condition is accepted with a null value by %s %s', async (method, template) => {
  const tenant = newTenant()
  const { id, ...body } = await tenant.create({ matchers: [{ service: 'shop' }] })
  const matchers = body.matchers.map((read) => ({ ...read, value: null }))
  const answer = await tenant.ask(method, template.replace(':id', id), { body: { ...body, name: 'Copy', matchers } })
  expect([answer.status, answer.refusal]).toEqual([template === '/integrations' ? 201 : 200, [undefined]])
})

it('an exported integration can be imported with a null value in a matcher without a condition', async () => {
  const tenant = newTenant()
  await tenant.create({ matchers: [{ service: 'shop' }] })
  const exported = (await tenant.ask<{ integrations: { matchers: Record[] }[] }>('GET', '/config/export')).body
  const integrations = exported.integrations.map(({ matchers, ...rest }) => {
    return { ...rest, matchers: matchers.map((read) => ({ ...read, value: null })) }
  })
  const answer = await tenant.ask('POST', '/config/import', { body: { ...exported, integrations } })
  expect(answer).toMatchObject({ status: 200, body: { integrations: { unchanged: 1 } } })
})

it('an alert rule that was read can be previewed', async () => {
  const tenant = newTenant()
  const body = await recordOf(tenant, kinds['createAlertRule updateAlertRule'] as Kind)
  expect((await tenant.ask('POST', '/alerting/rules/preview', { body })).status).toBe(200)
})

it('overrides of a facet that was deleted can be replaced with themselves', async () => {
  const tenant = newTenant()
  const path = '/services/shop/facet-overrides'
  await tenant.ask('POST', '/service-facets', { body: { name: 'Payments' } })
  await tenant.ask('PUT', path, { body: { include: ['payments'], exclude: [] } })
  await tenant.ask('DELETE', '/service-facets/payments')
  const read = (await tenant.ask<Record>('GET', path)).body
  const answer = await tenant.ask<Record>('PUT', path, { body: read })
  expect([answer.status, content(answer.body)]).toEqual([200, content(read)])
})

it('an id that is sent does not choose the record', async () => {
  const tenant = newTenant()
  const [first, second] = [await tenant.create({ name: 'First' }), await tenant.create({ name: 'Second' })]
  const { status, body } = await tenant.ask<Record>('PUT', `/integrations/${first.id}`, {
    body: { ...second, name: 'Third' },
  })
  expect([status, body.id, body.name]).toEqual([200, first.id, 'Third'])
  expect((await tenant.read(second.id)).name).toBe('Second')
})
