/** Limits on the retries that callers request, beside that of one delivery. */
import { monotonicFactory } from 'ulid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../../openapi/types.ts'
import { createOutbox } from '../../../server/webhooks/deliveries/outbox.ts'
import { sampleContext } from '../../../server/webhooks/templates/template-variables.ts'
import { startApp, type TestApp } from '../../support/app.ts'

type Delivery = components['schemas']['Delivery']

const newId = monotonicFactory()
const startedAt = new Date()
/** Stands still, so that no minute of a limit passes meanwhile. */
const now = () => startedAt
const outbox = createOutbox({ now, newId })

let app: TestApp
beforeAll(async () => {
  app = await startApp({ overrides: { now } })
})
afterAll(() => app.close())

/** Requests three retries of each of some deliveries of a new channel. Returns the details of refusals by a limit. */
async function retryAll(deliveries: number): Promise<string[]> {
  const channels = '/api/v1/alerting/channels'
  const channel = { name: newId(), config: { url: 'https://receiver.invalid/' } }
  const { id } = await app.ask<{ id: string }>(channels, { json: channel })
  for (let alert = 0; alert < deliveries; alert += 1) {
    const context = { ...sampleContext, alert: { ...sampleContext.alert, id: newId() } }
    await app.app.metadata.transaction((transaction) =>
      outbox.enqueue(transaction, { org: app.org, channelIds: [id], context }),
    )
  }
  const { items } = await app.ask<{ items: Delivery[] }>(`${channels}/${id}/deliveries`)
  const refused: string[] = []
  for (const delivery of [...items, ...items, ...items]) {
    const answer = await app.send(`${channels}/${id}/deliveries/${delivery.id}/retry`, { method: 'POST' })
    // Others are refused with 409, because an attempt is in progress.
    if (answer.status === 429) refused.push(((await answer.json()) as { detail: string }).detail)
  }
  return refused
}

it('a channel has 30 retries a minute, and an organization 100', async () => {
  const ofChannel = 'Deliveries of a channel can be retried at most 30 times a minute.'
  for (let channel = 0; channel < 3; channel += 1) expect(await retryAll(11)).toEqual(Array(3).fill(ofChannel))
  const ofOrg = 'Deliveries can be retried and channels tested at most 100 times a minute.'
  expect(await retryAll(4)).toEqual(Array(2).fill(ofOrg))
})
