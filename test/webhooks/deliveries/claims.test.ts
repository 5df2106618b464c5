import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import { createPrometheus } from '../../../server/observability/prometheus.ts'
import { problem, raise } from '../../../server/problem/problem.ts'
import {
  type ClaimedDelivery,
  createDeliveryQueue,
  type DeliveryQueue,
} from '../../../server/webhooks/deliveries/delivery-queue.ts'
import { createDeliveryResults } from '../../../server/webhooks/deliveries/delivery-result.ts'
import { createDeliveryWorker } from '../../../server/webhooks/deliveries/delivery-worker.ts'
import { createPost, postTimeoutMs } from '../../../server/webhooks/deliveries/post.ts'
import { createResolveHost } from '../../../server/webhooks/deliveries/resolve-host.ts'
import { createSend } from '../../../server/webhooks/deliveries/send.ts'
import { createSlots, type Slots, slotLimits } from '../../../server/webhooks/deliveries/slots.ts'
import { seedChannel } from '../../support/channel-seed.ts'
import { startReceiver } from '../../support/receiver.ts'
import { describeStores } from '../../support/stores.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openSite, type Site } from './site.ts'

describeStores('claims', (newStore) => {
  /** A site with one delivery, and a server that has not looked for it. */
  const opened = async () => {
    const site = await openSite(newStore)
    const { metadata, clock, logger } = site
    const receiver = await startReceiver()
    const channel = await site.addChannel({ url: receiver.url })
    await site.enqueue('alert-1', 'firing', channel)
    const queue = createDeliveryQueue({ metadata, now: clock.now })
    const { findReceiver, worker } = await site.server()
    const claim = async () => {
      const [claimed] = await queue.claim((await site.deliveries(channel)).map(({ id }) => id))
      return claimed ?? raise(new Error('The delivery was not claimed.'))
    }
    /** Makes an attempt. `happens` does so before its channel is read. */
    const sendAfter = (claimed: ClaimedDelivery, happens: () => Promise<void>) => {
      const metrics = createPrometheus({ collectProcess: false }).deliveries
      const send = createSend({
        queue,
        results: createDeliveryResults({ metadata, now: clock.now, newId: monotonicFactory(), metrics }),
        async findReceiver(...channelKey) {
          await happens()
          return findReceiver(...channelKey)
        },
        post: createPost({ allows: () => true, resolve: createResolveHost(), timeoutMs: postTimeoutMs }),
        now: clock.now,
        random: Math.random,
        logger,
        metrics,
      })
      return send(claimed, new AbortController().signal)
    }
    return { site, receiver, channel, queue, claim, sendAfter, worker }
  }

  it('no attempt begins under a claim that may end before it, or that another server has taken over', async () => {
    const { site, queue, claim } = await opened()
    const first = await claim()
    site.clock.advance(30_000)
    expect(await queue.isClaimed(first)).toBe(true)
    site.clock.advance(1)
    expect(await queue.isClaimed(first)).toBe(false)
    site.clock.advance(30_000)
    const second = await claim()
    // The first server does not know yet.
    await queue.handBack(first, site.clock.now())
    expect([await queue.isClaimed(first), await queue.isClaimed(second)]).toEqual([false, true])
  })

  it('an attempt whose claim ends while its channel is read is not made, because another server makes it', async () => {
    const { site, receiver, channel, claim, sendAfter, worker } = await opened()
    await sendAfter(await claim(), () => {
      site.clock.advance(60_000)
      return worker.sendDue()
    })
    expect(receiver.received).toHaveLength(1)
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'delivered', attempts: [{ number: 1 }] }])
  })

  it('an attempt before which the store fails is not recorded, and is made when its claim ends', async () => {
    const { site, receiver, channel, claim, sendAfter, worker } = await opened()
    const failing = sendAfter(await claim(), async () => raise(problem('unavailable', 'The store does not respond.')))
    await expect(failing).rejects.toThrow('does not respond')
    site.clock.advance(60_000)
    await worker.sendDue()
    expect(receiver.received).toHaveLength(1)
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }])
  })

  it('an attempt without the key to the credentials of the channel fails, says so, and is repeated later', async () => {
    const { site, receiver, worker } = await opened()
    const sealedElsewhere = { dataDir: temporaryFolder() }
    const channel = await seedChannel(site.metadata, sealedElsewhere, site.org, { url: receiver.url })
    await site.enqueue('alert-2', 'firing', channel)
    await worker.sendDue()
    expect(receiver.received).toHaveLength(1)
    const error = 'the server does not have the key to the credentials of this channel; set them again'
    const [delivery] = await site.deliveries(channel)
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ number: 1, status: null, error }] })
    expect(Date.parse(delivery?.due_at ?? '') - site.clock.now().getTime()).toBe(5_000)
  })

  it('an attempt whose result cannot be written is repeated when its claim ends, and not before', async () => {
    const { site, receiver, channel, worker } = await opened()
    const { schema } = site.metadata.db
    await schema.alterTable('delivery_attempts').renameTo('attempts_away').execute()
    for (let look = 0; look < 3; look++) await worker.sendDue()
    expect(receiver.received).toHaveLength(1)
    expect(site.logLines()).toMatchObject([{ msg: 'Could not record the delivery result' }])
    await schema.alterTable('attempts_away').renameTo('delivery_attempts').execute()
    site.clock.advance(60_000)
    await worker.sendDue()
    expect(receiver.received).toHaveLength(2)
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'delivered', attempts: [{ number: 1 }] }])
  })

  it('a slot for a delivery that another server claims first is free again', async () => {
    const { site, channel, queue, claim } = await opened()
    const slots = createSlots({ ...slotLimits, perChannel: 1 })
    const findDue: DeliveryQueue['findDue'] = async (...query) => {
      const due = await queue.findDue(...query)
      if (due.length > 0) await claim()
      return due
    }
    await workerOf(site, slots, { ...queue, findDue }).sendDue()
    expect(slots.full()).toEqual({ orgs: [], channelIds: [] })
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'pending', attempts: [] }])
  })

  it('no delivery is looked for while no slot is free', async () => {
    const { site, queue } = await opened()
    const slots = createSlots({ all: 1, first: 0, perOrg: 1, perChannel: 1, perHost: 1 })
    slots.take({ org: 'another', channelId: 'another', url: 'https://another.example' })
    const findDue = () => raise(new Error('Deliveries were looked for.'))
    await workerOf(site, slots, { ...queue, findDue }).sendDue()
  })
})

/** Returns a worker whose attempts never end. */
function workerOf({ logger }: Site, slots: Slots, queue: DeliveryQueue) {
  const send = () => new Promise<never>(() => {})
  return createDeliveryWorker({ queue, results: { skip: async () => {} }, send, slots, logger })
}
