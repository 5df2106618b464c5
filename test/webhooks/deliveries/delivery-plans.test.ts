import type { Transaction } from 'kysely'
import { monotonicFactory } from 'ulid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Metadata, openMetadata } from '../../../server/metadata/database.ts'
import type { Schema } from '../../../server/metadata/schema.ts'
import { createDeliveryQueue } from '../../../server/webhooks/deliveries/delivery-queue.ts'
import { createDeliveryStore } from '../../../server/webhooks/deliveries/delivery-store.ts'
import { createEnqueueTest, createOutbox } from '../../../server/webhooks/deliveries/outbox.ts'
import { plansOf } from '../../support/query-plans.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openSite } from './site.ts'

describe('a channel with many deliveries, on libsql', () => {
  it('is not read as a whole for an alert, a resolution, a test, or the next or a future delivery', async () => {
    const dataDir = temporaryFolder()
    const site = await openSite(async () => ({ dataDir }))
    const { metadata, org } = site
    const channelId = await site.addChannel({ url: 'http://127.0.0.1:9/' })
    const deps = { now: () => new Date(), newId: monotonicFactory() }
    const about = async (name: string, work: (watched: Pick<Metadata, 'db'>) => Promise<unknown>) =>
      expect((await plansOf(metadata, work)).filter((plan) => plan.includes('deliveries')).join('\n'), name)
    const list = await about('alert', (watched) =>
      createDeliveryStore({ metadata: watched as Metadata, ...deps }).list(
        { org, channelId },
        { alertId: 'alert', limit: 51, before: 'z' },
      ),
    )
    list.toMatch(/\(org=\? AND channel_id=\? AND alert_id=\?\)/)
    list.not.toMatch(/TEMP B-TREE|\(org=\? AND channel_id=\? AND id<\?\)/)
    const resolution = await about('resolution', ({ db }) =>
      createOutbox(deps).enqueue(db as Transaction<Schema>, {
        org,
        channelIds: [channelId],
        context: site.contextOf('alert', 'resolved'),
      }),
    )
    resolution.toMatch(/\(org=\? AND channel_id=\? AND alert_id=\? AND event=\?\)/)
    const author = {
      caller: { org, role: 'admin', subject: 'me' },
      requestId: 'request',
      operation: 'testChannel',
    } as const
    const test = await about('test', (watched) =>
      createEnqueueTest({ metadata: { ...metadata, db: watched.db }, ...deps })(author, {
        id: channelId,
        name: 'name',
      }),
    )
    test.toMatch(/deliveries_tests \(org=\? AND channel_id=\? AND created_at>\? AND created_at<\?\)/)
    const next = await about('next', (watched) =>
      createDeliveryQueue({ metadata: watched as Metadata, ...deps }).findDue(9, { orgs: [org], channelIds: ['full'] }),
    )
    next.toMatch(/deliveries_due_by_channel \(channel_id>\?\)/)
    next.toMatch(/deliveries_due_by_channel \(channel_id=\? AND due_at<\?\)/)
    next.not.toMatch(/SCAN (deliveries|found)|deliveries_due \(/)
    const future = await about('future', (watched) =>
      createDeliveryQueue({ metadata: watched as Metadata, ...deps }).releaseFuture(),
    )
    future.toMatch(/deliveries_claimed \(claimed_until>\?\)/)
    future.toMatch(/deliveries_due \(due_at>\?\)/)
    future.not.toMatch(/SCAN/)
  })

  it('is looked through for due ones while another program holds the write lock', async () => {
    const dataDir = temporaryFolder()
    const site = await openSite(async () => ({ dataDir }))
    await site.enqueue('alert', 'firing', await site.addChannel({ url: 'http://127.0.0.1:9/' }))
    const another = await openMetadata({ dataDir })
    onTestFinished(() => another.close())
    const queue = createDeliveryQueue({ metadata: another, now: site.clock.now })
    const none = { orgs: [], channelIds: [] }
    expect(await site.metadata.transaction(() => queue.findDue(9, none))).toMatchObject([{ org: site.org }])
  })

  it('is deleted in turns of the event loop', async () => {
    const dataDir = temporaryFolder()
    const site = await openSite(async () => ({ dataDir }))
    const { org, clock, metadata } = site
    const channel_id = await site.addChannel({ url: 'http://127.0.0.1:9/' })
    const at = clock.now().toISOString()
    const times = { created_at: at, due_at: at, finished_at: at }
    const row = { org, channel_id, event: 'firing', state: 'failed', context: '{}', tries: 1, ...times } as const
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ ...row, id: `${index}`, alert_id: `${index}` }))
    await metadata.db.insertInto('deliveries').values(rows).execute()
    clock.advance(31 * 86_400_000)
    const sweep = (await site.server()).background.at(-1)
    const left = async () => (await metadata.db.selectFrom('deliveries').select('id').execute()).length
    sweep?.start()
    await new Promise(setImmediate)
    expect(await left()).toBeGreaterThan(0)
    await expect.poll(left, { timeout: 60_000 }).toBe(0)
    await sweep?.stop(0)
  })
})
