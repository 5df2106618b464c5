import fc from 'fast-check'
import { monotonicFactory } from 'ulid'
import { beforeAll, expect, it } from 'vitest'
import { createAlertWriter } from '../../server/alerting/alerts/alert-store.ts'
import type { StoredAlertRule } from '../../server/alerting/rules/alert-rule-record.ts'
import { createAlertRuleStore } from '../../server/alerting/rules/alert-rule-store.ts'
import { readDocument } from '../../server/http/contract/document.ts'
import { listOperations } from '../../server/http/contract/operations.ts'
import { createOutbox } from '../../server/webhooks/deliveries/outbox.ts'
import { sampleContext } from '../../server/webhooks/templates/template-variables.ts'
import { storeTelemetry, telemetryWindow } from '../cluster/telemetry.ts'
import * as rules from '../support/alert-rule-requests.ts'
import { casesOf, fuzzSettings } from '../support/fuzz-settings.ts'
import type { Tenant } from '../support/integration-app.ts'
import { toRfc3339 } from '../support/reference-time.ts'

/** Records that requests name. */
interface Named {
  readonly channelId: string
  readonly viewId: string
}

/** The first page of every operation that takes a cursor: its path and, for a POST, its body. */
const firstPages: Readonly<Record<string, (named: Named) => readonly [path: string, body?: object]>> = {
  searchMessages: () => ['/messages/search', {}],
  searchSavedView: ({ viewId }) => [`/saved-views/${viewId}/search`, {}],
  searchLogs: () => ['/logs/search', {}],
  searchMetricPoints: () => ['/metrics/points/search', { metric: 'a' }],
  listMessageLogs: () => [`/messages/${'1'.padStart(32, '0')}/logs`],
  listServices: () => ['/services'],
  listFacetMappings: () => ['/services/web/facet-mappings'],
  listAttributeKeys: () => ['/attributes'],
  listAttributeValues: () => ['/attributes/values?key=tenant'],
  listMetrics: () => ['/metrics-catalog'],
  listFacets: () => ['/service-facets'],
  listTemplateVariables: () => ['/alerting/template-context-schema'],
  listIntegrations: () => ['/integrations'],
  listSavedViews: () => ['/saved-views'],
  listApiKeys: () => ['/api-keys'],
  listAuditEntries: () => ['/audit-log'],
  listChannels: () => ['/alerting/channels'],
  listDeliveries: ({ channelId }) => [`/alerting/channels/${channelId}/deliveries`],
  listAlertRules: () => ['/alerting/rules'],
  listAlerts: () => ['/alerting/alerts'],
}

const window = { from: toRfc3339(telemetryWindow.fromNs), to: toRfc3339(telemetryWindow.toNs) }

/** Operations whose cursor is a time and an id, and contains the window. */
const searches = ['searchMessages', 'searchSavedView', 'searchLogs', 'searchMetricPoints', 'listMessageLogs']

/** Operations without a window in their query. */
const withoutWindow =
  /^list(Facets|TemplateVariables|Integrations|SavedViews|ApiKeys|AuditEntries|Channels|Deliveries|Alert)/

it('every operation that takes a cursor is covered', () => {
  const document = readDocument()
  const { schemas } = document.components as { schemas: Readonly<Record<string, { properties?: object }>> }
  const takesCursor = listOperations(document).filter(({ isHandled, method, path }) => {
    const { parameters = [], requestBody = {} } = document.paths[path]?.[method.toLowerCase()] ?? {}
    const name = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(requestBody))?.[1] ?? ''
    const isInBody = Object.hasOwn(schemas[name]?.properties ?? {}, 'cursor')
    return isHandled && (isInBody || JSON.stringify(parameters).includes('/parameters/CursorParameter"'))
  })
  expect(takesCursor.map(({ id }) => id).sort()).toEqual(Object.keys(firstPages).sort())
})

rules.describeServers('a forged cursor', (newTenant) => {
  let tenant: Tenant
  let named: Named
  beforeAll(async () => {
    tenant = newTenant()
    named = await createRecords(tenant)
  })

  it.each(Object.keys(firstPages))('is a position or a 400 of %s, never a failure', async (id) => {
    const ask = requestOf(tenant, id, named)
    const first = await ask()
    expect(first.status, JSON.stringify(first.body)).toBe(200)
    const cursor = (first.body as { next_cursor: string | null }).next_cursor
    if (cursor === null) throw new Error(`${id} has no second page.`)
    const { errors } = await expectPageOr400(ask, 'x')
    expect(errors).toEqual([expect.objectContaining({ code: 'invalid_cursor' })])
    // No text of Postgres contains this character.
    const parts = partsOf(cursor)
    for (const index of parts.keys()) await expectPageOr400(ask, cursorOf(parts.with(index, '\0')))
    await fc.assert(
      fc.asyncProperty(forgeries(cursor), async (forged) => void (await expectPageOr400(ask, forged))),
      { numRuns: casesOf('forged cursors'), seed: fuzzSettings.seed },
    )
  })

  it.each(['searchMessages', 'searchLogs', 'searchMetricPoints'])(
    'of another organization is a 400 of %s',
    async (id) => {
      const { next_cursor: cursor } = (await requestOf(tenant, id, named)()).body as { next_cursor: string }
      const { errors } = await expectPageOr400(requestOf(newTenant(), id, named), cursor)
      expect(errors).toEqual([expect.objectContaining({ code: 'invalid_cursor' })])
    },
  )

  it.each(searches)('outside of its window is a 400 of %s', async (id) => {
    const ask = requestOf(tenant, id, named)
    const { next_cursor: cursor } = (await ask()).body as { next_cursor: string }
    const [hash, , itemId, fromNs, toNs, ...more] = partsOf(cursor) as readonly string[]
    const at = (timeNs: bigint) => cursorOf([hash, String(timeNs), itemId, fromNs, toNs, ...more])
    expect((await ask(at(BigInt(toNs ?? 0) - 1n))).status).toBe(200)
    for (const timeNs of [BigInt(fromNs ?? 0) - 1n, BigInt(toNs ?? 0)]) {
      const { errors } = await expectPageOr400(ask, at(timeNs))
      expect(errors, `${timeNs}`).toEqual([expect.objectContaining({ code: 'invalid_cursor' })])
    }
  })
})

type Ask = ReturnType<typeof requestOf>

function requestOf(tenant: Tenant, id: string, named: Named) {
  const [path, body] = firstPages[id]?.(named) ?? ['']
  return (cursor?: string) => {
    const page = { limit: 1, ...(cursor === undefined ? {} : { cursor }) }
    if (body !== undefined) return tenant.ask('POST', path, { body: { ...window, ...body, ...page } })
    const query = { ...(withoutWindow.test(id) || id === 'listFacetMappings' ? {} : window), ...page, limit: '1' }
    return tenant.ask('GET', `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`)
  }
}

async function expectPageOr400(ask: Ask, cursor: string) {
  const { status, body } = await ask(cursor)
  const { errors } = body as { errors?: readonly { pointer: string }[] }
  expect([200, 400], `${cursor}: ${JSON.stringify(body)}`).toContain(status)
  if (status === 400) expect(errors?.map(({ pointer }) => pointer)).toEqual([expect.stringMatching(/\/cursor$/)])
  return { errors }
}

function partsOf(cursor: string): readonly unknown[] {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString())
}

function cursorOf(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** Draws changed cursors. Most keep the hash of the query, which its caller has, and change the position. */
function forgeries(cursor: string): fc.Arbitrary<string> {
  const parts = partsOf(cursor)
  const powers = [62n, 63n, 64n, 127n, 128n, 200n].flatMap((power) => [2n ** power - 1n, 2n ** power])
  const part = fc.oneof(
    fc.constantFrom(...powers.map(String), '0', '-1', '1e3', '007', '', ' 1', '\0', 'a\0', '\ud800', "'", '{}', 'null'),
    fc.constantFrom<unknown>(null, 0, 1e300, true, [], {}, ['x'], { key: 1 }),
    fc.string({ unit: 'binary' }),
    fc.jsonValue(),
  )
  const changed = fc
    .record({ index: fc.nat({ max: parts.length - 1 }), part })
    .map((change) => parts.map((kept, index) => (index === change.index ? change.part : kept)))
  const resized = fc.oneof(
    part.map((added) => [...parts, added]),
    fc.constant(parts.slice(0, -1)),
  )
  const encoded = fc.oneof({ weight: 4, arbitrary: changed }, resized, fc.jsonValue()).map(cursorOf)
  const flipped = fc
    .record({ at: fc.nat({ max: cursor.length - 1 }), to: fc.string({ minLength: 1, maxLength: 2 }) })
    .map(({ at, to }) => cursor.slice(0, at) + to + cursor.slice(at + 1))
  return fc.oneof({ weight: 4, arbitrary: encoded }, flipped).filter((text) => text.length <= 4_096)
}

/** Stores two items of everything that is listed. */
async function createRecords(tenant: Tenant): Promise<Named> {
  await storeTelemetry(tenant.app, tenant.org, fuzzSettings.seed)
  const more = await tenant.app.send('/v1/metrics', {
    json: secondMetric(),
    whom: { org: tenant.org },
  })
  expect(more.status).toBe(200)
  const create = async (path: string, body: object) => {
    const { status, body: made } = await tenant.ask<{ id: string }>('POST', path, { body })
    expect(status, `${path}: ${JSON.stringify(made)}`).toBe(201)
    return made.id
  }
  let viewId = ''
  for (const name of ['one', 'two']) {
    await create('/integrations', { name })
    await create('/api-keys', { name, role: 'ingest' })
    viewId = await create('/saved-views', { name })
    await create('/services/web/facet-mappings', {
      attribute_source: 'span',
      attribute_key: name,
      match_operator: 'exists',
      set_io_kind: 'db',
      set_io_role: 'output',
    })
  }
  const [channelId = ''] = await rules.channelIds(tenant, 'one', 'two')
  await fireAlerts(tenant, channelId)
  return { channelId, viewId }
}

function secondMetric() {
  const dataPoints = [{ timeUnixNano: telemetryWindow.fromNs.toString(), asInt: '1' }]
  const metrics = [{ name: 'b', gauge: { dataPoints } }]
  return { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }
}

/** Writes an alert of each of two rules as an evaluation does, with a delivery each. */
async function fireAlerts(tenant: Tenant, channelId: string): Promise<void> {
  const { metadata } = tenant.app.app
  const deps = { newId: monotonicFactory(), now: () => new Date() }
  const writer = createAlertWriter({ ...deps, outbox: createOutbox(deps) })
  const store = createAlertRuleStore({ ...deps, metadata, endAlert: writer.end })
  for (const name of ['one', 'two']) {
    const { id } = await rules.created(tenant, { name, channel_ids: [channelId] })
    const rule = (await store.find({ org: tenant.org }, id)) as StoredAlertRule
    const context = { ...sampleContext, alert: { ...sampleContext.alert, id: deps.newId() } }
    await metadata.transaction((transaction) => writer.fire(transaction, rule, { context, value: 1 }))
  }
}
