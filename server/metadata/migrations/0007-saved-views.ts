import type { Kysely, Migration } from 'kysely'
import type { Store } from '../dialects.ts'

/** A view outlives the integration that it names, so that it can say what it was about; hence no foreign key. */
export function savedViewsMigration({ text }: Store): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('saved_views')
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('description', text, (column) => column.notNull())
        .addColumn('filter_rows', text, (column) => column.notNull())
        .addColumn('integration_id', text)
        .addColumn('status', text)
        .addColumn('time_window', text, (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('saved_views_pk', ['org', 'id'])
        .addUniqueConstraint('saved_views_name', ['org', 'name'])
        .execute()
    },
  }
}
