import type { Kysely, Migration } from 'kysely'
import type { Store } from '../dialects.ts'

/**
 * Alert rules with their states, and the alerts that they made. A rule and what it names hold each other: neither an
 * integration nor a channel goes away under a rule. That is checked at the end of a transaction, because an import may
 * delete both.
 */
export function alertRulesMigration({ text }: Store): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createRules(db, text)
      await createRuleChannels(db, text)
      await createAlerts(db, text)
    },
  }
}

type Text = Store['text']

async function createRules(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('alert_rules')
    .addColumn('org', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('integration_id', text)
    .addColumn('is_enabled', 'integer', (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('since', text, (column) => column.notNull())
    .addColumn('value', text)
    .addColumn('evaluated_at', text)
    .addColumn('alert_id', text)
    .addColumn('last_error', text)
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_rules_pk', ['org', 'id'])
    .addUniqueConstraint('alert_rules_name', ['org', 'name'])
    .addForeignKeyConstraint(
      'alert_rules_integration',
      ['org', 'integration_id'],
      'integrations',
      ['org', 'id'],
      (constraint) => constraint.deferrable().initiallyDeferred(),
    )
    .execute()
  await db.schema
    .createIndex('alert_rules_by_integration')
    .on('alert_rules')
    .columns(['org', 'integration_id'])
    .execute()
}

async function createRuleChannels(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('alert_rule_channels')
    .addColumn('org', text, (column) => column.notNull())
    .addColumn('rule_id', text, (column) => column.notNull())
    .addColumn('channel_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_rule_channels_pk', ['org', 'rule_id', 'channel_id'])
    .addForeignKeyConstraint(
      'alert_rule_channels_rule',
      ['org', 'rule_id'],
      'alert_rules',
      ['org', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint(
      'alert_rule_channels_channel',
      ['org', 'channel_id'],
      'channels',
      ['org', 'id'],
      (constraint) => constraint.deferrable().initiallyDeferred(),
    )
    .execute()
  await db.schema
    .createIndex('alert_rule_channels_by_channel')
    .on('alert_rule_channels')
    .columns(['org', 'channel_id'])
    .execute()
}

async function createAlerts(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('alerts')
    .addColumn('org', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('rule_id', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('context', text, (column) => column.notNull())
    .addColumn('channel_ids', text, (column) => column.notNull())
    .addColumn('started_at', text, (column) => column.notNull())
    .addColumn('resolved_at', text)
    .addPrimaryKeyConstraint('alerts_pk', ['org', 'id'])
    .execute()
  await db.schema.createIndex('alerts_by_state').on('alerts').columns(['org', 'state', 'id']).execute()
}
