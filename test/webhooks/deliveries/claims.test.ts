import { expect, it } from 'vitest'
import { createDeliveryQueue } from '../../../server/webhooks/deliveries/delivery-queue.ts'
import { describeStores } from '../../support/stores.ts'
import { openSite } from './site.ts'

describeStores('claims', (newStore) => {
  it('no attempt begins under a claim that may end before it, or that another server has taken over', async () => {
    const site = await openSite(newStore)
    const channel = await site.addChannel({ url: 'https://receiver.example' })
    await site.enqueue('alert-1', 'firing', channel)
    const [delivery] = await site.deliveries(channel)
    const queue = createDeliveryQueue({ metadata: site.metadata, now: site.clock.now })
    const claim = async () => {
      const [claimed] = await queue.claim([delivery?.id ?? ''])
      if (claimed === undefined) throw new Error('The delivery was not claimed.')
      return claimed
    }
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
})
