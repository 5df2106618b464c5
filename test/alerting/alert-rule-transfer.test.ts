import { expect, it } from 'vitest'
import {
  channelIds,
  created,
  describeServers,
  type Page,
  post,
  quiet,
  type Rule,
  read,
} from '../support/alert-rule-requests.ts'
import { exportOf, importInto, type Tenant } from '../support/integration-app.ts'

const rulesOf = async (tenant: Tenant) => (await tenant.ask<Page<Rule>>('GET', '/alerting/rules')).body.items
const done = (change: object) => ({ created: 0, updated: 0, unchanged: 0, deleted: 0, ...change })

const hostile = 'Zahlung "schlägt" fehl — 支払い 💳 __proto__'

const ofMetric = { kind: 'metric', metric: 'queue.length', measure: 'max', service: 'bank' } as const

/** Creates rules over an integration, a service, the whole organization and a metric, with channels. */
async function filled(tenant: Tenant): Promise<Rule[]> {
  const { id: integration_id } = await tenant.create({ name: hostile, matchers: [{ service: 'checkout' }] })
  const [first, second] = await channelIds(tenant, hostile, 'On-call')
  const conditions = [{ attribute_key: 'tenant', operator: 'eq', value: 12345678 }]
  return [
    await created(tenant, { name: hostile, integration_id, channel_ids: [second, first], conditions }),
    await created(tenant, {
      name: 'b',
      service: 'checkout',
      measure: 'p95_ms',
      threshold: 0.25,
      include: { link: false },
    }),
    await created(tenant, { name: 'a', window_s: 10, for_s: 20, severity: 'critical', channel_ids: [first] }),
    await created(tenant, { ...ofMetric, name: 'c' }),
  ]
}

describeServers('export and import of alert rules', (newTenant) => {
  it('an export refers to records by name, and importing it elsewhere yields the same export', async () => {
    const [from, to] = [newTenant(), newTenant()]
    await filled(from)
    const exported = await exportOf(from)
    const everything = { link: true, summary: true, service: true, integration: true, check: true }
    const common = { ...quiet, conditions: [], window_s: 300, for_s: 0, severity: 'warning', include: everything }
    expect(exported.alert_rules).toEqual([
      {
        ...common,
        name: hostile,
        integration: hostile,
        channels: ['On-call', hostile],
        conditions: [{ attribute_key: 'tenant', operator: 'eq', value: 12345678 }],
      },
      { ...common, name: 'a', window_s: 10, for_s: 20, severity: 'critical', channels: [hostile] },
      {
        ...common,
        name: 'b',
        service: 'checkout',
        measure: 'p95_ms',
        threshold: 0.25,
        channels: [],
        include: { ...everything, link: false },
      },
      { ...common, ...ofMetric, name: 'c', channels: [] },
    ])
    expect((await importInto(to, exported)).body.alert_rules).toMatchObject(done({ created: 4 }))
    expect(await exportOf(to)).toEqual(exported)
    for (const mode of ['merge', 'replace'])
      expect((await importInto(to, exported, mode)).body.alert_rules).toEqual({
        ...done({ unchanged: 4 }),
        changes: [],
      })
    const ids = new Set((await rulesOf(from)).flatMap(({ id, channel_ids }) => [id, ...channel_ids]))
    for (const { id, channel_ids } of await rulesOf(to))
      for (const each of [id, ...channel_ids]) expect(ids).not.toContain(each)
  })

  it('an import updates the rules it names; a merge keeps the others, a replace deletes them', async () => {
    const tenant = newTenant()
    const [first, , last] = await filled(tenant)
    const merged = await importInto(tenant, { alert_rules: [{ ...quiet, name: 'a', threshold: 9 }] })
    expect(merged.body.alert_rules).toEqual({ ...done({ updated: 1 }), changes: [{ action: 'updated', name: 'a' }] })
    const changed = (await rulesOf(tenant)).find(({ name }) => name === 'a')
    expect(changed).toMatchObject({ id: last?.id, threshold: 9, window_s: 300, channel_ids: [], version: 2 })
    expect(await rulesOf(tenant)).toHaveLength(4)
    const kept = { ...quiet, name: hostile, service: 'bank' }
    const replaced = await importInto(tenant, { integrations: [], channels: [], alert_rules: [kept] }, 'replace')
    expect(replaced.body).toMatchObject({
      integrations: done({ deleted: 1 }),
      channels: done({ deleted: 2 }),
      alert_rules: done({ updated: 1, deleted: 3 }),
    })
    const [only, ...others] = await rulesOf(tenant)
    expect([only?.id, others]).toEqual([first?.id, []])
    expect(only).toMatchObject({ service: 'bank', channel_ids: [] })
    expect(only).not.toHaveProperty('integration_id')
  })

  it('an import that changes one field of a rule updates the rule', async () => {
    const tenant = newTenant()
    await filled(tenant)
    await tenant.create({ name: 'Other' })
    const condition = { attribute_key: 'tenant', operator: 'exists' }
    const relations = [{ kind: 'contains', from: [condition], to: [] }]
    await created(tenant, { name: 'd', measure: 'message_count', rows: [condition] })
    const { alert_rules: rules } = await exportOf(tenant)
    for (const [of, change] of [
      [hostile, { integration: 'Other' }],
      [hostile, { severity: 'info' }],
      [hostile, { channels: ['On-call'] }],
      [hostile, { include: { ...rules[0]?.include, link: false } }],
      ['c', { metric: 'queue.age' }],
      ['d', { rows: [{ ...condition, operator: 'not_exists' }] }],
      ['d', { relations }],
    ] as const) {
      const alert_rules = rules.map((rule) => (rule.name === of ? { ...rule, ...change } : rule))
      for (const imported of [alert_rules, rules]) {
        const { body } = await importInto(tenant, { alert_rules: imported })
        expect([change, body.alert_rules]).toMatchObject([change, done({ updated: 1, unchanged: 4 })])
        expect((await exportOf(tenant)).alert_rules).toEqual(imported)
      }
    }
  })

  it('an import that writes the same rule in another way changes nothing', async () => {
    const tenant = newTenant()
    await filled(tenant)
    const { alert_rules: rules } = await exportOf(tenant)
    const alert_rules = rules.map(({ conditions = [], ...rule }) => ({
      ...rule,
      conditions: conditions.map((condition) => ({ ...condition, attribute_source: 'any' })),
      rows: [],
      relations: [],
    }))
    expect((await importInto(tenant, { alert_rules })).body.alert_rules).toMatchObject(done({ unchanged: 4 }))
  })

  it('an import that would delete what a rule refers to is refused as a whole', async () => {
    const tenant = newTenant()
    await filled(tenant)
    const before = await exportOf(tenant)
    const quoted = JSON.stringify(hostile)
    for (const [body, detail] of [
      [{ integrations: [] }, `The integration ${quoted} is used by alert rules (${quoted}).`],
      [{ channels: [] }, `The channel "On-call" is used by alert rules (${quoted}).`],
    ] as const) {
      const refused = {
        status: 409,
        refusal: ['conflict'],
        body: { detail: `${detail} Remove it from them first.` },
      }
      expect(await importInto(tenant, body, 'replace')).toMatchObject(refused)
      expect(await importInto(tenant, body, 'replace&dry_run=true')).toMatchObject(refused)
      expect(await exportOf(tenant)).toEqual(before)
      expect((await importInto(tenant, body, 'merge')).status).toBe(200)
    }
    expect((await importInto(tenant, { integrations: [], alert_rules: [] }, 'replace')).status).toBe(200)
  })

  it.each<[string, object[], number, string[]]>([
    [
      'names that do not exist',
      [{}, { name: 'b', integration: 'none', channels: ['On-call', 'gone', 'lost'] }],
      422,
      ['/alert_rules/1/integration', '/alert_rules/1/channels/1', '/alert_rules/1/channels/2'],
    ],
    ['a service and an integration', [{ service: 'a', integration: hostile }], 422, ['/alert_rules/0/service']],
    ['a measure of another kind', [{}, { name: 'b', measure: 'p99' }], 422, ['/alert_rules/1/measure']],
    ['a metric rule without a metric', [{ kind: 'metric', measure: 'avg' }], 422, ['/alert_rules/0/metric']],
    [
      'malformed fields of two rules',
      [
        { name: 'a\nb' },
        { name: 'b', conditions: [{ attribute_key: 'a', operator: 'matches', value: '(' }], service: 'a\0' },
      ],
      400,
      ['/alert_rules/0/name', '/alert_rules/1/service', '/alert_rules/1/conditions/0/value'],
    ],
    ['a name twice', [{}, {}], 400, ['/alert_rules/1/name']],
    ['a channel twice', [{ channels: ['On-call', 'On-call'] }], 400, ['/alert_rules/0/channels']],
    ['ids of an organization', [{ channel_ids: [] }], 400, ['/alert_rules/0/channel_ids']],
    ['a state', [{ state: {} }], 400, ['/alert_rules/0/state']],
  ])('an import with %s writes nothing', async (_, changes, status, pointers) => {
    const tenant = newTenant()
    await filled(tenant)
    const before = await exportOf(tenant)
    const alert_rules = changes.map((change) => ({ ...quiet, name: 'new', ...change }))
    const integrations = [{ name: 'also new', matchers: [{ service: 'x' }] }]
    for (const mode of ['merge', 'replace']) {
      const { integrations: own, channels } = before
      const body = { integrations: [...own, ...integrations], channels, alert_rules }
      const answer = await importInto(tenant, body, mode)
      expect([answer.status, ...answer.refusal.slice(1)]).toEqual([status, ...pointers])
      expect(await exportOf(tenant)).toEqual(before)
    }
  })

  it('an export contains the new names of a renamed integration and channel', async () => {
    const tenant = newTenant()
    const [rule] = await filled(tenant)
    await tenant.ask('PUT', `/integrations/${rule?.integration_id}`, { body: { name: 'Renamed' } })
    await tenant.ask('PUT', `/alerting/channels/${rule?.channel_ids[0]}`, { body: { name: 'Moved' } })
    const [exported] = (await exportOf(tenant)).alert_rules
    expect(exported).toMatchObject({ integration: 'Renamed', channels: ['Moved', hostile] })
    expect(await read(tenant, rule as Rule)).toEqual(rule)
  })

  it('an import requires a contributor and resolves no names of another organization', async () => {
    const [tenant, other] = [newTenant(), newTenant()]
    await filled(tenant)
    const exported = await exportOf(tenant)
    const whom = { role: 'viewer' } as const
    expect((await tenant.ask('POST', '/config/import', { body: exported, whom })).status).toBe(403)
    const named = { alert_rules: exported.alert_rules }
    expect((await importInto(other, named)).refusal).toEqual([
      ...['refused', '/alert_rules/0/integration', '/alert_rules/0/channels/0', '/alert_rules/0/channels/1'],
      '/alert_rules/1/channels/0',
    ])
    expect((await post(other)).status).toBe(201)
  })
})
