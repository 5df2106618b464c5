import { monotonicFactory } from 'ulid'
import { expect, it, onTestFinished } from 'vitest'
import type { components } from '../../../openapi/types.ts'
import { createOutbox } from '../../../server/webhooks/deliveries/outbox.ts'
import { sampleContext } from '../../../server/webhooks/templates/template-variables.ts'
import { startApp } from '../../support/app.ts'
import { startReceiver } from '../../support/receiver.ts'

type Channel = components['schemas']['Channel']
type Delivery = components['schemas']['Delivery']

it('a channel says since when its receiver fails, until an attempt succeeds or the channel is changed', async () => {
  const app = await startApp({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })
  onTestFinished(() => app.close())
  const channels = '/api/v1/alerting/channels'
  const ask = <Body>(method: string, path: string, body?: object): Promise<Body> =>
    app.ask(`${channels}${path}`, { method, json: body })
  let status = 500
  const receiver = await startReceiver(() => ({ status }))
  const { id } = await ask<Channel>('POST', '', { name: 'Pager', config: { url: receiver.url } })
  const read = () => ask<Channel>('GET', `/${id}`)
  const deliveries = async () => (await ask<{ items: Delivery[] }>('GET', `/${id}/deliveries`)).items
  const outbox = createOutbox({ now: () => new Date(), newId: monotonicFactory() })
  const enqueue = (alert: string) => {
    const context = { ...sampleContext, alert: { ...sampleContext.alert, id: alert } }
    return app.app.metadata.transaction((transaction) =>
      outbox.enqueue(transaction, { org: app.org, channelIds: [id], context }),
    )
  }

  await ask('POST', `/${id}/test`)
  expect(await read()).not.toHaveProperty('failing_since')
  await enqueue('first')
  await expect.poll(async () => (await read()).failing_since).toBeDefined()
  const { started_at = '', duration_ms = 0 } = (await deliveries())[0]?.attempts[0] ?? {}
  const since = new Date(Date.parse(started_at) + duration_ms).toISOString()
  expect(await read()).toMatchObject({ enabled: true, failing_since: since, version: 1 })

  await enqueue('second')
  await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(1)
  expect((await ask<{ items: Channel[] }>('GET', '')).items).toMatchObject([{ id, failing_since: since }])

  const changed = await ask<Channel>('PUT', `/${id}`, { ...(await read()), config: {} })
  expect(changed).not.toHaveProperty('failing_since')
  expect(await read()).toEqual(changed)

  await enqueue('third')
  await expect.poll(async () => (await read()).failing_since).toBeDefined()
  expect((await read()).failing_since).not.toBe(since)
  status = 204
  await enqueue('fourth')
  await expect.poll(async () => (await read()).failing_since).toBeUndefined()
})
