import { expect, it } from 'vitest'
import { startReceiver } from '../../support/receiver.ts'
import { describeStores } from '../../support/stores.ts'
import { openSite } from './site.ts'

describeStores('resolutions', (newStore) => {
  it('a resolution waits for its own firing only', async () => {
    const site = await openSite(newStore)
    let isDown = true
    const receiver = await startReceiver(() => ({ status: isDown ? 500 : 204 }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    await site.enqueue('alert-1', 'resolved', channel)
    isDown = false
    await site.enqueue('alert-2', 'firing', channel)
    await worker.sendDue()
    await site.enqueue('alert-2', 'resolved', channel)
    await worker.sendDue()
    site.clock.advance(10_000)
    await worker.sendDue()
    expect(receiver.received.map(({ body }) => eventOf(body))).toEqual([
      'alert-1 firing',
      'alert-2 firing',
      'alert-2 resolved',
      'alert-1 firing',
      'alert-1 resolved',
    ])
  })

  it('a resolution does not wait for the firing to another channel', async () => {
    const site = await openSite(newStore)
    const [alive, dead] = [await startReceiver(() => ({ status: 204 })), await startReceiver(() => ({ status: 500 }))]
    const channels = [await site.addChannel({ url: alive.url }), await site.addChannel({ url: dead.url })]
    const { worker } = await site.server()
    for (const state of ['firing', 'resolved'] as const) {
      await site.enqueue('alert', state, ...channels)
      await worker.sendDue()
    }
    expect(alive.received.map(({ body }) => eventOf(body))).toEqual(['alert firing', 'alert resolved'])
    expect(dead.received.map(({ body }) => eventOf(body))).toEqual(['alert firing'])
  })

  it('a resolution is due when its firing is attempted again, and at once when that has ended', async () => {
    const site = await openSite(newStore)
    let isDown = true
    const receiver = await startReceiver(() => ({ status: isDown ? 500 : 204 }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    await site.enqueue('alert', 'firing', channel)
    await worker.sendDue()
    await site.enqueue('alert', 'resolved', channel)
    for (let attempts = 2; attempts < 4; attempts += 1) {
      const [firing, resolution] = await site.deliveries(channel)
      expect(resolution?.due_at).toBe(firing?.due_at)
      site.clock.advanceTo(firing?.due_at ?? '')
      await worker.sendDue()
      expect(receiver.received).toHaveLength(attempts)
    }
    const [firing] = await site.deliveries(channel)
    site.clock.advanceTo(firing?.due_at ?? '')
    isDown = false
    await worker.sendDue()
    expect(receiver.received.slice(3).map(({ body }) => eventOf(body))).toEqual(['alert firing', 'alert resolved'])
  })
})

function eventOf(body: string): string {
  const { alert } = JSON.parse(body).data
  return `${alert.id} ${alert.state}`
}
