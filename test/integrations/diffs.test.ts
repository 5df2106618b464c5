import { beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type MatcherInput, matcher, sharedApp, storeOrders, type Tenant } from '../support/integration-app.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnTraceId, drawTraces } from '../support/trace-text.ts'

type Diff = components['schemas']['IntegrationDiff']
type Preview = components['schemas']['IntegrationPreview']

const newTenant = sharedApp()
let tenant: Tenant

beforeAll(async () => {
  tenant = newTenant()
  await storeOrders(tenant)
})

const moves = (entering: number, leaving: number, staying: number) => ({ entering, leaving, staying })
const traceIds = (messages: readonly { readonly trace_id: string }[]) => messages.map(({ trace_id }) => trace_id)

const create = (matchers: MatcherInput[]) => tenant.create({ matchers, rule_match: 'any' })
const diffOf = async (id: string, body: object) =>
  (await tenant.ask<Diff>('POST', `/integrations/${id}/diff`, { body })).body

it('spans and messages of the proposed rules enter, those that only the stored rules select leave', async () => {
  const { id } = await create([matcher('shop'), { service: 'bank' }])
  const diff = await diffOf(id, { matchers: [matcher('shop', { value: 't-2' }), { service: 'bank' }] })
  expect(diff).toMatchObject({
    integration_version: 1,
    spans: moves(1, 1, 1),
    messages: moves(1, 0, 1),
    newest_entering: [{ trace_id: drawnTraceId(2), span_count: 2, matched_step_count: 1, status: 'ok' }],
    newest_leaving: [],
    service_count: 2,
    alert_rules: [],
    alert_rule_count: 0,
  })
  expect(diff.services).toMatchObject([
    { service: 'shop', spans: moves(1, 1, 0), messages: moves(1, 1, 0) },
    { service: 'bank', spans: moves(0, 0, 1), messages: moves(0, 0, 1), newest_entering: [], newest_leaving: [] },
  ])
  const [shop] = diff.services
  expect(traceIds(shop?.newest_entering ?? [])).toEqual([drawnTraceId(2)])
  expect(traceIds(shop?.newest_leaving ?? [])).toEqual([drawnTraceId(1)])
})

it('without matchers or mode, the stored ones are compared', async () => {
  const { id } = await create([{ service: 'shop' }, { service: 'bank' }])
  expect(await diffOf(id, {})).toMatchObject({ spans: moves(0, 0, 4), messages: moves(0, 0, 2) })
  expect(await diffOf(id, { rule_match: 'all' })).toMatchObject({ spans: moves(0, 1, 3), messages: moves(0, 1, 1) })
  expect(await diffOf(id, { matchers: [] })).toMatchObject({ spans: moves(0, 4, 0), messages: moves(0, 2, 0) })
})

it('spans below a rule that includes descendants enter', async () => {
  const { id } = await create([matcher('shop')])
  const diff = await diffOf(id, { matchers: [matcher('shop', { include_descendants: true })] })
  expect(diff).toMatchObject({ spans: moves(1, 0, 1), messages: moves(0, 0, 1), newest_entering: [] })
})

it('under all, each of many rules counts', async () => {
  const other = newTenant()
  const services = Array.from({ length: 64 }, (_, index) => `s${index}`)
  const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
  const drawn = [...services, 's32'].map((service) => `${service}:step`).join('\n')
  await other.app.sendSpans(toOtlpJson(drawTraces(drawn, { org: other.org, startNs })), { org: other.org })
  const rules = { rule_match: 'all', matchers: services.map((service) => ({ service })) } as const
  const { id } = await other.create(rules)
  const diff = await other.ask<Diff>('POST', `/integrations/${id}/diff`, { body: {} })
  expect(diff.body).toMatchObject({ spans: moves(0, 0, 65), messages: moves(0, 0, 1) })
  const preview = await other.ask<Preview>('POST', '/integrations/preview', { body: rules })
  expect(preview.body.rules.map(({ span_count }) => span_count)).toEqual(Array(64).fill(1).with(32, 2))
})

it('nothing of an empty integration and of an empty window moves', async () => {
  const { id } = await create([])
  const nothing = { spans: moves(0, 0, 0), messages: moves(0, 0, 0), services: [], service_count: 0 }
  expect(await diffOf(id, {})).toMatchObject(nothing)
  const window = { from: '2020-01-01T00:00:00Z', to: '2020-01-01T01:00:00Z' }
  expect(await diffOf(id, { ...window, matchers: [{ service: 'shop' }] })).toMatchObject(nothing)
})

it('a diff is refused as the update is, and stores nothing', async () => {
  const stored = await create([{ service: 'shop' }])
  const bodies = [
    { matchers: [{ service: 'shop', attribute_key: 'a', operator: 'regex', value: '(' }] },
    { matchers: [{ service: 'shop' }, { service: 'shop', operator: 'equals', value: 'a' }] },
    { rule_match: 'all', matchers: [matcher('shop', { match_group: 'a' }), matcher('shop', { match_group: 'b' })] },
    { matchers: 'all' },
  ]
  for (const body of bodies) {
    const [diff, update] = [
      await tenant.ask<{ readonly errors: unknown }>('POST', `/integrations/${stored.id}/diff`, { body }),
      await tenant.ask<{ readonly errors: unknown }>('PUT', `/integrations/${stored.id}`, { body }),
    ]
    expect(diff.status).toBeGreaterThanOrEqual(400)
    expect([diff.status, diff.refusal, diff.body.errors]).toEqual([update.status, update.refusal, update.body.errors])
  }
  await diffOf(stored.id, { rule_match: 'all', matchers: [{ service: 'bank' }] })
  expect(await tenant.read(stored.id)).toEqual(stored)
})

it('an integration of another organization does not exist', async () => {
  const { id } = await newTenant().create({ matchers: [{ service: 'shop' }] })
  expect((await tenant.ask('POST', `/integrations/${id}/diff`, { body: {} })).status).toBe(404)
})

it('alert rules have their values at the end of the window before and after the change', async () => {
  const { id } = await create([{ service: 'shop' }])
  const other = await create([{ service: 'shop' }])
  const rule = { kind: 'trace', comparator: 'gt', threshold: 1, window_s: 3_600 }
  for (const [name, more] of Object.entries({
    errors: { measure: 'error_count', integration_id: id },
    'share of errors': { measure: 'error_rate', integration_id: id, enabled: false },
    'rows within': {
      measure: 'message_count',
      integration_id: id,
      rows: [{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'bank' }],
    },
    elsewhere: { measure: 'error_count', integration_id: other.id },
  }))
    await tenant.ask('POST', '/alerting/rules', { body: { ...rule, name, ...more } })
  const { alert_rules, alert_rule_count } = await diffOf(id, { matchers: [{ service: 'bank' }, { service: 'shop' }] })
  expect(alert_rules.map(({ id: _, ...fields }) => fields)).toEqual([
    {
      name: 'errors',
      enabled: true,
      before: { value: 1, violated: false },
      after: { value: 2, violated: true },
    },
    {
      name: 'rows within',
      enabled: true,
      before: { value: 0, violated: false },
      after: { value: 1, violated: false },
    },
    {
      name: 'share of errors',
      enabled: false,
      before: { value: 1 / 3, violated: false },
      after: { value: 1 / 2, violated: false },
    },
  ])
  expect(alert_rule_count).toBe(3)
  const before = { from: '2020-01-01T00:00:00Z', to: '2020-01-01T01:00:00Z' }
  const early = await diffOf(id, { ...before, matchers: [] })
  expect(early.alert_rules.map(({ before, after }) => [before.value, after.value])).toEqual([
    [0, 0],
    [0, 0],
    [null, null],
  ])
})

it.each([
  ['a pattern', 'matches', '('],
  ['an operator', 'resembles', '1'],
])('a diff names the alert rule with %s that is not valid any more', async (_, operator, value) => {
  const { id } = await create([{ service: 'shop' }])
  const rule = { kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 1, integration_id: id }
  const valid = { attribute_key: 'amount', operator: 'eq', value: '1' }
  await tenant.ask('POST', '/alerting/rules', { body: { ...rule, name: `old ${id}`, conditions: [valid] } })
  const { db } = tenant.app.app.metadata
  const ofIntegration = db.selectFrom('alert_rules').select('content').where('integration_id', '=', id)
  const { content } = await ofIntegration.executeTakeFirstOrThrow()
  const old = JSON.stringify({ ...JSON.parse(content), conditions: [{ ...valid, operator, value }] })
  await db.updateTable('alert_rules').set({ content: old }).where('integration_id', '=', id).execute()
  expect(await tenant.ask('POST', `/integrations/${id}/diff`, { body: {} })).toMatchObject({
    status: 422,
    body: { code: 'refused', detail: expect.stringContaining(`The alert rule "old ${id}" (`) },
  })
})

it('the windows of alert rules end at the nanosecond of `to`', async () => {
  const other = newTenant()
  const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
  await other.app.sendSpans(toOtlpJson(drawTraces('web:GET_/', { org: other.org, startNs })), { org: other.org })
  const { id } = await other.create({ matchers: [{ service: 'web' }] })
  const rule = { name: 'spans', kind: 'trace', measure: 'span_count', comparator: 'gt', threshold: 1, window_s: 60 }
  await other.ask('POST', '/alerting/rules', { body: { ...rule, integration_id: id } })
  const valueAt = async (toNs: bigint) => {
    const body = { from: toRfc3339(startNs - 1_000n), to: toRfc3339(toNs) }
    const diff = (await other.ask<Diff>('POST', `/integrations/${id}/diff`, { body })).body
    return [diff.spans.staying, diff.alert_rules[0]?.before.value]
  }
  expect([await valueAt(startNs), await valueAt(startNs + 1n)]).toEqual([
    [0, 0],
    [1, 1],
  ])
})

it('only those who can read grants learn their subjects', async () => {
  const { id } = await create([{ service: 'shop' }])
  await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['ada', 'grace'] } })
  const grantsFor = async (role: 'admin' | 'contributor') =>
    (await tenant.ask<Diff>('POST', `/integrations/${id}/diff`, { body: {}, whom: { role } })).body.grants
  expect(await grantsFor('admin')).toEqual({ subject_count: 2, subjects: ['ada', 'grace'] })
  expect(await grantsFor('contributor')).toEqual({ subject_count: 2 })
  expect((await tenant.ask('POST', `/integrations/${id}/diff`, { body: {}, whom: { role: 'viewer' } })).status).toBe(
    403,
  )
})
