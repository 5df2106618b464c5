import type { Kysely, Migration } from 'kysely'
import type { Store } from '../dialects.ts'

export function channelsMigration({ text }: Store): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('channels')
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('url', text, (column) => column.notNull())
        .addColumn('format', text, (column) => column.notNull())
        .addColumn('body_template', text)
        .addColumn('auth_header', text)
        .addColumn('auth_header_last4', text)
        .addColumn('signing_secret', text)
        .addColumn('signing_secret_last4', text)
        .addColumn('disabled_reason', text)
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('channels_pk', ['org', 'id'])
        .addUniqueConstraint('channels_name', ['org', 'name'])
        .execute()
    },
  }
}
