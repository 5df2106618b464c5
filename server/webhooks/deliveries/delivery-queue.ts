import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import type { Deps } from '../../feature.ts'
import { aheadMsMax } from '../../metadata/lease.ts'
import type { DeliveriesTable, Schema } from '../../metadata/schema.ts'
import type { DisabledReason } from '../channels/channel.ts'
import type { Body } from '../formats/formats.ts'
import { type Excluded, type Sender, slotLimits } from './slots.ts'
import { pauseMsMax } from './verdict.ts'

/** A delivery that is due. */
export interface DueDelivery extends Sender {
  readonly id: string
  /** Whether it is not to be sent, because its channel is disabled. */
  readonly isSkipped: boolean
}

/** A delivery that only this server may send until its claim expires. */
export interface ClaimedDelivery {
  readonly org: string
  readonly id: string
  readonly channelId: string
  readonly alertId: string
  readonly event: DeliveriesTable['event']
  /** The details of the alert, as JSON. */
  readonly context: string
  /** The number of attempts, including this one. */
  readonly tries: number
  /** The body that earlier attempts sent, or undefined for the first attempt. */
  readonly body: Body | undefined
  readonly claim: string
}

/** The pending deliveries of all organizations. Any number of servers may take from the queue. */
export interface DeliveryQueue {
  /**
   * Returns the oldest due deliveries of each channel except the excluded ones. A resolution waits until its firing has
   * ended.
   */
  findDue(limit: number, excluded: Excluded): Promise<DueDelivery[]>
  /** Claims deliveries, except those that another server has claimed first. */
  claim(ids: readonly string[]): Promise<ClaimedDelivery[]>
  /** Reports whether a claim lasts for an attempt that begins now. The delivery must not be sent if it does not. */
  isClaimed(claimed: ClaimedDelivery): Promise<boolean>
  /** Releases a claim without counting an attempt. */
  handBack(claimed: ClaimedDelivery, dueAt: Date): Promise<void>
  /**
   * Makes deliveries due, and releases claims, whose times only a wrong clock can have set. Otherwise they would wait
   * until the clock, once it is set back, has caught up.
   */
  releaseFuture(): Promise<void>
}

/**
 * Milliseconds until a claim expires. They exceed the duration of an attempt by more than the clock skew of two
 * servers, so that a running attempt is never claimed twice.
 */
const claimMs = 60_000
/** The part of a claim that is left for an attempt that begins. */
const attemptMsMax = claimMs / 2

export function createDeliveryQueue({ metadata, now }: Pick<Deps, 'metadata' | 'now'>): DeliveryQueue {
  const { db } = metadata
  const claimedUntil = () => new Date(now().getTime() + claimMs).toISOString()
  return {
    findDue: (limit, excluded) => findDue(db, { limit, excluded, now: now().toISOString() }),
    async claim(ids) {
      if (ids.length === 0) return []
      const rows = await db
        .updateTable('deliveries')
        .set(({ eb }) => ({ claim: randomUUID(), claimed_until: claimedUntil(), tries: eb('tries', '+', 1) }))
        .where('id', 'in', ids)
        .where(isFree(now().toISOString()))
        .returningAll()
        .execute()
      return rows.map(toClaimed)
    },
    async isClaimed({ org, id, claim }) {
      const row = await db
        .selectFrom('deliveries')
        .select('claimed_until')
        .where('org', '=', org)
        .where('id', '=', id)
        .where('claim', '=', claim)
        .executeTakeFirst()
      return Date.parse(row?.claimed_until ?? '') >= now().getTime() + attemptMsMax
    },
    async handBack(claimed, dueAt) {
      await updateClaimed(db, claimed)
        .set({ claim: null, claimed_until: null, due_at: dueAt.toISOString(), tries: claimed.tries - 1 })
        .execute()
    },
    releaseFuture: () => releaseFuture(db, now()),
  }
}

/**
 * Matches due deliveries without a live claim. The statement that claims them repeats the condition, so that only one
 * server succeeds.
 */
export function isFree(now: string) {
  return ({ eb, and, or }: ExpressionBuilder<Schema, 'deliveries'>) =>
    and([
      eb('deliveries.state', '=', 'pending'),
      eb('deliveries.due_at', '<=', now),
      or([eb('deliveries.claimed_until', 'is', null), eb('deliveries.claimed_until', '<=', now)]),
    ])
}

async function releaseFuture(db: Kysely<Schema>, now: Date): Promise<void> {
  const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const pending = db.updateTable('deliveries').where('state', '=', 'pending')
  await pending.set({ claim: null, claimed_until: null }).where('claimed_until', '>', later(aheadMsMax)).execute()
  await pending
    .set({ due_at: now.toISOString() })
    .where('due_at', '>', later(aheadMsMax))
    // One that was never attempted to its end is due when it was created.
    .where(({ eb, or, ref }) =>
      or([eb('due_at', '=', ref('created_at')), eb('due_at', '>', later(pauseMsMax + aheadMsMax))]),
    )
    .execute()
}

interface DueQuery {
  readonly limit: number
  readonly excluded: Excluded
  readonly now: string
}

/**
 * Reads the first free deliveries of each channel that has any, as many as the channel may send at once. The many
 * deliveries of a channel whose receiver has been dead for days take no longer to read than a few, because every step
 * finds its row by the index.
 */
async function findDue(db: Kysely<Schema>, { limit, excluded, now }: DueQuery): Promise<DueDelivery[]> {
  const { orgs, channelIds } = excluded
  const found = withWaitingChannels(db)
    .selectFrom('deliveries as found')
    .innerJoin('channels', (join) =>
      join.onRef('channels.org', '=', 'found.org').onRef('channels.id', '=', 'found.channel_id'),
    )
    .select(['found.org', 'found.id', 'found.channel_id as channelId', 'found.event'])
    .select(['channels.url', 'channels.disabled_reason'])
    .where('found.id', 'in', ({ selectFrom }) => {
      const free = (offset: number) => {
        const waiting = selectFrom('waiting').select((outer) =>
          outer
            .selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.channel_id', '=', 'waiting.channel_id')
            .where(isFree(now))
            .where(isNotBlocked)
            .orderBy('deliveries.due_at')
            .orderBy('deliveries.id')
            .limit(1)
            .offset(offset)
            .as('id'),
        )
        return channelIds.length === 0 ? waiting : waiting.where('waiting.channel_id', 'not in', channelIds)
      }
      // Neither a limit of several rows in such a subquery nor a lateral join is known to both stores.
      const offsets = Array.from({ length: slotLimits.perChannel - 1 }, (_, index) => index + 1)
      return offsets.reduce((all, offset) => all.unionAll(free(offset)), free(0))
    })
  const rows = await (orgs.length === 0 ? found : found.where('found.org', 'not in', orgs))
    .orderBy('found.due_at')
    .orderBy('found.id')
    .limit(limit)
    .execute()
  return rows.map(({ event, disabled_reason, ...due }) => ({
    ...due,
    isSkipped: isSkippedWhile(disabled_reason, event),
  }))
}

/** Reports whether a delivery is not sent because its channel is disabled. Tests of a channel are sent all the same. */
export function isSkippedWhile(disabledReason: DisabledReason | null, event: ClaimedDelivery['event']): boolean {
  return disabledReason !== null && event !== 'test'
}

/** Declares `waiting`, the channels with pending deliveries. The last row is null. */
function withWaitingChannels(db: Kysely<Schema>) {
  return db.withRecursive('waiting(channel_id)', (cte) =>
    cte
      .selectFrom('deliveries')
      .select(({ fn }) => fn.min<string | null>('channel_id').as('channel_id'))
      .where('state', '=', 'pending')
      .unionAll(
        cte
          .selectFrom('waiting')
          .select(({ selectFrom }) =>
            selectFrom('deliveries')
              .select(({ fn }) => fn.min<string | null>('deliveries.channel_id').as('channel_id'))
              .where('deliveries.state', '=', 'pending')
              .whereRef('deliveries.channel_id', '>', 'waiting.channel_id')
              .as('channel_id'),
          )
          .where('waiting.channel_id', 'is not', null),
      ),
  )
}

/** Matches deliveries except resolutions whose firing has not ended. */
function isNotBlocked({ not, exists, selectFrom }: ExpressionBuilder<Schema, 'deliveries'>) {
  return not(
    exists(
      selectFrom('deliveries as firing')
        .select('firing.id')
        .where('deliveries.event', '=', 'resolved')
        .where('firing.event', '=', 'firing')
        .where('firing.state', '=', 'pending')
        .whereRef('firing.org', '=', 'deliveries.org')
        .whereRef('firing.channel_id', '=', 'deliveries.channel_id')
        .whereRef('firing.alert_id', '=', 'deliveries.alert_id'),
    ),
  )
}

/** Starts an update of a claimed delivery. It changes nothing if the claim has been lost. */
export function updateClaimed(connection: Kysely<Schema>, { org, id, claim }: ClaimedDelivery) {
  return connection.updateTable('deliveries').where('org', '=', org).where('id', '=', id).where('claim', '=', claim)
}

function toClaimed(row: Selectable<DeliveriesTable>): ClaimedDelivery {
  const { org, id, channel_id, alert_id, event, context, tries, claim } = row
  if (claim === null) throw new Error('A claimed delivery must have a claim.')
  const names = { org, id, channelId: channel_id, alertId: alert_id }
  return { ...names, event, context, tries, body: bodyOf(row), claim }
}

function bodyOf({ body, content_type, template_error }: Selectable<DeliveriesTable>): Body | undefined {
  if (body === null || content_type === null) return undefined
  return { text: body, contentType: content_type, ...(template_error !== null && { templateError: template_error }) }
}
