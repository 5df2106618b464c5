import type { Transaction } from 'kysely'
import type { Schema } from '../metadata/schema.ts'

/** One thing that happened to an alert, for channels to tell. */
export interface Notification {
  readonly org: string
  readonly channelIds: readonly string[]
  /** Its `alert.id` and `alert.state` make it one of its kind: an alert fires once and is resolved once. */
  readonly context: { readonly alert: { readonly id: string; readonly state: 'firing' | 'resolved' } }
}

export interface Outbox {
  /**
   * Writes one delivery for each channel, in the transaction of the change that it tells of: both happen or neither. A
   * notification that a channel has already is not written again. Channels that are not there are passed over; for
   * disabled ones the delivery is recorded as skipped.
   */
  enqueue(transaction: Transaction<Schema>, notification: Notification): Promise<void>
}

export interface OutboxOptions {
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

export function createOutbox({ now, newId }: OutboxOptions): Outbox {
  return {
    async enqueue(transaction, { org, channelIds, context }) {
      const moment = now().toISOString()
      const rows = [...new Set(channelIds)].map((channel_id) => ({
        ...{ org, channel_id, alert_id: context.alert.id, event: context.alert.state },
        ...{ id: newId(), context: JSON.stringify(context), created_at: moment },
        ...{ state: 'pending' as const, due_at: moment, tries: 0 },
      }))
      if (rows.length === 0) return
      await transaction
        .insertInto('deliveries')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['org', 'channel_id', 'alert_id', 'event']).doNothing())
        .execute()
    },
  }
}
