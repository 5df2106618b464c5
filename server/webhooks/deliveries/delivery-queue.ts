import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import type { Metadata } from '../../metadata/database.ts'
import type { DeliveriesTable, Schema } from '../../metadata/schema.ts'
import type { Body } from '../formats/formats.ts'

/** A delivery that may be tried now. */
export interface DueDelivery {
  readonly id: string
  readonly channelId: string
}

/** A delivery that this server alone may send, until the claim ends. */
export interface ClaimedDelivery {
  readonly org: string
  readonly id: string
  readonly channelId: string
  readonly event: DeliveriesTable['event']
  /** JSON. */
  readonly context: string
  /** This attempt included. */
  readonly tries: number
  /** What was sent before and is sent again; undefined at the first attempt. */
  readonly body: Body | undefined
  readonly claim: string
}

/** The deliveries that wait to be sent, of all organizations. Any number of servers may take from it. */
export interface DeliveryQueue {
  /** Oldest first, and a resolution only when its firing is done with. Passes over the channels named. */
  findDue(limit: number, exceptChannels: readonly string[]): Promise<DueDelivery[]>
  /** Those of them that no other server was faster to claim. */
  claim(ids: readonly string[]): Promise<ClaimedDelivery[]>
  /**
   * Keeps the body before it is sent, so that every attempt sends the same bytes, and renews the claim for the time of
   * the attempt. False when the claim has been lost: then it must not be sent.
   */
  begin(claimed: ClaimedDelivery, body: Body): Promise<boolean>
  /** Gives an attempt back that was not made. */
  handBack(claimed: ClaimedDelivery, dueAt: Date): Promise<void>
}

/** Longer than an attempt by more than the clocks of two servers differ: nobody else takes what is being sent. */
const claimMs = 60_000

export function createDeliveryQueue(metadata: Metadata, now: () => Date): DeliveryQueue {
  const { db } = metadata
  const claimedUntil = () => new Date(now().getTime() + claimMs).toISOString()
  return {
    findDue: (limit, exceptChannels) => findDue(db, { limit, exceptChannels, moment: now().toISOString() }),
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
    async begin(claimed, { text, contentType, templateError = null }) {
      const begun = await updateClaimed(db, claimed)
        .set({ body: text, content_type: contentType, template_error: templateError, claimed_until: claimedUntil() })
        .executeTakeFirst()
      return begun.numUpdatedRows > 0n
    },
    async handBack(claimed, dueAt) {
      await updateClaimed(db, claimed)
        .set({ claim: null, claimed_until: null, due_at: dueAt.toISOString(), tries: claimed.tries - 1 })
        .execute()
    },
  }
}

/** Nobody is sending it; asked again by the statement that claims it, which is how one server of several gets it. */
function isFree(moment: string) {
  return ({ eb, and, or }: ExpressionBuilder<Schema, 'deliveries'>) =>
    and([
      eb('deliveries.state', '=', 'pending'),
      eb('deliveries.due_at', '<=', moment),
      or([eb('deliveries.claimed_until', 'is', null), eb('deliveries.claimed_until', '<=', moment)]),
    ])
}

interface DueQuery {
  readonly limit: number
  readonly exceptChannels: readonly string[]
  readonly moment: string
}

async function findDue(db: Kysely<Schema>, { limit, exceptChannels, moment }: DueQuery): Promise<DueDelivery[]> {
  const free = db.selectFrom('deliveries').select(['id', 'channel_id as channelId']).where(isFree(moment))
  const elsewhere = exceptChannels.length === 0 ? free : free.where('channel_id', 'not in', exceptChannels)
  return elsewhere
    .where(({ not, exists, selectFrom }) =>
      not(
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
      ),
    )
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** An update of a delivery that changes nothing once the claim has been lost. */
export function updateClaimed(connection: Kysely<Schema>, { org, id, claim }: ClaimedDelivery) {
  return connection.updateTable('deliveries').where('org', '=', org).where('id', '=', id).where('claim', '=', claim)
}

function toClaimed(row: Selectable<DeliveriesTable>): ClaimedDelivery {
  const { org, id, channel_id, event, context, tries, claim } = row
  if (claim === null) throw new Error('A claimed delivery has a claim.')
  return { org, id, channelId: channel_id, event, context, tries, body: bodyOf(row), claim }
}

function bodyOf({ body, content_type, template_error }: Selectable<DeliveriesTable>): Body | undefined {
  if (body === null || content_type === null) return undefined
  return { text: body, contentType: content_type, ...(template_error !== null && { templateError: template_error }) }
}
