import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import {
  type AlertRule,
  type Channel,
  createStoppedClock,
  type RuleCreate,
  untilReceived,
  type WatchedOrg,
  watchOrg,
} from './watched-org.ts'

const periodS = 5
const windowS = 10
const receivedMsMax = 60_000
const publicUrl = 'https://tracefold.example'

const { now, advance } = createStoppedClock()

let app: TestApp
let org: WatchedOrg
beforeAll(async () => {
  const env = {
    ALERT_PERIOD_SECONDS: String(periodS),
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    PUBLIC_URL: `${publicUrl}/`,
  }
  app = await startApp({ env, overrides: { now } })
  org = watchOrg({ url: app.url, token: await app.token(), now })
})
afterAll(() => app.close())

const template = JSON.stringify({
  event: '$alert.state',
  about: '$rule.name of $org.name',
  errors: '$service.error_count',
  spans: '$service.span_count',
  facets: '$service.facets',
  metadata: '$service.metadata',
  check: '$check.value',
  link: '$alert.link',
})

const formats = [{}, { format: 'cloudevents' }, { format: 'template', body_template: template }] as const

interface NotifiedChannel {
  readonly receiver: Receiver
  readonly channel: Channel
}

/** Returns the body after verifying its signature with the library that receivers use. */
function verified({ channel }: NotifiedChannel, { body, headers }: Received): Record<string, unknown> {
  const whole = new Webhook(channel.signing_secret ?? '').verify(body, headers as Record<string, string>)
  return whole as Record<string, unknown>
}

async function ruleNotifying(channels: readonly NotifiedChannel[]): Promise<AlertRule> {
  return org.addRule({
    name: 'Checkout fails',
    service: 'checkout',
    window_s: windowS,
    severity: 'critical',
    threshold: 1,
    channel_ids: channels.map(({ channel }) => channel.id),
  })
}

async function addReceiver(config: (typeof formats)[number]): Promise<NotifiedChannel> {
  const receiver = await startReceiver()
  return { receiver, channel: await org.addChannel(receiver, config) }
}

/** All spans start at one time, so that the window of an evaluation has all of them or none. */
const failingOrder = `
  checkout:POST_/orders [server] !declined io.kind=http io.role=input @deployment.environment.name=test
    charge t+0ms !declined  @deployment.environment.name=test
    reserve t+0ms           @deployment.environment.name=test
`

it('an alert is notified once within two periods and once when it is resolved, signed in every format', async () => {
  const notified = await Promise.all(formats.map(addReceiver))
  const rule = await ruleNotifying(notified)
  await org.sendTraces(failingOrder)
  const storedMs = now().getTime()
  advance(periodS)
  for (const { receiver } of notified) await untilReceived(receiver, 1, receivedMsMax)
  const [alert] = await org.alerts()
  if (alert === undefined) throw new Error('No alert was recorded.')
  expect(Date.parse(alert.started_at) - storedMs).toBeLessThanOrEqual(2 * periodS * 1_000)
  const summary =
    'Checkout fails: the number of failed spans of service "checkout" over 10 seconds is 2, which is above 1.'
  expect(alert).toMatchObject({ rule_id: rule.id, state: 'firing', value: 2, threshold: 1, summary })
  expect((await org.rule(rule.id)).state).toMatchObject({ status: 'firing', alert_id: alert.id, last_error: null })

  advance(windowS)
  for (const { receiver } of notified) await untilReceived(receiver, 2, receivedMsMax)
  const [ended] = await org.alerts()
  expect(ended).toMatchObject({ id: alert.id, state: 'resolved' })
  expect((await org.rule(rule.id)).state).toMatchObject({ status: 'ok', value: 0, alert_id: null })
  const [canonical, cloudEvents, custom] = notified.map((each) =>
    each.receiver.received.map((got) => verified(each, got)),
  )
  const link = `${publicUrl}/alerts/rules/${rule.id}`
  const service = {
    name: 'checkout',
    error_count: 2,
    span_count: 3,
    facets: ['core', 'http-input'],
    metadata: { 'deployment.environment.name': 'test', 'service.name': 'checkout' },
  }
  const firing = {
    alert: { id: alert.id, state: 'firing', severity: 'critical', summary, link, resolved_at: null },
    rule: { id: rule.id, name: 'Checkout fails', kind: 'trace', measure: 'error_count', window_s: windowS },
    service,
    org: { id: app.org, name: app.org },
  }
  const resolved = { alert: { id: alert.id, state: 'resolved', resolved_at: ended?.resolved_at } }
  expect(canonical).toMatchObject([
    { type: 'alert.firing', data: firing },
    { type: 'alert.resolved', data: resolved },
  ])
  expect(cloudEvents).toMatchObject([
    { specversion: '1.0', type: 'io.tracefold.alert.firing', subject: alert.id, data: firing },
    { specversion: '1.0', type: 'io.tracefold.alert.resolved', subject: alert.id, data: resolved },
  ])
  expect(custom?.[0]).toEqual({
    event: 'firing',
    about: `Checkout fails of ${app.org}`,
    errors: 2,
    spans: 3,
    facets: service.facets,
    metadata: service.metadata,
    check: null,
    link,
  })
  expect(custom?.[1]).toMatchObject({ event: 'resolved', errors: 0, spans: 0 })
  const ids = notified.flatMap(({ receiver }) => receiver.received.map(({ headers }) => headers['webhook-id']))
  expect(new Set(ids).size).toBe(6)
})

const announced = {
  attribute_source: 'intrinsic',
  attribute_key: 'name',
  operator: 'eq',
  value: 'order.placed',
} as const
const invoiced = { ...announced, value: 'invoice.sent' } as const

it('a rule on a broken sequence fires for the messages in which the second step is missing', async () => {
  const { receiver, channel } = await addReceiver({})
  const watched: Partial<RuleCreate> = {
    measure: 'message_count',
    relations: [{ kind: 'not_followed_by', from: [announced], to: [invoiced], within_ms: 60_000 }],
    window_s: 300,
    channel_ids: [channel.id],
  }
  const sequence = (tenant: string) => `shop:order.placed tenant=${tenant}\n  `
  await org.sendTraces(`${sequence('a')}billing:invoice.sent`)
  await org.sendTraces(`${sequence('a')}billing:invoice.drafted`)
  await org.sendTraces(`${sequence('a')}billing:invoice.lost`)
  const rule = await org.addRule({ ...watched, rows: [{ attribute_key: 'tenant', operator: 'eq', value: 'a' }] })
  const quiet = await org.addRule({ ...watched, rows: [{ attribute_key: 'tenant', operator: 'eq', value: 'b' }] })
  advance(periodS)
  await untilReceived(receiver, 1, receivedMsMax)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'alert.firing',
    data: { rule: { id: rule.id, measure: 'message_count' } },
  })
  // The other rule may be evaluated after it.
  await expect.poll(async () => (await org.rule(quiet.id)).state.value, { timeout: receivedMsMax }).toBe(0)
  const states = await Promise.all([rule, quiet].map(({ id }) => org.rule(id)))
  expect(states.map(({ state }) => [state.status, state.value, state.last_error])).toEqual([
    ['firing', 2, null],
    ['ok', 0, null],
  ])
})
