import type { Transaction } from 'kysely'
import type { Deps } from '../../feature.ts'
import type { Schema } from '../../metadata/schema.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import { msPerDay } from '../../telemetry/time-units.ts'
import type { DisabledReason } from '../channels/channel.ts'
import { disableChannel, endFailing } from '../channels/channel-store.ts'
import type { Body } from '../formats/formats.ts'
import { type ClaimedDelivery, isFree, updateClaimed } from './delivery-queue.ts'
import type { ChannelKey } from './delivery-store.ts'
import type { PostResult } from './post.ts'
import { faultOf, type Verdict } from './verdict.ts'

/** A completed attempt. */
export interface Attempt {
  readonly startedAt: Date
  readonly endedAt: Date
  /** The body that was sent, if any could be. */
  readonly body: Body | undefined
  readonly result: PostResult
}

/** Returns how long an attempt took, in milliseconds. It is never negative, although the clock may be set back. */
export function durationMsOf({ startedAt, endedAt }: Pick<Attempt, 'startedAt' | 'endedAt'>): number {
  return Math.max(0, endedAt.getTime() - startedAt.getTime())
}

export interface DeliveryResults {
  /**
   * Records the result of a claimed delivery and releases the claim. Writes nothing if the claim has been lost. Returns
   * why the result disabled the channel, or undefined if it did not.
   */
  record(claimed: ClaimedDelivery, attempt: Attempt, verdict: Verdict): Promise<DisabledReason | undefined>
  /** Records a batch of due deliveries of a disabled channel as skipped. No attempt is made of them. */
  skip(channel: ChannelKey): Promise<void>
}

/** Few enough to be written in some milliseconds: libsql runs on the thread of the server. */
const skippedPerBatchMax = 200

/** Days after which a channel is disabled if all attempts fail. */
const failingDaysMax = 5

export interface DeliveryResultDeps extends Pick<Deps, 'metadata' | 'now' | 'newId'> {
  readonly metrics: Prometheus['deliveries']
}

export function createDeliveryResults({ metadata, now, newId, metrics }: DeliveryResultDeps): DeliveryResults {
  return {
    record: (claimed, attempt, verdict) =>
      metadata.transaction(async (transaction) => {
        if (!(await writeState(transaction, claimed, attempt, verdict))) return undefined
        await insertAttempt(transaction, claimed, attempt)
        if (verdict.state !== 'delivered') {
          const isGone = verdict.state === 'failed' && verdict.isGone
          return recordFailure(transaction, claimed, { at: attempt.endedAt, isGone, entryId: newId() })
        }
        await endFailing(transaction, claimed)
        return undefined
      }),
    async skip(channel) {
      const skipped = await metadata.transaction(async (transaction) => {
        const count = await skipDue(transaction, channel, now().toISOString())
        await endFailing(transaction, channel)
        return count
      })
      metrics.outcomes.inc({ outcome: 'skipped' }, skipped)
    },
  }
}

/** Skips due deliveries of a channel, unless it has been enabled. Returns their number. */
async function skipDue(transaction: Transaction<Schema>, { org, channelId }: ChannelKey, at: string): Promise<number> {
  const disabled = transaction
    .selectFrom('channels')
    .select('id')
    .where('org', '=', org)
    .where('id', '=', channelId)
    .where('disabled_reason', 'is not', null)
  const due = transaction
    .selectFrom('deliveries')
    .select('id')
    .where('channel_id', 'in', disabled)
    .where('event', '!=', 'test')
    .where(isFree(at))
    .limit(skippedPerBatchMax)
  const skipped = await transaction
    .updateTable('deliveries')
    .set({ state: 'skipped', finished_at: at, claim: null, claimed_until: null, body: null, content_type: null })
    .where('org', '=', org)
    .where('id', 'in', due)
    .where(isFree(at))
    .executeTakeFirst()
  return Number(skipped.numUpdatedRows)
}

/**
 * Writes the state of a delivery, and the body of a first attempt, so that every further one sends the same bytes.
 * Returns false if the claim has been lost.
 */
async function writeState(
  transaction: Transaction<Schema>,
  claimed: ClaimedDelivery,
  { endedAt, body }: Attempt,
  verdict: Verdict,
): Promise<boolean> {
  // A body may have a megabyte, and a delivery is kept for a month after its last attempt.
  const changes =
    verdict.state === 'pending'
      ? { due_at: verdict.dueAt.toISOString(), finished_at: null, ...(claimed.body === undefined && bodyColumns(body)) }
      : { finished_at: endedAt.toISOString(), body: null, content_type: null }
  const written = await updateClaimed(transaction, claimed)
    .set({ state: verdict.state, claim: null, claimed_until: null, ...changes })
    .set(body === undefined ? {} : { template_error: body.templateError ?? null })
    .executeTakeFirst()
  if (written.numUpdatedRows === 0n) return false
  if (claimed.event === 'firing')
    await postponeResolution(transaction, claimed, verdict.state === 'pending' ? verdict.dueAt : endedAt)
  return true
}

function bodyColumns(body: Body | undefined) {
  return { body: body?.text ?? null, content_type: body?.contentType ?? null }
}

/**
 * Makes the resolution of an alert, which waits for its firing, due when the firing is attempted again, or when it has
 * ended. While a receiver is dead, the queue thus need not read the resolutions that wait.
 */
async function postponeResolution(
  transaction: Transaction<Schema>,
  { org, channelId, alertId }: ClaimedDelivery,
  until: Date,
): Promise<void> {
  await transaction
    .updateTable('deliveries')
    .set({ due_at: until.toISOString() })
    .where('org', '=', org)
    .where('channel_id', '=', channelId)
    .where('alert_id', '=', alertId)
    .where('event', '=', 'resolved')
    .where('state', '=', 'pending')
    .execute()
}

async function insertAttempt(
  transaction: Transaction<Schema>,
  { org, id }: ClaimedDelivery,
  attempt: Attempt,
): Promise<void> {
  const { startedAt, result } = attempt
  const { attempts } = await transaction
    .selectFrom('delivery_attempts')
    .select(({ fn }) => fn.countAll<number>().as('attempts'))
    .where('org', '=', org)
    .where('delivery_id', '=', id)
    .executeTakeFirstOrThrow()
  await transaction
    .insertInto('delivery_attempts')
    .values({
      org,
      delivery_id: id,
      number: attempts + 1,
      started_at: startedAt.toISOString(),
      duration_ms: durationMsOf(attempt),
      status: result.kind === 'answered' ? result.status : null,
      response: result.kind === 'answered' ? result.response : null,
      error: faultOf(result) ?? null,
    })
    .execute()
}

/**
 * Disables a channel whose receiver is gone or has been failing for too long. Returns the reason if the channel was
 * disabled. A failed test, such as one while a receiver is set up, does not begin that time: an alert weeks later would
 * then have a single attempt.
 */
async function recordFailure(
  transaction: Transaction<Schema>,
  claimed: ClaimedDelivery,
  { at, isGone, entryId }: { readonly at: Date; readonly isGone: boolean; readonly entryId: string },
): Promise<DisabledReason | undefined> {
  if (claimed.event === 'test' && !isGone) return undefined
  const failedMs = at.getTime() - (await failingSince(transaction, claimed, at)).getTime()
  if (!isGone && failedMs < failingDaysMax * msPerDay) return undefined
  const reason = isGone ? 'gone' : 'failing'
  // If the channel is enabled again, the full time applies again.
  await endFailing(transaction, claimed)
  const key = { org: claimed.org, id: claimed.channelId }
  return (await disableChannel(transaction, key, { reason, at, entryId })) ? reason : undefined
}

/** Returns the time since which the channel has been failing: now, unless an earlier attempt failed. */
async function failingSince(
  transaction: Transaction<Schema>,
  { org, channelId }: ClaimedDelivery,
  now: Date,
): Promise<Date> {
  const { since } = await transaction
    .insertInto('channel_failures')
    .values({ org, channel_id: channelId, since: now.toISOString() })
    // Updates an existing row to its own value, so that the statement returns the row in both cases.
    .onConflict((conflict) =>
      conflict.columns(['org', 'channel_id']).doUpdateSet(({ ref }) => ({ since: ref('channel_failures.since') })),
    )
    .returning('since')
    .executeTakeFirstOrThrow()
  return new Date(since)
}
