import type { Transaction } from 'kysely'
import type { Schema } from '../../metadata/schema.ts'
import { msPerDay } from '../../telemetry/time-units.ts'
import type { DisabledReason } from '../channels/channel.ts'
import { disableChannel } from '../channels/channel-store.ts'

const failingDaysMax = 5

export interface ChannelAt {
  readonly org: string
  readonly channelId: string
  readonly moment: Date
}

/** A channel that takes something, or is sent nothing, is not failing. */
export async function endFailing(transaction: Transaction<Schema>, org: string, channelId: string): Promise<void> {
  await transaction.deleteFrom('channel_failures').where('org', '=', org).where('channel_id', '=', channelId).execute()
}

/** Notes a failed attempt. A channel that is gone is disabled at once, one that only failed for days is then. Yields why it was disabled. */
export async function noteFailure(
  transaction: Transaction<Schema>,
  channel: ChannelAt,
  isGone: boolean,
): Promise<DisabledReason | undefined> {
  const failedMs = channel.moment.getTime() - (await failingSince(transaction, channel)).getTime()
  if (!isGone && failedMs < failingDaysMax * msPerDay) return undefined
  const reason = isGone ? 'gone' : 'failing'
  // So that a channel that is enabled again has all its time again.
  await endFailing(transaction, channel.org, channel.channelId)
  const id = { org: channel.org, id: channel.channelId }
  return (await disableChannel(transaction, id, reason, channel.moment.toISOString())) ? reason : undefined
}

async function failingSince(transaction: Transaction<Schema>, { org, channelId, moment }: ChannelAt): Promise<Date> {
  const { since } = await transaction
    .insertInto('channel_failures')
    .values({ org, channel_id: channelId, since: moment.toISOString() })
    // Sets what is there already, so that the row is returned either way.
    .onConflict((conflict) =>
      conflict.columns(['org', 'channel_id']).doUpdateSet(({ ref }) => ({ since: ref('channel_failures.since') })),
    )
    .returning('since')
    .executeTakeFirstOrThrow()
  return new Date(since)
}
