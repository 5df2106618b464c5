import { type Kysely, type Migration, sql } from 'kysely'

/** Creates the index by which the next due delivery of each channel is found, however many wait behind it. */
export const dueByChannelMigration: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createIndex('deliveries_due_by_channel')
      .on('deliveries')
      .columns(['channel_id', 'due_at', 'id'])
      .where(sql`state`, '=', sql.lit('pending'))
      .execute()
  },
}
