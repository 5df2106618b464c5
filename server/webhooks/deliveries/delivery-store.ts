import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import type { components } from '../../../openapi/types.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Deps } from '../../feature.ts'
import { type Author, recordChange } from '../../metadata/audit-log.ts'
import type { NewestPage } from '../../metadata/record-store.ts'
import type { DeliveriesTable, DeliveryAttemptsTable, Schema } from '../../metadata/schema.ts'
import { isUniqueViolation } from '../../metadata/store-error.ts'
import { raise } from '../../problem/problem.ts'
import { readsSettings, type StoredChannel } from '../channels/channel.ts'
import type { AlertContext } from '../templates/template-variables.ts'
import { anotherTestRuns } from './outbox.ts'

/** A delivery with its attempts. */
export interface StoredDelivery extends Pick<Selectable<DeliveriesTable>, (typeof columns)[number]> {
  readonly attempts: readonly Selectable<DeliveryAttemptsTable>[]
}

/** Identifies a channel across organizations. */
export interface ChannelKey {
  readonly org: string
  readonly channelId: string
}

export interface DeliveryPage extends NewestPage {
  /** The alert that the deliveries are about; all if it is undefined. */
  readonly alertId?: string | undefined
}

/** Reads and maintains the deliveries of channels. `DeliveryQueue` sends them. */
export interface DeliveryStore {
  list(channel: ChannelKey, page: DeliveryPage): Promise<StoredDelivery[]>
  find(channel: ChannelKey, id: string): Promise<StoredDelivery | undefined>
  /**
   * Restarts the schedule of a delivery, with an immediate attempt and a newly rendered body. Returns false if the
   * delivery has succeeded or is being sent.
   * @throws Problem 429 for a test while another test of the channel is running
   */
  retry(author: Author, channel: Pick<StoredChannel, 'id' | 'name'>, id: string): Promise<boolean>
  /**
   * Deletes a batch of deliveries that ended before a time, and returns the number of deleted deliveries. Skipped
   * firings are kept while their alerts are open: without them, the resolutions would be sent.
   */
  deleteFinished(before: Date): Promise<number>
}

const columns = [
  'org',
  'id',
  'channel_id',
  'alert_id',
  'event',
  'context',
  'state',
  'due_at',
  'template_error',
  'created_at',
  'finished_at',
] as const

function isNotNeeded({ eb, not, and, exists, selectFrom }: ExpressionBuilder<Schema, 'deliveries'>) {
  const openAlert = selectFrom('alerts')
    .select('alerts.id')
    .whereRef('alerts.org', '=', 'deliveries.org')
    .whereRef('alerts.id', '=', 'deliveries.alert_id')
    .where('alerts.state', '=', 'firing')
  return not(and([eb('deliveries.state', '=', 'skipped'), eb('deliveries.event', '=', 'firing'), exists(openAlert)]))
}

const deletedPerBatchMax = 200

export function createDeliveryStore({ metadata, now, newId }: Pick<Deps, 'metadata' | 'now' | 'newId'>): DeliveryStore {
  const { db } = metadata
  return {
    async list(channel, { limit, before, alertId }) {
      const ofChannel = selectDeliveries(db, channel)
      // An alert has few deliveries. Without a query of their own, SQLite reads all of the channel in the order of ids.
      const ofAlert = db
        .selectFrom('deliveries')
        .select('id')
        .where('org', '=', channel.org)
        .where('channel_id', '=', channel.channelId)
      const all =
        alertId === undefined ? ofChannel : ofChannel.where('id', 'in', ofAlert.where('alert_id', '=', alertId))
      const older = before === undefined ? all : all.where('id', '<', before)
      return withAttempts(db, channel.org, await older.orderBy('id', 'desc').limit(limit).execute())
    },
    async find(channel, id) {
      const rows = await selectDeliveries(db, channel).where('id', '=', id).execute()
      return (await withAttempts(db, channel.org, rows))[0]
    },
    retry: (author, channel, id) =>
      metadata.transaction(async (transaction) => {
        const at = now().toISOString()
        const retried = await transaction
          .updateTable('deliveries')
          .set({ state: 'pending', due_at: at, tries: 0, finished_at: null, claim: null, claimed_until: null })
          .set({ body: null, content_type: null, template_error: null })
          .where('org', '=', author.caller.org)
          .where('channel_id', '=', channel.id)
          .where('id', '=', id)
          .where('state', '!=', 'delivered')
          .where(({ eb, or }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', at)]))
          .executeTakeFirst()
          .catch((error: Error) => raise(isUniqueViolation(error) ? anotherTestRuns() : error))
        if (retried.numUpdatedRows === 0n) return false
        const change = { action: 'retried', kind: 'delivery', id, name: channel.name } as const
        await recordChange(transaction, { id: newId(), author }, change)
        return true
      }),
    async deleteFinished(before) {
      const old = db
        .selectFrom('deliveries')
        .select('id')
        .where('finished_at', '<', before.toISOString())
        .where(isNotNeeded)
        .limit(deletedPerBatchMax)
      const { numDeletedRows } = await db.deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function selectDeliveries(db: Kysely<Schema>, { org, channelId }: ChannelKey) {
  return db.selectFrom('deliveries').select(columns).where('org', '=', org).where('channel_id', '=', channelId)
}

async function withAttempts(
  db: Kysely<Schema>,
  org: string,
  rows: readonly Omit<StoredDelivery, 'attempts'>[],
): Promise<StoredDelivery[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const attempts = await db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('org', '=', org)
    .where('delivery_id', 'in', ids)
    .orderBy('number')
    .execute()
  return rows.map((row) => ({ ...row, attempts: attempts.filter(({ delivery_id }) => delivery_id === row.id) }))
}

/** Returns a delivery as the API shows it to the caller: without responses for viewers. */
export function toDeliveryRecord(
  stored: StoredDelivery,
  caller: Pick<Caller, 'role'>,
): components['schemas']['Delivery'] {
  const isWhole = readsSettings(caller)
  // The rule as the notification names it, because the rule may have been renamed or deleted since.
  const rule = stored.event === 'test' ? undefined : (JSON.parse(stored.context) as AlertContext).rule
  return {
    id: stored.id,
    channel_id: stored.channel_id,
    alert_id: stored.alert_id,
    rule_id: rule?.id ?? null,
    rule_name: rule?.name ?? null,
    event: stored.event,
    state: stored.state,
    template_error: stored.template_error,
    created_at: stored.created_at,
    finished_at: stored.finished_at,
    next_attempt_at: stored.state === 'pending' ? stored.due_at : null,
    attempts: stored.attempts.map(({ number, started_at, duration_ms, status, response, error }) => ({
      number,
      started_at,
      duration_ms,
      status,
      ...(isWhole && { response }),
      error,
    })),
  }
}
