import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import { createDeliveryQueue } from '../../../server/webhooks/deliveries/delivery-queue.ts'
import { createEnqueueTest } from '../../../server/webhooks/deliveries/outbox.ts'
import { authorIn } from '../../support/author.ts'
import { startReceiver } from '../../support/receiver.ts'
import { describeStores } from '../../support/stores.ts'
import { openSite } from './site.ts'

const dayMs = 86_400_000

describeStores('after the clock was set back', (newStore) => {
  const opened = async (...statuses: number[]) => {
    const site = await openSite(newStore)
    const receiver = await startReceiver((number) => {
      const status = statuses[number - 1] ?? 200
      return { status, headers: status === 429 ? { 'retry-after': '86400' } : {} }
    })
    const channel = await site.addChannel({ url: receiver.url })
    const { worker, background } = await site.server()
    const queue = createDeliveryQueue({ metadata: site.metadata, now: site.clock.now })
    /** Starts what a server does in the background except sending, and sends until a number of requests arrived. */
    const untilReceived = async (count: number) => {
      const following = background.at(-2)
      following?.start()
      await expect
        .poll(async () => {
          await worker.sendDue()
          return receiver.received.length
        })
        .toBe(count)
      await following?.stop(0)
    }
    return { site, receiver, channel, worker, queue, untilReceived }
  }

  it('a delivery that was created in the future is sent', async () => {
    const { site, channel, worker, receiver, untilReceived } = await opened()
    site.clock.advance(dayMs)
    await site.enqueue('alert-1', 'firing', channel)
    site.clock.advance(-dayMs)
    await worker.sendDue()
    expect(receiver.received).toHaveLength(0)
    await untilReceived(1)
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'delivered' }])
  })

  it('a delivery that a killed server claimed in the future is sent', async () => {
    const { site, channel, queue, untilReceived } = await opened()
    site.clock.advance(dayMs)
    await site.enqueue('alert-1', 'firing', channel)
    expect(await queue.claim((await site.deliveries(channel)).map(({ id }) => id))).toHaveLength(1)
    site.clock.advance(-dayMs)
    await untilReceived(1)
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'delivered' }])
  })

  it('a delivery that failed farther ahead than any pause takes is attempted again', async () => {
    const { site, channel, worker, untilReceived } = await opened(503)
    await site.enqueue('alert-1', 'firing', channel)
    site.clock.advance(40 * dayMs)
    await worker.sendDue()
    site.clock.advance(-40 * dayMs)
    await untilReceived(2)
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'delivered', attempts: [{}, {}] }])
  })

  it('an attempt during which it was set back has no negative duration', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => {
      site.clock.advance(-1_000)
      return { status: 200 }
    })
    const channel = await site.addChannel({ url: receiver.url })
    await site.enqueue('alert-1', 'firing', channel)
    await (await site.server()).worker.sendDue()
    expect(await site.deliveries(channel)).toMatchObject([{ attempts: [{ duration_ms: 0 }] }])
  })

  it('a delivery that waits as long as its receiver requested still waits', async () => {
    const { site, channel, worker, queue } = await opened(429)
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    const before = await site.deliveries(channel)
    await queue.releaseFuture()
    expect(await site.deliveries(channel)).toEqual(before)
    expect(Date.parse(before[0]?.due_at ?? '') - site.clock.now().getTime()).toBe(dayMs)
  })

  it('a claim that a running server holds is kept, also one of a server whose clock is a little ahead', async () => {
    const { site, channel, queue } = await opened()
    await site.enqueue('alert-1', 'firing', channel)
    site.clock.advance(60_000)
    const [claimed] = await queue.claim((await site.deliveries(channel)).map(({ id }) => id))
    if (claimed === undefined) throw new Error('The delivery was not claimed.')
    site.clock.advance(-60_000)
    await queue.releaseFuture()
    expect(await queue.isClaimed(claimed)).toBe(true)
  })

  it('tests of the future do not count among those of the last minute', async () => {
    const { site, channel, worker } = await opened()
    const enqueue = createEnqueueTest({ metadata: site.metadata, now: site.clock.now, newId: monotonicFactory() })
    const test = async () => {
      await enqueue(authorIn(site.org), { id: channel, name: 'name' })
      await worker.sendDue()
    }
    site.clock.advance(dayMs)
    for (let tests = 0; tests < 5; tests++) await test()
    await expect(test()).rejects.toMatchObject({ code: 'too_many_requests' })
    site.clock.advance(-dayMs)
    await test()
  })
})
