import type { Kysely, Migration } from 'kysely'
import type { Store } from '../dialects.ts'

export function configImportsMigration({ text }: Store): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('config_imports')
        .addColumn('org', text, (column) => column.notNull().primaryKey())
        .addColumn('imported_at', text, (column) => column.notNull())
        .execute()
    },
  }
}
