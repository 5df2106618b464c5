import type { CreateTableBuilder, Expression, Kysely, Migration } from 'kysely'

/** Creates the audit log. `text` is the type of a text column that compares and sorts by bytes. */
export function auditLogMigration(text: Expression<string>): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const required = ['org', 'id', 'actor_kind', 'actor_subject', 'action', 'record_kind', 'record_id']
      const optional = ['actor_role', 'actor_key_name', 'request_id', 'operation', 'before', 'after']
      let table: CreateTableBuilder<string, string> = db.schema.createTable('audit_entries')
      for (const name of [...required, 'record_name', 'changed'])
        table = table.addColumn(name, text, (column) => column.notNull())
      for (const name of optional) table = table.addColumn(name, text)
      await table
        .addColumn('is_partial', 'integer', (column) => column.notNull())
        // Ids begin with the time, so lists are read by id, newest first.
        .addPrimaryKeyConstraint('audit_entries_pk', ['org', 'id'])
        .execute()
      for (const filtered of ['record_id', 'actor_subject', 'request_id'])
        await createIndex(db, `audit_entries_by_${filtered}`, ['org', filtered, 'id'])
      await createIndex(db, 'audit_entries_by_id', ['id'])
    },
  }
}

async function createIndex(db: Kysely<unknown>, name: string, columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex(name)
    .on('audit_entries')
    .columns([...columns])
    .execute()
}
