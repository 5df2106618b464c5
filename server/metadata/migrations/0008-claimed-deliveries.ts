import { type Kysely, type Migration, sql } from 'kysely'

/** Creates the index by which claims are found whose times are in the future, without the deliveries that wait. */
export const claimedDeliveriesMigration: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createIndex('deliveries_claimed')
      .on('deliveries')
      .column('claimed_until')
      .where(sql`claimed_until`, 'is not', sql.lit(null))
      .execute()
  },
}
