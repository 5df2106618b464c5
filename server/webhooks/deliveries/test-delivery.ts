import type { Metadata } from '../../metadata/database.ts'
import { problem } from '../../problem/problem.ts'
import { type AlertContext, sampleContext } from '../templates/template-variables.ts'
import type { ChannelOf } from './delivery-store.ts'

/** Puts a representative firing into the outbox of one channel; yields the id of the delivery. */
export type EnqueueTest = (channel: ChannelOf) => Promise<string>

export interface TestDeliveryOptions {
  readonly metadata: Metadata
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

/** A test makes somebody else's server work, so it is limited: one at a time, and this many a minute. */
const testsPerMinuteMax = 5
const minuteMs = 60_000

/** Throws the problem `too_many_requests` over the limits. */
export function createEnqueueTest({ metadata: { db }, now, newId }: TestDeliveryOptions): EnqueueTest {
  return async ({ org, channelId }) => {
    const moment = now()
    const tests = db
      .selectFrom('deliveries')
      .where('org', '=', org)
      .where('channel_id', '=', channelId)
      .where('event', '=', 'test')
    const recent = await tests
      .where('created_at', '>', new Date(moment.getTime() - minuteMs).toISOString())
      .select('created_at')
      .orderBy('created_at')
      .execute()
    const [oldest] = recent
    if (oldest !== undefined && recent.length >= testsPerMinuteMax) {
      const waitMs = Date.parse(oldest.created_at) + minuteMs - moment.getTime()
      throw tooMany(`A channel is tested at most ${testsPerMinuteMax} times a minute.`, Math.ceil(waitMs / 1_000))
    }
    const id = newId()
    const created_at = moment.toISOString()
    const inserted = await db
      .insertInto('deliveries')
      .values({
        ...{ org, id, channel_id: channelId, alert_id: id, event: 'test', state: 'pending', tries: 0 },
        ...{ context: JSON.stringify(contextOf(org, id, created_at)), created_at, due_at: created_at },
      })
      // The index over the running test of a channel lets one of several in.
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 0n) throw tooMany('The channel is being tested already.', 1)
    return id
  }
}

/** Its alert has an id of its own, so that a receiver that drops what it knows takes every test. */
function contextOf(org: string, id: string, sent_at: string): AlertContext {
  return { ...sampleContext, alert: { ...sampleContext.alert, id }, org: { id: org, name: org }, sent_at }
}

function tooMany(detail: string, retryAfterSeconds: number): Error {
  return problem('too_many_requests', detail, { retryAfterSeconds: Math.max(1, retryAfterSeconds) })
}
