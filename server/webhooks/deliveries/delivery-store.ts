import type { Kysely, Selectable } from 'kysely'
import type { Metadata } from '../../metadata/database.ts'
import type { NewestPage } from '../../metadata/record-store.ts'
import type { DeliveriesTable, DeliveryAttemptsTable, Schema } from '../../metadata/schema.ts'

/** A delivery as it is read: what was sent to a channel, and every attempt so far. */
export interface StoredDelivery extends Pick<Selectable<DeliveriesTable>, (typeof columns)[number]> {
  readonly attempts: readonly Selectable<DeliveryAttemptsTable>[]
}

export interface ChannelOf {
  readonly org: string
  readonly channelId: string
}

/** The deliveries of channels, for those who look at them. Every call takes the organization. */
export interface DeliveryStore {
  list(channel: ChannelOf, page: NewestPage): Promise<StoredDelivery[]>
  find(channel: ChannelOf, id: string): Promise<StoredDelivery | undefined>
  /**
   * Makes a delivery due at once, with the whole schedule before it and the payload to be rendered anew. False when it was
   * delivered or is being sent right now.
   */
  retry(channel: ChannelOf, id: string): Promise<boolean>
  /** Deletes some of those that ended before then; how many. */
  deleteFinished(before: Date): Promise<number>
}

const columns = [
  ...(['org', 'id', 'channel_id', 'alert_id', 'event', 'state', 'due_at'] as const),
  ...(['template_error', 'created_at', 'finished_at'] as const),
] as const

const deletedAtOnceMax = 1_000

export function createDeliveryStore(metadata: Metadata, now: () => Date): DeliveryStore {
  const { db } = metadata
  return {
    async list(channel, { limit, before }) {
      const all = selectOf(db, channel)
      const older = before === undefined ? all : all.where('id', '<', before)
      return withAttempts(db, channel.org, await older.orderBy('id', 'desc').limit(limit).execute())
    },
    async find(channel, id) {
      const [found] = await withAttempts(db, channel.org, await selectOf(db, channel).where('id', '=', id).execute())
      return found
    },
    async retry({ org, channelId }, id) {
      const moment = now().toISOString()
      const retried = await db
        .updateTable('deliveries')
        .set({ state: 'pending', due_at: moment, tries: 0, finished_at: null, claim: null, claimed_until: null })
        .set({ body: null, content_type: null, template_error: null })
        .where('org', '=', org)
        .where('channel_id', '=', channelId)
        .where('id', '=', id)
        .where('state', '!=', 'delivered')
        .where(({ eb, or }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', moment)]))
        .executeTakeFirst()
      return retried.numUpdatedRows > 0n
    },
    async deleteFinished(before) {
      const old = db
        .selectFrom('deliveries')
        .select('id')
        .where('finished_at', '<', before.toISOString())
        .limit(deletedAtOnceMax)
      const { numDeletedRows } = await db.deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function selectOf(db: Kysely<Schema>, { org, channelId }: ChannelOf) {
  return db.selectFrom('deliveries').select(columns).where('org', '=', org).where('channel_id', '=', channelId)
}

async function withAttempts(
  db: Kysely<Schema>,
  org: string,
  rows: readonly Omit<StoredDelivery, 'attempts'>[],
): Promise<StoredDelivery[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const ofThem = db.selectFrom('delivery_attempts').selectAll().where('org', '=', org).where('delivery_id', 'in', ids)
  const attempts = await ofThem.orderBy('number').execute()
  return rows.map((row) => ({ ...row, attempts: attempts.filter(({ delivery_id }) => delivery_id === row.id) }))
}
