import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { createAlertWriter } from '../../server/alerting/alerts/alert-store.ts'
import type { StoredAlertRule } from '../../server/alerting/rules/alert-rule-record.ts'
import { createAlertRuleStore } from '../../server/alerting/rules/alert-rule-store.ts'
import { createOutbox } from '../../server/webhooks/deliveries/outbox.ts'
import { sampleContext } from '../../server/webhooks/templates/template-variables.ts'
import { created, describeServers, type Page } from '../support/alert-rule-requests.ts'
import type { Tenant } from '../support/integration-app.ts'

type Alert = components['schemas']['Alert']

const newId = monotonicFactory()
const now = () => new Date('2026-03-01T09:00:00.000Z')
const writer = createAlertWriter({ outbox: createOutbox({ now, newId }), now })

/** Writes an alert of a new rule as an evaluation does, and returns its id. */
async function alertOf(tenant: Tenant, name: string, state: Alert['state']): Promise<string> {
  const { metadata } = tenant.app.app
  const store = createAlertRuleStore({ metadata, now, newId, endAlert: writer.end })
  const { id: ruleId } = await created(tenant, { name })
  const rule = (await store.find({ org: tenant.org }, ruleId)) as StoredAlertRule
  const alert = { ...sampleContext.alert, id: newId() }
  const context = { ...sampleContext, alert, rule: { ...sampleContext.rule, id: ruleId, name } }
  await metadata.transaction(async (transaction) => {
    await writer.fire(transaction, rule, { context, value: 912.4 })
    const resolved = { ...context, alert: { ...alert, state, resolved_at: now().toISOString() } }
    if (state === 'resolved') await writer.resolve(transaction, tenant.org, resolved)
  })
  return alert.id
}

const list = (tenant: Tenant, query = '') => tenant.ask<Page<Alert>>('GET', `/alerting/alerts?${query}`)
const idsOf = async (tenant: Tenant, query = '') => (await list(tenant, query)).body.items.map(({ id }) => id)

describeServers('alerts', (newTenant) => {
  it('have the value of their firing and the time of their resolution', async () => {
    const tenant = newTenant()
    const name = 'Zahlung "schlägt" fehl 💳'
    await alertOf(tenant, name, 'firing')
    await alertOf(tenant, 'other', 'resolved')
    const [resolved, firing] = (await list(tenant)).body.items
    const { severity, summary, started_at } = sampleContext.alert
    const { comparator, threshold } = sampleContext.rule
    const found = { severity, summary, started_at, comparator, threshold, value: 912.4 }
    expect(firing).toMatchObject({ ...found, rule_name: name, state: 'firing', resolved_at: null })
    expect(resolved).toMatchObject({ ...found, state: 'resolved', resolved_at: now().toISOString() })
  })

  it('are read one by one, in their organization only', async () => {
    const [tenant, other] = [newTenant(), newTenant()]
    const id = await alertOf(tenant, 'read', 'resolved')
    const one = (of: Tenant, path: string) => of.ask<Alert>('GET', `/alerting/alerts/${path}`)
    expect((await one(tenant, id)).body).toEqual((await list(tenant)).body.items[0])
    expect((await one(other, id)).status).toBe(404)
    expect((await one(tenant, newId())).status).toBe(404)
    expect((await one(tenant, 'x')).refusal).toEqual(['invalid_request', '#/path/id'])
  })

  it('are listed newest first, filtered by state, in pages whose cursor belongs to one list', async () => {
    const [tenant, other] = [newTenant(), newTenant()]
    const ids: string[] = []
    for (const state of ['firing', 'resolved', 'resolved', 'firing', 'resolved'] as const)
      ids.unshift(await alertOf(tenant, `r${ids.length}`, state))
    expect(await idsOf(tenant)).toEqual(ids)
    expect(await idsOf(tenant, 'state=firing')).toEqual([ids[1], ids[4]])
    const first = (await list(tenant, 'state=resolved&limit=2')).body
    const rest = (await list(tenant, `state=resolved&limit=2&cursor=${first.next_cursor}`)).body
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual([ids[0], ids[2], ids[3]])
    expect(rest.next_cursor).toBeNull()
    const cursor = `cursor=${first.next_cursor}`
    for (const answer of [await list(tenant, cursor), await list(tenant, `state=firing&${cursor}`)])
      expect(answer.refusal).toEqual(['invalid_cursor', '#/query/cursor'])
    expect((await list(other, `state=resolved&${cursor}`)).refusal).toEqual(['invalid_cursor', '#/query/cursor'])
    expect(await idsOf(other)).toEqual([])
    const { rule_id, channel_ids } = (await list(tenant)).body.items[2] as Alert
    expect(channel_ids).toEqual([])
    expect(await idsOf(tenant, `rule_id=${rule_id}`)).toEqual([ids[2]])
    expect(await idsOf(tenant, `rule_id=${rule_id}&state=firing`)).toEqual([])
    expect(await idsOf(other, `rule_id=${rule_id}`)).toEqual([])
    expect((await list(tenant, 'rule_id=x')).refusal).toEqual(['invalid_request', '#/query/rule_id'])
    expect((await list(tenant, 'state=pending')).refusal).toEqual(['invalid_request', '#/query/state'])
  })
})
