import { expect, it } from 'vitest'
import { createDeliveryQueue } from '../../../server/webhooks/deliveries/delivery-queue.ts'
import { slotLimits } from '../../../server/webhooks/deliveries/slots.ts'
import { type Receiver, type Respond, startReceiver } from '../../support/receiver.ts'
import { describeStores } from '../../support/stores.ts'
import { openSite, type Tenant } from './site.ts'

/** Starts receivers and adds two channels to each. Requests to one host are limited, so there are several. */
async function addChannels(tenant: Tenant, channels: number, respond: Respond) {
  const receivers: Receiver[] = []
  const ids: string[] = []
  for (let index = 0; index < channels; index += 2) {
    const receiver = await startReceiver(respond)
    receivers.push(receiver)
    ids.push(await tenant.addChannel({ url: receiver.url }), await tenant.addChannel({ url: receiver.url }))
  }
  return { ids, received: () => receivers.flatMap(({ received }) => received).length }
}

async function enqueueMany(tenant: Tenant, alerts: number, channelIds: readonly string[]) {
  for (let alert = 0; alert < alerts; alert += 1) await tenant.enqueue(`alert-${alert}`, 'firing', ...channelIds)
}

describeStores('deliveries of several organizations', (newStore) => {
  it('receivers of one organization that never respond hold half of the slots, and delay no other', async () => {
    const site = await openSite(newStore)
    const slow = await addChannels(site, 8, () => 'later')
    await enqueueMany(site, 16, slow.ids)
    const { worker } = await site.server()
    const sending = worker.sendDue()
    await expect.poll(slow.received).toBe(slotLimits.perOrg)
    const other = site.anotherOrg()
    const receiver = await startReceiver()
    await other.enqueue('alert', 'firing', await other.addChannel({ url: receiver.url }))
    worker.start()
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(slow.received()).toBe(slotLimits.perOrg)
    await worker.stop(0)
    await sending
  })

  it('an organization that holds no slot gets one when all others are taken', async () => {
    const site = await openSite(newStore)
    const tenants = [site, site.anotherOrg()]
    const slow = await Promise.all(tenants.map((tenant) => addChannels(tenant, 8, () => 'later')))
    for (const [index, tenant] of tenants.entries()) await enqueueMany(tenant, 4, slow[index]?.ids ?? [])
    const { worker } = await site.server()
    const sending = worker.sendDue()
    const received = () => slow.reduce((sum, each) => sum + each.received(), 0)
    await expect.poll(received).toBe(slotLimits.all)
    const third = site.anotherOrg()
    const receiver = await startReceiver()
    await third.enqueue('alert', 'firing', await third.addChannel({ url: receiver.url }))
    worker.start()
    await expect.poll(() => receiver.received.length).toBe(1)
    await worker.stop(0)
    await sending
  })

  it('the oldest due deliveries of a channel are found first, as many as it may send at once', async () => {
    const site = await openSite(newStore)
    const channel = await site.addChannel({ url: 'http://receiver.example/' })
    for (let alert = 0; alert < 2 * slotLimits.perChannel; alert += 1) {
      await site.enqueue(`alert-${alert}`, 'firing', channel)
      site.clock.advance(1_000)
    }
    const oldest = (await site.deliveries(channel)).slice(0, slotLimits.perChannel).map(({ id }) => id)
    const queue = createDeliveryQueue({ metadata: site.metadata, now: site.clock.now })
    const found = await queue.findDue(100, { orgs: [], channelIds: [] })
    expect(found.map(({ id }) => id)).toEqual(oldest)
  })

  it('a backlog of an organization that may take no slot does not hide the deliveries of others', async () => {
    const site = await openSite(newStore)
    const { ids } = await addChannels(site, 2, () => 'later')
    await enqueueMany(site, 3, ids)
    const other = site.anotherOrg()
    const channelId = await other.addChannel({ url: 'http://receiver.example/' })
    site.clock.advance(1_000)
    await other.enqueue('alert', 'firing', channelId)
    const queue = createDeliveryQueue({ metadata: site.metadata, now: site.clock.now })
    expect(await queue.findDue(1, { orgs: [], channelIds: [] })).toMatchObject([{ org: site.org }])
    expect(await queue.findDue(1, { orgs: [site.org], channelIds: [] })).toMatchObject([{ org: other.org, channelId }])
    expect(await queue.findDue(1, { orgs: [site.org], channelIds: [channelId] })).toEqual([])
  })
})
