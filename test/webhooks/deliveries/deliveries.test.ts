import { Webhook } from 'standardwebhooks'
import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import { createDeliveryQueue } from '../../../server/webhooks/deliveries/delivery-queue.ts'
import { createDeliveryStore } from '../../../server/webhooks/deliveries/delivery-store.ts'
import { createDeliveryWorker } from '../../../server/webhooks/deliveries/delivery-worker.ts'
import { createSlots, slotLimits } from '../../../server/webhooks/deliveries/slots.ts'
import { authorIn } from '../../support/author.ts'
import { authHeader, reenableChannel, signingSecret } from '../../support/channel-seed.ts'
import { startReceiver } from '../../support/receiver.ts'
import { describeStores } from '../../support/stores.ts'
import { openSite, type Site } from './site.ts'

const dayMs = 86_400_000

describeStores('deliveries', (newStore) => {
  it('a receiver that fails five times gets the same bytes and id six times, then nothing', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver((number) => ({ status: number <= 5 ? 503 : 200, body: `answer ${number}` }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel)
    const pauses: number[] = []
    for (;;) {
      await worker.sendDue()
      // The format is another one from the second attempt on.
      await site.metadata.db.updateTable('channels').set({ format: 'cloudevents' }).where('id', '=', channel).execute()
      const [delivery] = await site.deliveries(channel)
      if (delivery?.state !== 'pending') break
      pauses.push((Date.parse(delivery.due_at) - site.clock.now().getTime()) / 1_000)
      site.clock.advanceTo(delivery.due_at)
    }
    expect(pauses).toEqual([5, 30, 120, 600, 3_600])
    site.clock.advance(dayMs)
    await worker.sendDue()
    expect(receiver.received).toHaveLength(6)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    const [delivery] = await site.deliveries(channel)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery?.id]))
    expect(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).toEqual(
      delivery?.attempts.map(({ started_at }) => String(Date.parse(started_at) / 1_000)),
    )
    expect(delivery).toMatchObject({ state: 'delivered', event: 'firing' })
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 200])
    expect(delivery?.attempts[0]).toMatchObject({ number: 1, response: 'answer 1' })
    expect(delivery?.attempts.at(-1)).toMatchObject({ number: 6, response: 'answer 6', error: null })
  })

  it('the signature matches the received body, and auth_header arrives verbatim', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver()
    const template = '{"text":"$alert.summary ‹ü›","value":"$check.value"}'
    const formats = [
      { format: 'json' },
      { format: 'cloudevents' },
      { format: 'template', bodyTemplate: template },
    ] as const
    const { worker } = await site.server()
    for (const format of formats) {
      const channel = await site.addChannel({ url: receiver.url, ...format })
      await site.enqueue(`alert-${format.format}`, 'firing', channel)
    }
    await worker.sendDue()
    expect(receiver.received).toHaveLength(3)
    for (const { body, headers, method, path } of receiver.received) {
      expect({ method, path }).toEqual({ method: 'POST', path: '/hooks?token=in-the-query' })
      expect(headers.authorization).toBe(authHeader)
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
      const expected = new Webhook(signingSecret).sign(String(headers['webhook-id']), at, body)
      expect(headers['webhook-signature']).toBe(expected)
    }
    const types = receiver.received.map(({ headers }) => headers['content-type']?.split(';')[0]).sort()
    expect(types).toEqual(['application/cloudevents+json', 'application/json', 'application/json'])
  })

  it('a duplicate notification is sent once, and one whose transaction fails is not sent', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver()
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel, channel)
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    await site.enqueue('alert-1', 'firing', channel)
    await expect(
      site.metadata.transaction(async (transaction) => {
        await transaction
          .insertInto('deliveries')
          .values({
            org: site.org,
            id: 'x',
            channel_id: channel,
            alert_id: 'alert-2',
            event: 'firing',
            state: 'pending',
            context: '{}',
            tries: 0,
            due_at: '2026-03-01T09:00:00.000Z',
            created_at: '2026-03-01T09:00:00.000Z',
          })
          .execute()
        throw new Error('The state of the alert could not be written.')
      }),
    ).rejects.toThrow('could not be written')
    await worker.sendDue()
    expect(receiver.received).toHaveLength(1)
    await site.enqueue('alert-1', 'firing', '01JNB4Y8Z0V6Q3W2R7T5X9K1MD')
    expect(await site.deliveries('01JNB4Y8Z0V6Q3W2R7T5X9K1MD')).toEqual([])
  })

  it('two servers send each delivery once', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver()
    const channels = await Promise.all([1, 2, 3].map(() => site.addChannel({ url: receiver.url })))
    const servers = [await site.server(), await site.server()]
    for (let alert = 0; alert < 20; alert += 1) await site.enqueue(`alert-${alert}`, 'firing', ...channels)
    await Promise.all(servers.flatMap(({ worker }) => [worker.sendDue(), worker.sendDue()]))
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(60)
    expect(new Set(ids).size).toBe(60)
    const states = (await Promise.all(channels.map(site.deliveries))).flat().map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['delivered']))
  })

  it('a delivery claimed by a crashed server is sent by another server when the claim expires', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver()
    const channel = await site.addChannel({ url: receiver.url })
    await site.enqueue('alert-1', 'firing', channel)
    void killedWorker(site).sendDue()
    await expect.poll(async () => (await claims(site)).length).toBe(1)
    const other = await site.server()
    await other.worker.sendDue()
    expect(receiver.received).toHaveLength(0)
    site.clock.advance(60_000)
    await other.worker.sendDue()
    expect(receiver.received).toHaveLength(1)
    expect((await site.deliveries(channel))[0]).toMatchObject({ state: 'delivered' })
  })

  it('a stopping server aborts a slow attempt and releases its claim, so another server sends it at once', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver((number) => (number === 1 ? 'later' : { status: 200 }))
    const channel = await site.addChannel({ url: receiver.url })
    await site.enqueue('alert-1', 'firing', channel)
    const stopped = await site.server()
    const sending = stopped.worker.sendDue()
    await expect.poll(() => receiver.received.length).toBe(1)
    await stopped.worker.stop(10)
    await sending
    const other = await site.server()
    await other.worker.sendDue()
    const [delivery] = await site.deliveries(channel)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ number: 1, status: 200 }] })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    // The attempt that was aborted is not one of the ten.
    const tries = site.metadata.db.selectFrom('deliveries').select('tries').where('org', '=', site.org)
    expect(await tries.execute()).toEqual([{ tries: 1 }])
  })

  it('a delivery fails after its last attempt, and a manual retry begins again with a new body', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver((number) => ({ status: number <= 11 ? 400 : 200 }))
    const template = '{"said":"$alert.state"}'
    const channel = await site.addChannel({ url: receiver.url, format: 'template', bodyTemplate: template })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel)
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      await worker.sendDue()
      await reenableChannel(site.metadata, channel)
      site.clock.advance(dayMs)
    }
    const [failed] = await site.deliveries(channel)
    expect(failed).toMatchObject({ state: 'failed' })
    expect(failed?.attempts).toHaveLength(10)
    const changed = { body_template: '{"changed":"$alert.state"}' }
    await site.metadata.db.updateTable('channels').set(changed).where('id', '=', channel).execute()
    const store = createDeliveryStore({ metadata: site.metadata, now: site.clock.now, newId: monotonicFactory() })
    expect(await store.retry(authorIn(site.org), { id: channel, name: channel }, failed?.id ?? '')).toBe(true)
    // While it is being sent.
    void killedWorker(site).sendDue()
    await expect.poll(async () => (await claims(site)).length).toBe(1)
    expect(await store.retry(authorIn(site.org), { id: channel, name: channel }, failed?.id ?? '')).toBe(false)
    site.clock.advance(60_000)
    await worker.sendDue()
    // The schedule began again.
    expect((await site.deliveries(channel))[0]).toMatchObject({ state: 'pending' })
    await reenableChannel(site.metadata, channel)
    site.clock.advance(dayMs)
    await worker.sendDue()
    expect(receiver.received.at(-3)?.body).toBe('{"said":"firing"}')
    expect(receiver.received.at(-1)?.body).toBe('{"changed":"firing"}')
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(failed?.id)
    expect((await site.deliveries(channel))[0]).toMatchObject({ state: 'delivered' })
    expect(await store.retry(authorIn(site.org), { id: channel, name: channel }, failed?.id ?? '')).toBe(false)
  })

  it('a manual retry of a delivery that waits is sent at once, and renders its body again', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver((number) => ({ status: number === 1 ? 500 : 200 }))
    const template = '{"said":"$alert.state"}'
    const channel = await site.addChannel({ url: receiver.url, format: 'template', bodyTemplate: template })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    const [waiting] = await site.deliveries(channel)
    expect(waiting).toMatchObject({ state: 'pending' })
    const changed = { body_template: '{"changed":"$alert.state"}' }
    await site.metadata.db.updateTable('channels').set(changed).where('id', '=', channel).execute()
    const store = createDeliveryStore({ metadata: site.metadata, now: site.clock.now, newId: monotonicFactory() })
    expect(await store.retry(authorIn(site.org), { id: channel, name: channel }, waiting?.id ?? '')).toBe(true)
    await worker.sendDue()
    expect(receiver.received.map(({ body }) => body)).toEqual(['{"said":"firing"}', '{"changed":"firing"}'])
  })

  it('a body is stored until its delivery ends', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver((number) => ({ status: number === 1 ? 500 : 200 }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel)
    const stored = () => site.metadata.db.selectFrom('deliveries').select(['state', 'body', 'content_type']).execute()
    await worker.sendDue()
    expect(await stored()).toEqual([
      { state: 'pending', body: receiver.received[0]?.body, content_type: 'application/json' },
    ])
    site.clock.advance(dayMs)
    await worker.sendDue()
    expect(await stored()).toEqual([{ state: 'delivered', body: null, content_type: null }])
  })

  it('deliveries that ended 30 days ago are deleted with their attempts, and pending ones are kept', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver()
    const channel = await site.addChannel({ url: receiver.url })
    const server = await site.server()
    await site.enqueue('old', 'firing', channel)
    await server.worker.sendDue()
    site.clock.advance(2_000)
    await site.enqueue('later', 'firing', channel)
    await server.worker.sendDue()
    await site.enqueue('waiting', 'firing', channel)
    site.clock.advance(30 * dayMs - 1_000)
    const sweep = server.background.at(-1)
    sweep?.start()
    const left = async () => (await site.deliveries(channel)).map(({ alert_id }) => alert_id)
    await expect.poll(left).toEqual(['later', 'waiting'])
    await sweep?.stop(0)
    expect(await site.metadata.db.selectFrom('delivery_attempts').selectAll().execute()).toHaveLength(1)
  })

  it('an outage of the store is logged once, however often deliveries are looked up, and then its end', async () => {
    const site = await openSite(newStore)
    const { schema } = site.metadata.db
    const queue = createDeliveryQueue({ metadata: site.metadata, now: site.clock.now })
    let looks = 0
    const findDue: typeof queue.findDue = (...query) => {
      looks += 1
      return queue.findDue(...query)
    }
    const deps = {
      results: { skip: async () => {} },
      send: async () => {},
      slots: createSlots(slotLimits),
      logger: site.logger,
    }
    const worker = createDeliveryWorker({ ...deps, queue: { ...queue, findDue } })
    const lookAgain = async () => {
      const before = looks
      worker.wake()
      await expect.poll(() => looks).toBeGreaterThan(before)
    }
    await schema.alterTable('deliveries').renameTo('deliveries_away').execute()
    worker.start()
    for (let outage = 0; outage < 3; outage++) await lookAgain()
    await schema.alterTable('deliveries_away').renameTo('deliveries').execute()
    const logged = () => site.logLines().map(({ level, msg }) => `${level}: ${msg}`)
    const lines = ['warn: Could not look up due deliveries', 'info: Due deliveries are looked up again']
    await expect.poll(logged).toEqual(lines)
    await worker.stop(0)
    expect(logged()).toEqual(lines)
  })
})

/** Returns the worker of a server that hangs after it has claimed a delivery. */
function killedWorker({ metadata, clock, logger }: Site) {
  const queue = createDeliveryQueue({ metadata, now: clock.now })
  const send = () => new Promise<never>(() => {})
  return createDeliveryWorker({
    queue,
    results: { skip: async () => {} },
    send,
    slots: createSlots(slotLimits),
    logger,
  })
}

function claims({ metadata }: Site) {
  return metadata.db.selectFrom('deliveries').select('claim').where('claim', 'is not', null).execute()
}
