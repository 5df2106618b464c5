import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import { createAlertWriter, listAlerts, resolvedAlertsPerOrgMax } from '../../server/alerting/alerts/alert-store.ts'
import { writeState } from '../../server/alerting/evaluation/evaluation-store.ts'
import { type AlertRuleInput, newAlertRuleContent } from '../../server/alerting/rules/alert-rule-content.ts'
import type { AlertRuleContent, StoredAlertRule } from '../../server/alerting/rules/alert-rule-record.ts'
import { alertRulesOfChannel, alertRulesOfIntegration } from '../../server/alerting/rules/alert-rule-references.ts'
import { createAlertRuleStore } from '../../server/alerting/rules/alert-rule-store.ts'
import { createIntegrationStore } from '../../server/integrations/integration-store.ts'
import { createOutbox } from '../../server/webhooks/deliveries/outbox.ts'
import { type AlertContext, sampleContext } from '../../server/webhooks/templates/template-variables.ts'
import { fails } from '../support/alert-rule-requests.ts'
import { authorIn } from '../support/author.ts'
import { seedChannel } from '../support/channel-seed.ts'
import { describeStores, type NewStore, openMigrated } from '../support/stores.ts'

const newId = monotonicFactory()
const now = () => new Date('2026-03-01T09:00:00.000Z')
const org = 'acme'

async function open(newStore: NewStore) {
  const options = await newStore()
  const metadata = await openMigrated(options)
  const writer = createAlertWriter({ outbox: createOutbox({ now, newId }), now })
  const store = createAlertRuleStore({ metadata, now, newId, endAlert: writer.end })
  const channel = () => seedChannel(metadata, { dataDir: '', secretsKey }, org, { url: 'https://receiver.example/' })
  const rule = (change: Partial<AlertRuleInput> = {}) =>
    store.insert(authorIn(org), newAlertRuleContent({ ...fails, ...change }))
  /** Writes what an evaluation writes when the rule fires. */
  async function fire(fired: StoredAlertRule): Promise<StoredAlertRule> {
    const { alert, ...rest } = sampleContext
    const alertId = newId()
    const context: AlertContext = { ...rest, alert: { ...alert, id: alertId }, rule: { ...rest.rule, id: fired.id } }
    const state = { ...fired.state, status: 'firing' as const, value: 7, evaluatedAt: now().toISOString(), alertId }
    await metadata.transaction(async (transaction) => {
      await writer.fire(transaction, fired, { context, value: 7 })
      expect(await writeState(transaction, { rule: fired, state })).toBe(true)
    })
    return (await store.find({ org }, fired.id)) as StoredAlertRule
  }
  const deliveries = async () => {
    const all = metadata.db.selectFrom('deliveries').select(['channel_id', 'alert_id', 'event', 'context'])
    return (await all.orderBy('id').execute()).map(({ context, ...row }) => {
      const { alert, sent_at } = JSON.parse(context) as AlertContext
      return { ...row, ...alert, sent_at }
    })
  }
  const alerts = (state?: 'firing' | 'resolved') => listAlerts(metadata, org, { state, limit: 200, before: undefined })
  return { metadata, store, writer, channel, rule, fire, deliveries, alerts }
}

const condition = { attribute_key: 'a', operator: 'exists' } as const

const secretsKey = Buffer.alloc(32, 7).toString('base64')

describeStores('the store of alert rules', (newStore) => {
  it.each<[string, Partial<AlertRuleInput>, string]>([
    ['its threshold', { threshold: 6 }, 'changed'],
    ['its comparator', { comparator: 'gte' }, 'changed'],
    ['its conditions', { conditions: [{ attribute_key: 'a', operator: 'exists' }] }, 'changed'],
    ['its window', { window_s: 60 }, 'changed'],
    ['its duration', { for_s: 60 }, 'changed'],
    ['its measure', { measure: 'span_count' }, 'changed'],
    ['its service', { service: 'checkout' }, 'changed'],
    ['its metric', { metric: 'queue.length' }, 'changed'],
    ['its kind', { kind: 'metric' }, 'changed'],
    ['its rows', { rows: [condition] }, 'changed'],
    ['its relations', { relations: [{ kind: 'contains', from: [condition], to: [] }] }, 'changed'],
    ['that it is enabled', { enabled: false }, 'disabled'],
  ])(
    'changing %s of a firing rule resolves its alert with one notification and resets its state',
    async (_, change, reason) => {
      const { store, channel, rule, fire, deliveries, alerts } = await open(newStore)
      const firing = await fire(await rule({ channel_ids: [await channel()] }))
      const changed = await store.replace(authorIn(org), firing, { ...firing.content, ...change } as AlertRuleContent)
      expect(changed?.state).toEqual({
        status: 'ok',
        sinceMs: now().getTime(),
        value: null,
        evaluatedAt: null,
        alertId: null,
        lastError: null,
      })
      const [first, second, ...more] = await deliveries()
      expect([first?.event, second?.event, more]).toEqual(['firing', 'resolved', []])
      expect(second).toMatchObject({
        id: first?.id,
        alert_id: first?.id,
        state: 'resolved',
        resolved_at: now().toISOString(),
        sent_at: now().toISOString(),
        summary: expect.stringMatching(new RegExp(`because the rule was ${reason}\\.$`)),
      })
      expect(await alerts('firing')).toEqual([])
      expect(await alerts()).toMatchObject([{ state: 'resolved', rule_id: firing.id, value: 7 }])
      if (changed) expect(await store.replace(authorIn(org), changed, changed.content)).toBeDefined()
      expect(await deliveries()).toHaveLength(2)
    },
  )

  it.each<[string, Partial<AlertRuleInput>]>([
    ['its name', { name: 'Other' }],
    ['its severity', { severity: 'critical' }],
    ['what it includes', { include: { link: false, summary: false, service: true, integration: true, check: true } }],
    ['nothing', {}],
  ])('changing %s of a firing rule keeps it firing', async (_, change) => {
    const { store, channel, rule, fire, deliveries, alerts } = await open(newStore)
    const firing = await fire(await rule({ channel_ids: [await channel()] }))
    const changed = await store.replace(authorIn(org), firing, { ...firing.content, ...change } as AlertRuleContent)
    expect(changed?.state).toEqual(firing.state)
    expect((await deliveries()).map(({ event }) => event)).toEqual(['firing'])
    expect(await alerts('firing')).toHaveLength(1)
  })

  it.each<[string, Partial<AlertRuleInput>]>([
    ['without rows', { rows: [], relations: [] }],
    ['with the default of an attribute source', { conditions: [{ ...condition, attribute_source: 'any' }] }],
    ['with a value that its operator ignores', { conditions: [{ ...condition, value: 'ignored' }] }],
    ['with the threshold -0', { threshold: -0 }],
  ])('writing the same rule %s keeps it firing', async (_, change) => {
    const { store, rule, fire, alerts } = await open(newStore)
    const firing = await fire(await rule({ conditions: [condition], threshold: 0 }))
    const changed = await store.replace(authorIn(org), firing, { ...firing.content, ...change } as AlertRuleContent)
    expect(changed?.state).toEqual(firing.state)
    expect(await alerts('firing')).toHaveLength(1)
  })

  it('deleting a firing rule resolves its alert with one notification and keeps the alert', async () => {
    const { store, channel, rule, fire, deliveries, alerts } = await open(newStore)
    const firing = await fire(await rule({ channel_ids: [await channel()] }))
    expect(await store.remove(authorIn(org), firing)).toBe(true)
    expect(await store.remove(authorIn(org), firing)).toBe(false)
    expect((await deliveries()).map(({ event }) => event)).toEqual(['firing', 'resolved'])
    expect(await alerts()).toMatchObject([{ state: 'resolved', rule_id: firing.id }])
    expect(await store.find({ org }, firing.id)).toBeUndefined()
  })

  it('an alert does not end before it began, even if the clock of the server that ends it is late', async () => {
    const { metadata, channel, rule, fire, deliveries, alerts } = await open(newStore)
    const firing = await fire(await rule({ channel_ids: [await channel()] }))
    const late = () => new Date(now().getTime() - 5_000)
    const { end } = createAlertWriter({ outbox: createOutbox({ now: late, newId }), now: late })
    await metadata.transaction((transaction) => end(transaction, firing, 'deleted'))
    const started_at = now().toISOString()
    expect(await alerts()).toMatchObject([{ started_at, resolved_at: started_at }])
    expect((await deliveries()).at(-1)).toMatchObject({ event: 'resolved', started_at, resolved_at: started_at })
  })

  it('a resolution is sent to the channels of the firing, even if the rule has other channels by then', async () => {
    const { store, channel, rule, fire, deliveries } = await open(newStore)
    const [first, second, later] = [await channel(), await channel(), await channel()]
    const firing = await fire(await rule({ channel_ids: [first, second] }))
    const moved = await store.replace(authorIn(org), firing, { ...firing.content, channel_ids: [later] })
    if (moved) await store.remove(authorIn(org), moved)
    const channelsOf = async (event: string) =>
      (await deliveries()).filter((each) => each.event === event).map(({ channel_id }) => channel_id)
    expect((await channelsOf('firing')).sort()).toEqual([first, second])
    expect((await channelsOf('resolved')).sort()).toEqual([first, second])
  })

  it('neither an update nor an evaluation overwrites a rule that changed after it was read', async () => {
    const { metadata, store, rule, fire, deliveries } = await open(newStore)
    const before = await rule()
    const firing = await fire(before)
    expect(await store.replace(authorIn(org), before, { ...before.content, threshold: 1 })).toBeUndefined()
    expect(await store.remove(authorIn(org), before)).toBe(false)
    const renamed = await store.replace(authorIn(org), firing, { ...firing.content, name: 'Renamed' })
    expect(renamed?.state).toEqual(firing.state)
    expect(
      await metadata.transaction((transaction) => writeState(transaction, { rule: firing, state: before.state })),
    ).toBe(false)
    expect(await store.find({ org }, firing.id)).toEqual(renamed)
    expect(await deliveries()).toEqual([])
  })

  it('foreign keys refuse rules with unknown references and the deletion of what a rule refers to', async () => {
    const { metadata, store, channel, rule } = await open(newStore)
    const integrations = createIntegrationStore({ metadata, now, newId })
    const empty = { description: '', rule_match: 'any' as const, matchers: [] }
    const integration = await integrations.insert(authorIn(org), { ...empty, name: 'Shop' })
    const id = await channel()
    const kept = await rule({ integration_id: integration.id, channel_ids: [id] })
    expect(await alertRulesOfIntegration(metadata.db, org, integration.id)).toEqual([kept.content.name])
    expect(await alertRulesOfChannel(metadata.db, org, id)).toEqual([kept.content.name])
    expect(await alertRulesOfChannel(metadata.db, 'other', id)).toEqual([])
    const conflict = { code: 'conflict' }
    await expect(integrations.remove(authorIn(org), integration)).rejects.toMatchObject(conflict)
    await expect(metadata.db.deleteFrom('channels').where('org', '=', org).execute()).rejects.toMatchObject(conflict)
    const insert = (change: Partial<AlertRuleInput>, of = org) =>
      metadata.transaction((transaction) =>
        store.within(transaction, authorIn(of)).insert(newAlertRuleContent({ ...fails, name: newId(), ...change })),
      )
    await expect(insert({ integration_id: newId() })).rejects.toMatchObject(conflict)
    await expect(insert({ channel_ids: [newId()] })).rejects.toMatchObject(conflict)
    await expect(insert({ integration_id: integration.id }, 'other')).rejects.toMatchObject(conflict)
    await expect(insert({ channel_ids: [id] }, 'other')).rejects.toMatchObject(conflict)
    expect(await store.list({ org }, { limit: 10, before: undefined })).toEqual([kept])
    expect(await store.remove(authorIn(org), kept)).toBe(true)
    expect(await integrations.remove(authorIn(org), integration)).toBe(true)
  })

  it('alerts are listed newest first, by state, in pages, and per organization', async () => {
    const { metadata, store, rule, fire, alerts } = await open(newStore)
    const ended = await fire(await rule({ name: 'ended' }))
    await store.remove(authorIn(org), ended)
    const open_ = await fire(await rule({ name: 'open' }))
    const [newest, oldest] = await alerts()
    expect([newest?.rule_id, oldest?.rule_id]).toEqual([open_.id, ended.id])
    expect((await alerts('firing')).map(({ rule_id }) => rule_id)).toEqual([open_.id])
    expect((await alerts('resolved')).map(({ rule_id }) => rule_id)).toEqual([ended.id])
    const page = { state: undefined, limit: 1 }
    expect(await listAlerts(metadata, org, { ...page, before: newest?.id })).toEqual([oldest])
    expect(await listAlerts(metadata, 'other', { ...page, before: undefined })).toEqual([])
  })

  it('the newest 10,000 resolved alerts and all open alerts are kept', async () => {
    const { metadata, rule, fire, alerts } = await open(newStore)
    const open_ = await fire(await rule({ name: 'open' }))
    const old = await metadata.db.selectFrom('alerts').selectAll().executeTakeFirstOrThrow()
    const rows = Array.from({ length: resolvedAlertsPerOrgMax + 50 }, () => ({
      ...old,
      id: newId(),
      state: 'resolved' as const,
    }))
    for (let at = 0; at < rows.length; at += 1_000)
      await metadata.db
        .insertInto('alerts')
        .values(rows.slice(at, at + 1_000))
        .execute()
    await fire(await rule({ name: 'newest' }))
    const counted = metadata.db.selectFrom('alerts').where('state', '=', 'resolved')
    const { kept } = await counted.select(({ fn }) => fn.countAll().as('kept')).executeTakeFirstOrThrow()
    expect(Number(kept)).toBe(resolvedAlertsPerOrgMax)
    const oldest = metadata.db.selectFrom('alerts').select('id').where('state', '=', 'resolved').orderBy('id').limit(1)
    expect((await oldest.executeTakeFirstOrThrow()).id).toBe(rows[50]?.id)
    expect((await alerts('firing')).at(-1)?.rule_id).toBe(open_.id)
  })
})
