import type { Kysely, Migration } from 'kysely'
import type { Store } from '../dialects.ts'

export function apiKeysMigration({ text }: Store): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('api_keys')
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('prefix', text, (column) => column.notNull())
        .addColumn('last4', text, (column) => column.notNull())
        .addColumn('hash', text, (column) => column.notNull().unique())
        .addColumn('created_by', text, (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .addColumn('expires_at', text)
        .addColumn('last_used_at', text)
        .addPrimaryKeyConstraint('api_keys_pk', ['org', 'id'])
        .execute()
      await db.schema.createIndex('api_keys_by_prefix').on('api_keys').column('prefix').execute()
    },
  }
}
