import { ulid } from 'ulid'
import { expect, it } from 'vitest'
import { createPrometheus } from '../../../server/observability/prometheus.ts'
import { raise } from '../../../server/problem/problem.ts'
import { createChannelStore } from '../../../server/webhooks/channels/channel-store.ts'
import { createDeliveryResults } from '../../../server/webhooks/deliveries/delivery-result.ts'
import { createEnqueueTest } from '../../../server/webhooks/deliveries/outbox.ts'
import { authorIn } from '../../support/author.ts'
import { channelRow, reenableChannel } from '../../support/channel-seed.ts'
import { startReceiver } from '../../support/receiver.ts'
import { describeStores } from '../../support/stores.ts'
import { openSite, type Site } from './site.ts'

const dayMs = 86_400_000

describeStores('disabled channels', (newStore) => {
  it('status 410 ends the delivery and disables the channel; later notifications are recorded as skipped', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => ({ status: 410 }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    await site.enqueue('alert-2', 'firing', channel)
    await worker.sendDue()
    expect(receiver.received).toHaveLength(1)
    expect((await site.deliveries(channel)).map(({ state }) => state)).toEqual(['failed', 'skipped'])
    expect(await channelRow(site.metadata, channel)).toMatchObject({ disabled_reason: 'gone', version: 2 })
    const [, entry] = await site.metadata.db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    expect(entry).toMatchObject({ actor_kind: 'server', action: 'updated', record_kind: 'channel', record_id: channel })
    expect(JSON.parse(entry?.changed ?? '[]')).toEqual(['/disabled_reason', '/enabled'])
  })

  it('a pending delivery is skipped when its channel is disabled', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => ({ status: 500 }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    await site.metadata.db
      .updateTable('channels')
      .set({ disabled_reason: 'by_user' })
      .where('id', '=', channel)
      .execute()
    site.clock.advance(10_000)
    await worker.sendDue()
    expect(receiver.received).toHaveLength(1)
    expect((await site.deliveries(channel))[0]).toMatchObject({ state: 'skipped' })
  })

  it('a resolution is skipped where its firing was skipped, although the channel has been enabled since', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => ({ status: 200 }))
    const [aware, unaware] = [
      await site.addChannel({ url: receiver.url }),
      await site.addChannel({ url: receiver.url }),
    ]
    const disabled = { disabled_reason: 'by_user' } as const
    await site.metadata.db.updateTable('channels').set(disabled).where('id', '=', unaware).execute()
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', aware)
    await site.enqueue('alert-1', 'firing', unaware)
    await worker.sendDue()
    await reenableChannel(site.metadata, unaware)
    await site.enqueue('alert-1', 'resolved', aware)
    await site.enqueue('alert-1', 'resolved', unaware)
    await worker.sendDue()
    expect((await site.deliveries(aware)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    expect((await site.deliveries(unaware)).map(({ state }) => state)).toEqual(['skipped', 'skipped'])
    expect(receiver.received).toHaveLength(2)
  })

  it('a firing that was skipped is kept for longer than other deliveries while its alert is open', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => ({ status: 200 }))
    const channel = await site.addChannel({ url: receiver.url })
    const disabled = { disabled_reason: 'by_user' } as const
    await site.metadata.db.updateTable('channels').set(disabled).where('id', '=', channel).execute()
    for (const id of ['open', 'over']) {
      await addAlert(site, id, channel)
      await site.enqueue(id, 'firing', channel)
    }
    await site.metadata.db.updateTable('alerts').set({ state: 'resolved' }).where('id', '=', 'over').execute()
    await reenableChannel(site.metadata, channel)
    site.clock.advance(100 * dayMs)
    const { worker, background } = await site.server()
    const sweep = background.at(-1)
    sweep?.start()
    const left = async () => (await site.deliveries(channel)).map(({ alert_id, state }) => `${alert_id} ${state}`)
    await expect.poll(left).toEqual(['open skipped'])
    await sweep?.stop(0)
    await site.enqueue('open', 'resolved', channel)
    await worker.sendDue()
    expect(await left()).toEqual(['open skipped', 'open skipped'])
    expect(receiver.received).toEqual([])
  })

  it('a resolution is sent where its firing was attempted before it was skipped', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver((number) => ({ status: number === 1 ? 500 : 200 }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    const disabled = { disabled_reason: 'by_user' } as const
    await site.metadata.db.updateTable('channels').set(disabled).where('id', '=', channel).execute()
    site.clock.advance(60_000)
    await worker.sendDue()
    await reenableChannel(site.metadata, channel)
    await site.enqueue('alert-1', 'resolved', channel)
    await worker.sendDue()
    expect((await site.deliveries(channel)).map(({ state }) => state)).toEqual(['skipped', 'delivered'])
  })

  it('a test of a disabled channel is sent while its other deliveries are skipped', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver()
    const channel = await site.addChannel({ url: receiver.url })
    const { metadata, clock, org } = site
    await site.enqueue('alert-1', 'firing', channel)
    const disabled = { disabled_reason: 'by_user' } as const
    await metadata.db.updateTable('channels').set(disabled).where('id', '=', channel).execute()
    await createEnqueueTest({ metadata, now: clock.now, newId: ulid })(authorIn(org), { id: channel, name: 'tested' })
    await (await site.server()).worker.sendDue()
    const ended = (await site.deliveries(channel)).map(({ event, state }) => `${event} ${state}`)
    expect(ended.sort()).toEqual(['firing skipped', 'test delivered'])
  })

  it('nothing is skipped of a channel that has been enabled since it was found disabled', async () => {
    const site = await openSite(newStore)
    const channel = await site.addChannel({ url: 'https://receiver.example' })
    await site.enqueue('alert-1', 'firing', channel)
    const metrics = createPrometheus({ collectProcess: false }).deliveries
    const results = createDeliveryResults({ metadata: site.metadata, now: site.clock.now, newId: ulid, metrics })
    await results.skip({ org: site.org, channelId: channel })
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'pending' }])
  })

  it('many deliveries of a channel that was disabled before their attempts are skipped as never sent', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => ({ status: 200 }))
    const channel = await site.addChannel({ url: receiver.url })
    const alerts = Array.from({ length: 450 }, (_, index) => `alert-${index}`)
    for (const alert of alerts) await site.enqueue(alert, 'firing', channel)
    const { worker } = await site.server()
    const { db } = site.metadata
    await db.updateTable('channels').set({ disabled_reason: 'by_user' }).where('id', '=', channel).execute()
    await worker.sendDue()
    const states = await db.selectFrom('deliveries').select(['state', 'tries']).distinct().execute()
    expect(states).toEqual([{ state: 'skipped', tries: 0 }])
    await reenableChannel(site.metadata, channel)
    await site.enqueue('alert-7', 'resolved', channel)
    await worker.sendDue()
    expect(receiver.received).toEqual([])
  })

  it('a channel that fails for five days is disabled, and gets five more days when it is enabled', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => ({ status: 500 }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    const failFor = async (days: number) => {
      for (let day = 0; day <= days; day += 1) {
        await site.enqueue(`alert-${site.clock.now().toISOString()}`, 'firing', channel)
        await worker.sendDue()
        if (day < days) site.clock.advance(dayMs)
      }
    }
    await failFor(4)
    expect(await channelRow(site.metadata, channel)).toMatchObject({ disabled_reason: null, version: 1 })
    site.clock.advance(dayMs)
    await failFor(0)
    expect(await channelRow(site.metadata, channel)).toMatchObject({ disabled_reason: 'failing', version: 2 })
    await reenableChannel(site.metadata, channel)
    site.clock.advance(1_000)
    await failFor(4)
    expect(await channelRow(site.metadata, channel)).toMatchObject({ disabled_reason: null })
  })

  it('a channel that succeeds once within five days of failures gets five more days', async () => {
    const site = await openSite(newStore)
    let status = 500
    const receiver = await startReceiver(() => ({ status }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    const statuses = [500, 204, 500]
    for (const [index, next] of statuses.entries()) {
      status = next
      await site.enqueue(`alert-${index}`, 'firing', channel)
      await worker.sendDue()
      site.clock.advance(3 * dayMs)
    }
    expect((await site.deliveries(channel)).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'pending'])
    expect(await channelRow(site.metadata, channel)).toMatchObject({ disabled_reason: null })
  })

  it('a failed test does not shorten the schedule of an alert a week later', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => ({ status: 500 }))
    const channel = await site.addChannel({ url: receiver.url })
    const { worker } = await site.server()
    const { metadata, clock, org } = site
    await createEnqueueTest({ metadata, now: clock.now, newId: ulid })(authorIn(org), { id: channel, name: 'tested' })
    await worker.sendDue()
    clock.advance(7 * dayMs)
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    expect((await site.deliveries(channel)).map(({ state }) => state).sort()).toEqual(['failed', 'pending'])
    expect(await channelRow(metadata, channel)).toMatchObject({ disabled_reason: null })
  })

  it('a channel that is changed while it fails gets five more days', async () => {
    const site = await openSite(newStore)
    const receiver = await startReceiver(() => ({ status: 500 }))
    const channel = await site.addChannel({ url: 'http://127.0.0.1:1/' })
    const { worker } = await site.server()
    const { metadata, clock, org } = site
    await site.enqueue('alert-1', 'firing', channel)
    await worker.sendDue()
    const refused = { status: null, response: null, error: 'the connection was refused' }
    expect(await site.deliveries(channel)).toMatchObject([{ state: 'pending', attempts: [refused] }])
    clock.advance(4 * dayMs)
    const store = createChannelStore({ metadata, now: clock.now, newId: ulid })
    const failing = (await store.find({ org }, channel)) ?? raise(new Error('The channel exists.'))
    await store.replace(authorIn(org), failing, { ...failing, url: receiver.url })
    clock.advance(4 * dayMs)
    await worker.sendDue()
    expect(receiver.received).toHaveLength(1)
    expect(await channelRow(metadata, channel)).toMatchObject({ disabled_reason: null, url: receiver.url })
  })
})

/** Stores an open alert, as its evaluation does together with the delivery of its firing. */
async function addAlert({ metadata, org, clock, contextOf }: Site, id: string, channel: string): Promise<void> {
  const times = { started_at: clock.now().toISOString(), resolved_at: null }
  const context = JSON.stringify(contextOf(id, 'firing'))
  const alert = { org, id, rule_id: 'rule', value: '1', context, channel_ids: JSON.stringify([channel]) }
  await metadata.db
    .insertInto('alerts')
    .values({ ...alert, ...times, state: 'firing' })
    .execute()
}
