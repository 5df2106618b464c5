import { sql, type Transaction } from 'kysely'
import { type Background, repeatedly } from '../background/background.ts'
import type { OutageLog } from '../observability/outage-log.ts'
import type { Metadata } from './database.ts'
import type { Schema } from './schema.ts'

/** The exclusive right to do one named kind of work, for a limited time. */
export interface Lease {
  readonly name: string
  /** Increases whenever the holder changes, so that no two holders have the same token. */
  readonly token: number
  /** The expiry of the lease unless it is renewed before. */
  readonly expiresAt: Date
}

/**
 * The leases of one server. If several servers share a store, only the holder of a lease does the work with its name.
 * The leases of a killed server expire.
 *
 * Servers compare the expiry with their own clocks. The clocks may differ by less than the time between the last
 * renewal and the expiry: renewing every third of `leaseMs` tolerates a difference of two thirds. If clocks differ by
 * more, two servers may start the same work, but `confirm` lets only one of them write. A lease whose expiry is further
 * away than `aheadMsMax` counts as expired: its holder had a wrong clock, and may be gone.
 */
export interface Leases {
  /** Acquires or renews the lease. Returns undefined while another server holds it. */
  acquire(name: string): Promise<Lease | undefined>
  /**
   * Reports whether the lease is still held. Call it in the transaction that writes the result of the work: no other
   * server can acquire the lease before that transaction ends, whatever the clocks say.
   */
  confirm(transaction: Transaction<Schema>, lease: Lease): Promise<boolean>
  /**
   * Releases the lease before it expires, so that another server need not wait. Does nothing if the lease has been
   * lost.
   */
  release(lease: Lease): Promise<void>
}

export interface LeasesOptions {
  readonly metadata: Metadata
  /** Identifies this run of this server. */
  readonly holder: string
  readonly now: () => Date
  readonly leaseMs?: number
}

export const leaseMsDefault = 30_000

/** A time that is further ahead of the clock than this was set by a wrong clock. */
export const aheadMsMax = 3_600_000

/** The expiry of a released lease, which has passed by every clock. */
const released = new Date(0).toISOString()

export function createLeases({ metadata, holder, now, leaseMs = leaseMsDefault }: LeasesOptions): Leases {
  return {
    async acquire(name) {
      const at = now()
      const expiresAt = new Date(at.getTime() + leaseMs)
      const row = { name, holder, token: 1, expires_at: expiresAt.toISOString() }
      // With a single statement, the second of two servers that find the lease expired sees the row that the first one
      // wrote.
      const taken = await metadata.db
        .insertInto('leases')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(({ ref }) => ({
              holder,
              token: sql<number>`
                ${ref('leases.token')} + (case when ${ref('leases.holder')} = ${holder} then 0 else 1 end)
              `,
              expires_at: row.expires_at,
            }))
            .where(({ eb, or }) =>
              or([
                eb('leases.holder', '=', holder),
                eb('leases.expires_at', '<=', at.toISOString()),
                eb('leases.expires_at', '>', new Date(at.getTime() + aheadMsMax).toISOString()),
              ]),
            ),
        )
        .returning('token')
        .executeTakeFirst()
      return taken && { name, token: taken.token, expiresAt }
    },
    async confirm(transaction, { name, token }) {
      // An UPDATE locks the row on both stores.
      const held = await transaction
        .updateTable('leases')
        .set({ holder })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .where('token', '=', token)
        .executeTakeFirst()
      return held.numUpdatedRows > 0n
    },
    async release({ name, token }) {
      await metadata.db
        .updateTable('leases')
        .set({ expires_at: released })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .where('token', '=', token)
        .execute()
    },
  }
}

/** A lease that this server acquires as soon as possible and renews until it stops. */
export interface HeldLease extends Background {
  /**
   * Returns the lease, or undefined while another server holds it or after it expired because the store did not
   * respond.
   */
  current(): Lease | undefined
}

export interface HeldLeaseOptions {
  readonly name: string
  readonly leases: Leases
  /** The milliseconds between renewals: a third of the duration of the lease, so that two renewals may fail. */
  readonly renewMs: number
  readonly now: () => Date
  readonly outages: OutageLog
}

export function holdLease({ name, leases, renewMs, now, outages }: HeldLeaseOptions): HeldLease {
  let held: Lease | undefined
  const keeping = repeatedly({
    pauseMs: renewMs,
    async work() {
      held = await leases.acquire(name)
      outages.succeeded()
    },
    onError: outages.failed,
  })
  return {
    start: keeping.start,
    current: () => (held !== undefined && now() < held.expiresAt ? held : undefined),
    async stop(runningMsMax) {
      await keeping.stop(runningMsMax)
      const last = held
      held = undefined
      if (last !== undefined) await leases.release(last).catch(outages.failed)
    },
  }
}
