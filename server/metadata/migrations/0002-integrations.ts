import type { Kysely, Migration } from 'kysely'
import type { Store } from '../dialects.ts'

/** The matchers of an integration stand in its row, so that a change of them is one UPDATE of one version. */
export function integrationsMigration({ text }: Store): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('integrations')
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('description', text, (column) => column.notNull())
        .addColumn('rule_match', text, (column) => column.notNull())
        .addColumn('matchers', text, (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('grants_version', 'integer', (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('integrations_pk', ['org', 'id'])
        .addUniqueConstraint('integrations_name', ['org', 'name'])
        .execute()
      await db.schema
        .createTable('integration_grants')
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('subject', text, (column) => column.notNull())
        .addColumn('integration_id', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('integration_grants_pk', ['org', 'subject', 'integration_id'])
        .addForeignKeyConstraint(
          'integration_grants_integration',
          ['org', 'integration_id'],
          'integrations',
          ['org', 'id'],
          (constraint) => constraint.onDelete('cascade'),
        )
        .execute()
      await db.schema
        .createIndex('integration_grants_by_integration')
        .on('integration_grants')
        .columns(['org', 'integration_id'])
        .execute()
    },
  }
}
