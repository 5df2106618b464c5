import type { Expression, Kysely, Migration } from 'kysely'

/** Adds the order and the columns of saved views. Views that were stored before have the defaults of a search. */
export function savedViewPageMigration(text: Expression<string>): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('saved_views').addColumn('message_order', text).execute()
      await db.schema.alterTable('saved_views').addColumn('message_columns', text).execute()
    },
  }
}
