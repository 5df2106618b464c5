import type { Selectable, Transaction } from 'kysely'
import type { Deps } from '../../feature.ts'
import { type Author, recordChange } from '../../metadata/audit-log.ts'
import type { DeliveriesTable, Schema } from '../../metadata/schema.ts'
import { type Problem, problem } from '../../problem/problem.ts'
import type { StoredChannel } from '../channels/channel.ts'
import { type AlertContext, sampleContext } from '../templates/template-variables.ts'

/** A change of an alert, and the channels to notify about it. */
export interface AlertNotification {
  readonly org: string
  readonly channelIds: readonly string[]
  /** Unique by `alert.id` and `alert.state`: an alert fires once and is resolved once. */
  readonly context: AlertContext
}

export interface Outbox {
  /**
   * Writes one delivery for each channel, in the transaction that changes the alert, so that both are committed or
   * neither is. An existing delivery is not written again, deleted channels are ignored, and the delivery of a disabled
   * channel is recorded as skipped, as is a resolution whose firing was skipped.
   */
  enqueue(transaction: Transaction<Schema>, notification: AlertNotification): Promise<void>
}

export function createOutbox({ now, newId }: Pick<Deps, 'now' | 'newId'>): Outbox {
  return {
    async enqueue(transaction, notification) {
      const { org, channelIds, context } = notification
      if (channelIds.length === 0) return
      const channels = await transaction
        .selectFrom('channels')
        .select(['id', 'disabled_reason'])
        .where('org', '=', org)
        .where('id', 'in', channelIds)
        .execute()
      if (channels.length === 0) return
      const firings =
        context.alert.state === 'resolved' ? await lockFirings(transaction, notification) : new Map<string, Firing>()
      const createdAt = now().toISOString()
      const isSkipped = ({ id, disabled_reason }: (typeof channels)[number]) =>
        disabled_reason !== null || isNeverPosted(firings.get(id))
      const rows = channels.map((channel) => ({
        org,
        id: newId(),
        channel_id: channel.id,
        alert_id: context.alert.id,
        event: context.alert.state,
        context: JSON.stringify(context),
        state: isSkipped(channel) ? ('skipped' as const) : ('pending' as const),
        tries: 0,
        created_at: createdAt,
        due_at: dueTime(createdAt, firings.get(channel.id)),
        finished_at: isSkipped(channel) ? createdAt : null,
      }))
      await transaction
        .insertInto('deliveries')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['org', 'channel_id', 'alert_id', 'event']).doNothing())
        .execute()
    },
  }
}

type Firing = Pick<Selectable<DeliveriesTable>, 'state' | 'tries' | 'due_at'>

/**
 * Returns the firings of an alert by channel. They are updated to their own values, which locks them: one that ends
 * meanwhile would not find the resolution that it makes due.
 */
async function lockFirings(
  transaction: Transaction<Schema>,
  { org, channelIds, context }: AlertNotification,
): Promise<Map<string, Firing>> {
  const firings = await transaction
    .updateTable('deliveries')
    .set(({ ref }) => ({ due_at: ref('due_at') }))
    .where('org', '=', org)
    // With the channels, the condition is the beginning of a unique index.
    .where('channel_id', 'in', channelIds)
    .where('alert_id', '=', context.alert.id)
    .where('event', '=', 'firing')
    .returning(['channel_id', 'state', 'tries', 'due_at'])
    .execute()
  return new Map(firings.map((firing) => [firing.channel_id, firing]))
}

/** Reports whether a firing was never posted, because its channel was disabled. */
function isNeverPosted(firing: Firing | undefined): boolean {
  return firing?.state === 'skipped' && firing.tries === 0
}

/** Returns when a delivery is due that is created now and waits for a firing. */
function dueTime(createdAt: string, firing: Firing | undefined): string {
  return firing?.state === 'pending' && firing.due_at > createdAt ? firing.due_at : createdAt
}

/**
 * Maximum number of tests per channel and minute. Tests are limited because they send requests to servers of third
 * parties.
 */
const testsPerMinuteMax = 5
const minuteMs = 60_000

/**
 * Enqueues the delivery of a sample alert to a channel and returns its id.
 * @throws Problem 429 over the limit, or while another test of the channel is running
 */
export type EnqueueTest = (author: Author, channel: Pick<StoredChannel, 'id' | 'name'>) => Promise<string>

export function createEnqueueTest({ metadata, now, newId }: Pick<Deps, 'metadata' | 'now' | 'newId'>): EnqueueTest {
  return async (author, channel) => {
    const { org } = author.caller
    const createdAt = now()
    const recent = await metadata.db
      .selectFrom('deliveries')
      .where('org', '=', org)
      .where('channel_id', '=', channel.id)
      .where('event', '=', 'test')
      .where('created_at', '>', new Date(createdAt.getTime() - minuteMs).toISOString())
      // After the clock was set back, tests of the future do not count.
      .where('created_at', '<', new Date(createdAt.getTime() + minuteMs).toISOString())
      .select('created_at')
      .orderBy('created_at')
      .execute()
    const [oldest] = recent
    if (oldest !== undefined && recent.length >= testsPerMinuteMax) {
      const waitMs = Date.parse(oldest.created_at) + minuteMs - createdAt.getTime()
      throw tooMany(`A channel can be tested at most ${testsPerMinuteMax} times a minute.`, Math.ceil(waitMs / 1_000))
    }
    const id = newId()
    await metadata.transaction(async (transaction) => {
      const inserted = await transaction
        .insertInto('deliveries')
        .values({
          org,
          id,
          channel_id: channel.id,
          alert_id: id,
          event: 'test',
          context: JSON.stringify(testContext(org, id, createdAt)),
          state: 'pending',
          tries: 0,
          created_at: createdAt.toISOString(),
          due_at: createdAt.toISOString(),
        })
        // A unique index allows one running test per channel.
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (inserted.numInsertedOrUpdatedRows === 0n) throw anotherTestRuns()
      const change = { action: 'tested', kind: 'channel', id: channel.id, name: channel.name } as const
      await recordChange(transaction, { id: newId(), author }, change)
    })
    return id
  }
}

/**
 * Returns the context of a test. Each test has a new alert id, so that a receiver that drops duplicate alerts accepts
 * it.
 */
function testContext(org: string, id: string, createdAt: Date): AlertContext {
  return {
    ...sampleContext,
    alert: { ...sampleContext.alert, id },
    org: { id: org, name: org },
    sent_at: createdAt.toISOString(),
  }
}

/** Returns the 429 for a second test of a channel, which has one running test at a time. */
export function anotherTestRuns(): Problem {
  return tooMany('Another test of the channel is still running.', 1)
}

function tooMany(detail: string, retryAfterSeconds: number): Problem {
  return problem('too_many_requests', detail, { retryAfterSeconds: Math.max(1, retryAfterSeconds) })
}
