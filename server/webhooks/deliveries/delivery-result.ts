import type { Transaction } from 'kysely'
import type { Metadata } from '../../metadata/database.ts'
import type { Schema } from '../../metadata/schema.ts'
import type { DisabledReason } from '../channels/channel.ts'
import { endFailing, noteFailure } from './channel-health.ts'
import { type ClaimedDelivery, updateClaimed } from './delivery-queue.ts'
import type { PostResult } from './post.ts'
import { faultOf, type Verdict } from './verdict.ts'

/** One attempt that was made. */
export interface Attempt {
  readonly startedAt: Date
  readonly endedAt: Date
  readonly result: PostResult
}

/** Writes what became of a claimed delivery, and gives up the claim. Nothing is written once the claim has been lost. */
export interface DeliveryEnd {
  /** Yields why the channel was disabled over it. */
  record(claimed: ClaimedDelivery, attempt: Attempt, verdict: Verdict): Promise<DisabledReason | undefined>
  /** Without an attempt, because the channel is disabled. */
  skip(claimed: ClaimedDelivery, moment: Date): Promise<void>
}

export function createDeliveryEnd(metadata: Metadata): DeliveryEnd {
  return {
    record: (claimed, attempt, verdict) =>
      metadata.transaction(async (transaction) => {
        if (!(await writeState(transaction, claimed, verdict, attempt.endedAt))) return undefined
        await insertAttempt(transaction, claimed, attempt)
        if (verdict.state === 'delivered') {
          await endFailing(transaction, claimed.org, claimed.channelId)
          return undefined
        }
        const channel = { org: claimed.org, channelId: claimed.channelId, moment: attempt.endedAt }
        return noteFailure(transaction, channel, verdict.state === 'failed' && verdict.isGone)
      }),
    skip: (claimed, moment) =>
      metadata.transaction(async (transaction) => {
        await writeState(transaction, claimed, { state: 'skipped' }, moment)
        await endFailing(transaction, claimed.org, claimed.channelId)
      }),
  }
}

async function writeState(
  transaction: Transaction<Schema>,
  claimed: ClaimedDelivery,
  verdict: Verdict | { readonly state: 'skipped' },
  moment: Date,
): Promise<boolean> {
  const when =
    verdict.state === 'pending'
      ? { due_at: verdict.dueAt.toISOString(), finished_at: null }
      : { finished_at: moment.toISOString() }
  const written = await updateClaimed(transaction, claimed)
    .set({ state: verdict.state, claim: null, claimed_until: null, ...when })
    .executeTakeFirst()
  return written.numUpdatedRows > 0n
}

async function insertAttempt(
  transaction: Transaction<Schema>,
  { org, id }: ClaimedDelivery,
  { startedAt, endedAt, result }: Attempt,
): Promise<void> {
  const counted = transaction
    .selectFrom('delivery_attempts')
    .select(({ fn }) => fn.countAll<number>().as('attempts'))
    .where('org', '=', org)
    .where('delivery_id', '=', id)
  const { attempts } = await counted.executeTakeFirstOrThrow()
  await transaction
    .insertInto('delivery_attempts')
    .values({
      ...{ org, delivery_id: id, number: attempts + 1 },
      ...{ started_at: startedAt.toISOString(), duration_ms: endedAt.getTime() - startedAt.getTime() },
      status: result.kind === 'answered' ? result.status : null,
      response: result.kind === 'answered' ? result.response : null,
      error: faultOf(result) ?? null,
    })
    .execute()
}
