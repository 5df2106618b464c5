import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { matcher } from '../support/integration-app.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventsOf, untilReceived, type WatchedOrg, watchOrg } from './watched-org.ts'

const msMax = 60_000

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { ALERT_PERIOD_SECONDS: '1', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })
})
afterAll(() => app.close())

async function newOrg(): Promise<WatchedOrg & { readonly name: string }> {
  const name = `org-${randomUUID()}`
  return { ...watchOrg({ url: app.url, token: await app.token({ org: name }) }), name }
}

/** Returns the state of a rule after its next evaluation. */
async function evaluated(org: WatchedOrg, id: string) {
  const after = Date.now()
  const evaluatedMs = async () => Date.parse((await org.rule(id)).state.evaluated_at ?? '1970-01-01T00:00:00Z')
  await expect.poll(evaluatedMs, { timeout: msMax }).toBeGreaterThan(after)
  const { status, value, last_error } = (await org.rule(id)).state
  return { status, value, last_error }
}

const firing = (value: number) => ({ status: 'firing', value, last_error: null })

it('a rule counts the spans of its service that satisfy its conditions', async () => {
  const org = await newOrg()
  await org.sendTraces(`
    checkout:pay !declined tenant=t-1
      bank:authorize !declined tenant=t-1
    ---
    checkout:pay !declined tenant=t-2
    ---
    checkout:pay !declined
  `)
  const tenant = (operator: 'eq' | 'neq', value: string) => [{ attribute_key: 'tenant', operator, value }]
  const all = await org.addRule({})
  const service = await org.addRule({ service: 'checkout' })
  const narrowed = await org.addRule({ service: 'checkout', conditions: tenant('eq', 't-1') })
  const negated = await org.addRule({ service: 'checkout', conditions: tenant('neq', 't-1') })
  const none = await org.addRule({ service: 'unknown' })
  expect(await evaluated(org, all.id)).toEqual(firing(4))
  expect(await evaluated(org, service.id)).toEqual(firing(3))
  expect(await evaluated(org, narrowed.id)).toEqual(firing(1))
  expect(await evaluated(org, negated.id)).toEqual(firing(2))
  expect(await evaluated(org, none.id)).toEqual({ status: 'ok', value: 0, last_error: null })
})

it('a rule over an integration counts the spans of its slice: with any, with all, and with child spans', async () => {
  const org = await newOrg()
  await org.sendTraces(`
    shop:order tenant=t-1
      ledger:book !full tenant=t-1
        ledger:retry !full
    ---
    shop:order tenant=t-1
    ---
    ledger:book !full tenant=t-1
  `)
  const integration = async (rule_match: 'any' | 'all', matchers: ReturnType<typeof matcher>[]) => {
    const body = { name: `Slice ${rule_match} ${matchers.length} ${randomUUID()}`, rule_match, matchers }
    const { data } = await org.client.POST('/api/v1/integrations', { body })
    if (data === undefined) throw new Error('The integration was not created.')
    return data
  }
  const both = [matcher('shop'), matcher('ledger')]
  const any = await integration('any', both)
  const every = await integration('all', both)
  const below = await integration('all', [matcher('shop'), matcher('ledger', { include_descendants: true })])
  const receiver = await startReceiver()
  const { id: channel } = await org.addChannel(receiver)
  const ruleOver = (id: string) => org.addRule({ integration_id: id })
  expect(await evaluated(org, (await ruleOver(below.id)).id)).toEqual(firing(2))
  expect(await evaluated(org, (await ruleOver(any.id)).id)).toEqual(firing(2))
  const notified = await org.addRule({ integration_id: every.id, channel_ids: [channel] })
  expect(await evaluated(org, notified.id)).toEqual(firing(1))

  await untilReceived(receiver, 1, msMax)
  const [body] = receiver.received.map((got) => JSON.parse(got.body))
  expect(body.data.integration).toEqual({ id: every.id, name: every.name, rule_match: 'all' })
  expect(body.data.service).toBeUndefined()
  expect(body.data.alert.summary).toContain(`of integration ${JSON.stringify(every.name)}`)
})

it('an organization is notified of its own spans only, even if another one uses the same names', async () => {
  const [mine, other] = [await newOrg(), await newOrg()]
  const watch = async (org: WatchedOrg) => {
    const receiver = await startReceiver()
    const { id } = await org.addChannel(receiver)
    const rule = await org.addRule({ name: 'Checkout fails', service: 'checkout', channel_ids: [id] })
    return { receiver, rule }
  }
  const [watched, elsewhere] = [await watch(mine), await watch(other)]
  await mine.sendTraces('checkout:pay !declined')
  await other.sendTraces('checkout:pay')
  await untilReceived(watched.receiver, 1, msMax)
  expect(await evaluated(mine, watched.rule.id)).toEqual(firing(1))
  expect(await evaluated(other, elsewhere.rule.id)).toEqual({ status: 'ok', value: 0, last_error: null })
  expect(eventsOf(watched.receiver.received)).toEqual(['alert.firing'])
  expect(JSON.parse(watched.receiver.received[0]?.body ?? '').data.org.id).toBe(mine.name)
  expect([elsewhere.receiver.received, await other.alerts()]).toEqual([[], []])
})

it('a rule waits for `for_s` seconds, and disabling it resolves its alert', async () => {
  const org = await newOrg()
  const receiver = await startReceiver()
  const { id: channel } = await org.addChannel(receiver)
  await org.sendTraces('checkout:pay !declined')
  const patient = await org.addRule({ for_s: 3_600 })
  const prompt = await org.addRule({ for_s: 2, channel_ids: [channel] })
  expect(await evaluated(org, patient.id)).toMatchObject({ status: 'pending', value: 1 })
  await untilReceived(receiver, 1, msMax)
  const [alert] = await org.alerts()
  expect(Date.parse(alert?.started_at ?? '') - Date.parse(prompt.created_at)).toBeGreaterThanOrEqual(2_000)

  const { id: _, state: __, version: ___, created_at: ____, updated_at: _____, ...content } = prompt
  await org.client.PUT('/api/v1/alerting/rules/{id}', {
    params: { path: { id: prompt.id } },
    body: { ...content, enabled: false },
  })
  await untilReceived(receiver, 2, msMax)
  expect(eventsOf(receiver.received)).toEqual(['alert.firing', 'alert.resolved'])
  const left = (await org.rule(prompt.id)).state
  // The other rule shows that evaluations continue.
  await evaluated(org, patient.id)
  expect((await org.rule(prompt.id)).state).toEqual(left)
  expect(left).toMatchObject({ status: 'ok', evaluated_at: null })
})
