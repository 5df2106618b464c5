import { type Kysely, type Migration, sql } from 'kysely'

/** Creates indexes for filters of the audit log and for the recent tests of a channel. */
export const searchedRowsMigration: Migration = {
  async up({ schema }: Kysely<unknown>) {
    const filters = [['action'], ['record_kind'], ['record_kind', 'action']]
    for (const columns of filters)
      await schema
        .createIndex(`audit_entries_by_${columns.join('_')}`)
        .on('audit_entries')
        .columns(['org', ...columns, 'id'])
        .execute()
    await schema
      .createIndex('deliveries_tests')
      .on('deliveries')
      .columns(['org', 'channel_id', 'created_at'])
      .where(sql`event`, '=', sql.lit('test'))
      .execute()
  },
}
