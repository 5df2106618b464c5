import type { Expression, Kysely, Migration } from 'kysely'

/** Adds the relations of saved views. Views that were stored before have none. */
export function savedViewRelationsMigration(text: Expression<string>): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('saved_views').addColumn('relations', text).execute()
    },
  }
}
