import type { Expression, Kysely, Migration } from 'kysely'

/** Creates the tables of browser sessions. `text` is the type of a text column that compares and sorts by bytes. */
export function sessionsMigration(text: Expression<string>): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('sessions')
        .addColumn('hash', text, (column) => column.notNull())
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('subject', text, (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('expires_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('sessions_pk', ['hash'])
        .execute()
      await db.schema.createIndex('sessions_by_expires_at').on('sessions').column('expires_at').execute()
      await db.schema
        .createTable('used_login_links')
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('expires_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('used_login_links_pk', ['id'])
        .execute()
    },
  }
}
