import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { startApp } from '../support/app.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventsOf, untilReceived, watchOrg } from './watched-org.ts'

const failures = 5
const msMax = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A clock that the test moves forward, so that it need not wait for hours until the next attempt. */
function movableClock() {
  let addedMs = 0
  return {
    now: () => new Date(Date.now() + addedMs),
    advance(ms: number) {
      addedMs += ms
    },
  }
}

it('a receiver that fails five times gets the firing again, then the resolution, each with one id', async () => {
  const clock = movableClock()
  const env = { ALERT_PERIOD_SECONDS: '1', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
  const app = await startApp({ env, overrides: { now: clock.now } })
  onTestFinished(() => app.close())
  const org = watchOrg({ url: app.url, token: await app.token({ secondsToLive: (7 * dayMs) / 1_000 }), now: clock.now })
  const receiver = await startReceiver((number) => ({ status: number <= failures ? 503 : 200 }))
  const channel = await org.addChannel(receiver)
  await org.addRule({ window_s: dayMs / 1_000, channel_ids: [channel.id] })
  await org.sendTraces('checkout:pay !declined')

  const attempts = async () => (await org.deliveries(channel.id)).flatMap((delivery) => delivery.attempts).length
  for (let attempt = 1; attempt <= failures + 2; attempt += 1) {
    await untilReceived(receiver, attempt, msMax)
    // Until the result is recorded, a later clock would end the claim of the delivery, which would be sent again.
    await expect.poll(attempts).toBe(attempt)
    clock.advance(attempt <= failures ? 2 * hourMs : dayMs)
  }

  const { received } = receiver
  expect(eventsOf(received)).toEqual([...Array(failures + 1).fill('alert.firing'), 'alert.resolved'])
  expect(new Set(received.slice(0, -1).map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  const webhook = new Webhook(channel.signing_secret ?? '')
  for (const { headers, body } of received) {
    // The library would refuse the timestamps, which are days ahead, so each signature is computed again.
    const timestamp = Number(headers['webhook-timestamp'])
    const signed = webhook.sign(String(headers['webhook-id']), new Date(timestamp * 1_000), body)
    expect(headers['webhook-signature']).toBe(signed)
  }
  const [firing, resolved] = await org.deliveries(channel.id)
  expect([firing?.state, firing?.attempts.map(({ status }) => status)]).toEqual([
    'delivered',
    [503, 503, 503, 503, 503, 200],
  ])
  expect([resolved?.state, resolved?.attempts.length]).toEqual(['delivered', 1])
  expect((await org.alerts()).map(({ state }) => state)).toEqual(['resolved'])
})
