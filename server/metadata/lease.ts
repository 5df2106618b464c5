import { sql, type Transaction } from 'kysely'
import type { Metadata } from './database.ts'
import type { Schema } from './schema.ts'

/** The right to do one named piece of work, for a time. */
export interface Lease {
  readonly name: string
  /** Greater with each change of hands, never the same for two holders. */
  readonly token: number
  /** When it ends unless it is taken again before. */
  readonly expiresAt: Date
}

/**
 * Leases of one server: with several servers on one store, the holder of a lease is the only one that does the work named
 * so. A server that is killed loses its leases when they expire.
 *
 * Expiry is told by the servers' own clocks, which may differ by less than the time between the last renewal and the
 * expiry: renewing three times within `leaseMs` tolerates two thirds of it. When clocks are further apart, two servers may
 * begin the same work, but `confirm` lets only one of them write.
 */
export interface Leases {
  /** Takes the lease, or renews the one that this server holds; undefined while another server holds it. */
  acquire(name: string): Promise<Lease | undefined>
  /**
   * Whether the lease is still held, asked in the transaction that writes what was done under it. From a true answer to the
   * end of the transaction nobody else can take the lease, whatever any clock says.
   */
  confirm(transaction: Transaction<Schema>, lease: Lease): Promise<boolean>
  /** Gives it back before it expires, so that another server need not wait. Does nothing when it was lost. */
  release(lease: Lease): Promise<void>
}

export interface LeasesOptions {
  readonly metadata: Metadata
  /** Names this server, and no other that ever ran. */
  readonly holder: string
  readonly now: () => Date
  readonly leaseMs?: number
}

export const leaseMsDefault = 30_000

export function createLeases({ metadata, holder, now, leaseMs = leaseMsDefault }: LeasesOptions): Leases {
  return {
    async acquire(name) {
      const moment = now()
      const expiresAt = new Date(moment.getTime() + leaseMs)
      const row = { name, holder, token: 1, expires_at: expiresAt.toISOString() }
      // One statement: of two servers that find the lease expired, the second one finds the row of the first.
      const taken = await metadata.db
        .insertInto('leases')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(({ ref }) => ({
              holder,
              token: sql<number>`${ref('leases.token')} + (case when ${ref('leases.holder')} = ${holder} then 0 else 1 end)`,
              expires_at: row.expires_at,
            }))
            .where(({ eb, or }) =>
              or([eb('leases.holder', '=', holder), eb('leases.expires_at', '<=', moment.toISOString())]),
            ),
        )
        .returning('token')
        .executeTakeFirst()
      return taken && { name, token: taken.token, expiresAt }
    },
    async confirm(transaction, { name, token }) {
      // An update, because it locks the row on both stores.
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
        .set({ expires_at: now().toISOString() })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .where('token', '=', token)
        .execute()
    },
  }
}
