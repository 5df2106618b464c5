import { type ForeignKeyConstraintBuilder, type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../dialects.ts'

/** What is to be sent to channels and what came of it, and the leases under which work is done by one server at a time. */
export function deliveriesMigration({ text }: Store): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createDeliveries(db, text)
      await createAttempts(db, text)
      await createChannelFailures(db, text)
      await createLeases(db, text)
    },
  }
}

type Text = Store['text']

const withIt = (constraint: ForeignKeyConstraintBuilder) => constraint.onDelete('cascade')

async function createDeliveries(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('org', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('channel_id', text, (column) => column.notNull())
    .addColumn('alert_id', text, (column) => column.notNull())
    .addColumn('event', text, (column) => column.notNull())
    .addColumn('context', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('due_at', text, (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('claim', text)
    .addColumn('claimed_until', text)
    .addColumn('body', text)
    .addColumn('content_type', text)
    .addColumn('template_error', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('finished_at', text)
    .addPrimaryKeyConstraint('deliveries_pk', ['org', 'id'])
    .addUniqueConstraint('deliveries_once', ['org', 'channel_id', 'alert_id', 'event'])
    .addForeignKeyConstraint('deliveries_channel', ['org', 'channel_id'], 'channels', ['org', 'id'], withIt)
    .execute()
  await db.schema.createIndex('deliveries_of_channel').on('deliveries').columns(['org', 'channel_id', 'id']).execute()
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .column('due_at')
    .where(sql`state`, '=', sql.lit('pending'))
    .execute()
  // Of several tests of one channel at once, one is written.
  await db.schema
    .createIndex('deliveries_one_test')
    .on('deliveries')
    .columns(['org', 'channel_id'])
    .unique()
    .where(sql`event`, '=', sql.lit('test'))
    .where(sql`state`, '=', sql.lit('pending'))
    .execute()
  await db.schema.createIndex('deliveries_finished').on('deliveries').column('finished_at').execute()
}

async function createAttempts(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('delivery_attempts')
    .addColumn('org', text, (column) => column.notNull())
    .addColumn('delivery_id', text, (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('started_at', text, (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('response', text)
    .addColumn('error', text)
    .addPrimaryKeyConstraint('delivery_attempts_pk', ['org', 'delivery_id', 'number'])
    .addForeignKeyConstraint('delivery_attempts_delivery', ['org', 'delivery_id'], 'deliveries', ['org', 'id'], withIt)
    .execute()
}

async function createChannelFailures(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('channel_failures')
    .addColumn('org', text, (column) => column.notNull())
    .addColumn('channel_id', text, (column) => column.notNull())
    .addColumn('since', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_failures_pk', ['org', 'channel_id'])
    .addForeignKeyConstraint('channel_failures_channel', ['org', 'channel_id'], 'channels', ['org', 'id'], withIt)
    .execute()
}

/** Work belongs to the installation and not to an organization, so this is the one table without one. */
async function createLeases(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('name', text, (column) => column.notNull().primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('token', 'integer', (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .execute()
}
