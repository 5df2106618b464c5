import type { Transaction } from 'kysely'
import type { Schema } from '../../metadata/schema.ts'
import type { AlertContext } from '../templates/template-variables.ts'

/** One thing that happened to an alert, for channels to tell. */
export interface AlertNotification {
  readonly org: string
  readonly channelIds: readonly string[]
  /** Its `alert.id` and `alert.state` make it one of its kind: an alert fires once and is resolved once. */
  readonly context: AlertContext
}

export interface Outbox {
  /**
   * Writes one delivery for each channel, in the transaction of the change that it tells of: both happen or neither. A
   * notification that a channel has already is not written again. Channels that are not there are passed over; for
   * disabled ones the delivery is recorded as skipped.
   */
  enqueue(transaction: Transaction<Schema>, notification: AlertNotification): Promise<void>
}

export interface OutboxOptions {
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

export function createOutbox({ now, newId }: OutboxOptions): Outbox {
  return {
    async enqueue(transaction, { org, channelIds, context }) {
      if (channelIds.length === 0) return
      const channels = await transaction
        .selectFrom('channels')
        .select(['id', 'disabled_reason'])
        .where('org', '=', org)
        .where('id', 'in', channelIds)
        .execute()
      if (channels.length === 0) return
      const moment = now().toISOString()
      const rows = channels.map(({ id: channel_id, disabled_reason }) => ({
        ...{ org, channel_id, alert_id: context.alert.id, event: context.alert.state },
        ...{ id: newId(), context: JSON.stringify(context), created_at: moment, due_at: moment, tries: 0 },
        ...(disabled_reason === null
          ? { state: 'pending' as const, finished_at: null }
          : { state: 'skipped' as const, finished_at: moment }),
      }))
      await transaction
        .insertInto('deliveries')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['org', 'channel_id', 'alert_id', 'event']).doNothing())
        .execute()
    },
  }
}
