import {
  type CreateTableBuilder,
  type Expression,
  type ForeignKeyConstraintBuilder,
  type Kysely,
  type Migration,
  sql,
} from 'kysely'

type Columns = Record<string, 'text' | 'text or null' | 'integer' | 'integer or null'>

type CreateTable = (name: string, columns: Columns) => CreateTableBuilder<string, string>

type CreateIndex = (name: string, table: string, columns: readonly string[]) => Promise<void>

const cascading = (constraint: ForeignKeyConstraintBuilder) => constraint.onDelete('cascade')

/** Defers the check to the end of the transaction, because an import may delete both ends of a reference. */
const deferred = (constraint: ForeignKeyConstraintBuilder) => constraint.deferrable().initiallyDeferred()

/** Creates every table. `text` is the type of a text column that compares and sorts by bytes. */
export function initialMigration(text: Expression<string>): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const createTable: CreateTable = (name, columns) =>
        Object.entries(columns).reduce<CreateTableBuilder<string, string>>(
          (builder, [column, type]) =>
            builder.addColumn(column, type.startsWith('text') ? text : 'integer', (definition) =>
              type.endsWith('or null') ? definition : definition.notNull(),
            ),
          db.schema.createTable(name),
        )
      const createIndex: CreateIndex = (name, table, columns) =>
        db.schema
          .createIndex(name)
          .on(table)
          .columns([...columns])
          .execute()
      await createApiKeys(createTable, createIndex)
      await createIntegrations(createTable, createIndex)
      await createFacets(createTable)
      await createSavedViews(createTable)
      await createChannels(createTable)
      await createAlertRules(createTable, createIndex)
      await createDeliveries(createTable)
      await createDeliveryIndexes(db, createIndex)
      await createCoordination(createTable)
    },
  }
}

async function createApiKeys(createTable: CreateTable, createIndex: CreateIndex): Promise<void> {
  await createTable('api_keys', {
    org: 'text',
    id: 'text',
    name: 'text',
    role: 'text',
    prefix: 'text',
    last4: 'text',
    hash: 'text',
    created_by: 'text',
    created_at: 'text',
    updated_at: 'text',
    expires_at: 'text or null',
    last_used_at: 'text or null',
  })
    .addPrimaryKeyConstraint('api_keys_pk', ['org', 'id'])
    .addUniqueConstraint('api_keys_hash_key', ['hash'])
    .execute()
  await createIndex('api_keys_by_prefix', 'api_keys', ['prefix'])
}

/** Creates the integrations. Matchers are a column, so that changing them is one UPDATE with one version. */
async function createIntegrations(createTable: CreateTable, createIndex: CreateIndex): Promise<void> {
  await createTable('integrations', {
    org: 'text',
    id: 'text',
    name: 'text',
    description: 'text',
    rule_match: 'text',
    matchers: 'text',
    version: 'integer',
    grants_version: 'integer',
    created_at: 'text',
    updated_at: 'text',
  })
    .addPrimaryKeyConstraint('integrations_pk', ['org', 'id'])
    .addUniqueConstraint('integrations_name', ['org', 'name'])
    .execute()
  await createTable('integration_grants', { org: 'text', subject: 'text', integration_id: 'text' })
    .addPrimaryKeyConstraint('integration_grants_pk', ['org', 'subject', 'integration_id'])
    .addForeignKeyConstraint(
      'integration_grants_integration',
      ['org', 'integration_id'],
      'integrations',
      ['org', 'id'],
      cascading,
    )
    .execute()
  await createIndex('integration_grants_by_integration', 'integration_grants', ['org', 'integration_id'])
}

/** Creates the facets. The overrides of a service are one row, as are its classification rules. */
async function createFacets(createTable: CreateTable): Promise<void> {
  await createTable('custom_facets', {
    org: 'text',
    slug: 'text',
    name: 'text',
    description: 'text',
    version: 'integer',
    created_at: 'text',
    updated_at: 'text',
  })
    .addPrimaryKeyConstraint('custom_facets_pk', ['org', 'slug'])
    .execute()
  for (const table of ['facet_overrides', 'facet_mappings'])
    await createTable(table, { org: 'text', service: 'text', content: 'text', version: 'integer' })
      .addPrimaryKeyConstraint(`${table}_pk`, ['org', 'service'])
      .execute()
}

/** Creates the saved views, without a foreign key: a view is kept when its integration is deleted. */
async function createSavedViews(createTable: CreateTable): Promise<void> {
  await createTable('saved_views', {
    org: 'text',
    id: 'text',
    name: 'text',
    description: 'text',
    filter_rows: 'text',
    integration_id: 'text or null',
    status: 'text or null',
    time_window: 'text',
    version: 'integer',
    created_at: 'text',
    updated_at: 'text',
  })
    .addPrimaryKeyConstraint('saved_views_pk', ['org', 'id'])
    .addUniqueConstraint('saved_views_name', ['org', 'name'])
    .execute()
}

async function createChannels(createTable: CreateTable): Promise<void> {
  await createTable('channels', {
    org: 'text',
    id: 'text',
    kind: 'text',
    name: 'text',
    url: 'text',
    format: 'text',
    body_template: 'text or null',
    auth_header: 'text or null',
    auth_header_last4: 'text or null',
    signing_secret: 'text or null',
    signing_secret_last4: 'text or null',
    disabled_reason: 'text or null',
    version: 'integer',
    created_at: 'text',
    updated_at: 'text',
  })
    .addPrimaryKeyConstraint('channels_pk', ['org', 'id'])
    .addUniqueConstraint('channels_name', ['org', 'name'])
    .execute()
}

/** Creates the tables of alert rules. A rule prevents the deletion of its integration and its channels. */
async function createAlertRules(createTable: CreateTable, createIndex: CreateIndex): Promise<void> {
  await createTable('alert_rules', {
    org: 'text',
    id: 'text',
    name: 'text',
    integration_id: 'text or null',
    is_enabled: 'integer',
    content: 'text',
    version: 'integer',
    created_at: 'text',
    updated_at: 'text',
    status: 'text',
    since: 'text',
    value: 'text or null',
    evaluated_at: 'text or null',
    alert_id: 'text or null',
    last_error: 'text or null',
    revision: 'integer',
  })
    .addPrimaryKeyConstraint('alert_rules_pk', ['org', 'id'])
    .addUniqueConstraint('alert_rules_name', ['org', 'name'])
    .addForeignKeyConstraint(
      'alert_rules_integration',
      ['org', 'integration_id'],
      'integrations',
      ['org', 'id'],
      deferred,
    )
    .execute()
  await createIndex('alert_rules_by_integration', 'alert_rules', ['org', 'integration_id'])
  await createTable('alert_rule_channels', { org: 'text', rule_id: 'text', channel_id: 'text' })
    .addPrimaryKeyConstraint('alert_rule_channels_pk', ['org', 'rule_id', 'channel_id'])
    .addForeignKeyConstraint('alert_rule_channels_rule', ['org', 'rule_id'], 'alert_rules', ['org', 'id'], cascading)
    .addForeignKeyConstraint('alert_rule_channels_channel', ['org', 'channel_id'], 'channels', ['org', 'id'], deferred)
    .execute()
  await createIndex('alert_rule_channels_by_channel', 'alert_rule_channels', ['org', 'channel_id'])
  await createTable('alerts', {
    org: 'text',
    id: 'text',
    rule_id: 'text',
    state: 'text',
    value: 'text',
    context: 'text',
    channel_ids: 'text',
    started_at: 'text',
    resolved_at: 'text or null',
  })
    .addPrimaryKeyConstraint('alerts_pk', ['org', 'id'])
    .execute()
  await createIndex('alerts_by_state', 'alerts', ['org', 'state', 'id'])
}

/** Creates the tables of deliveries and their attempts. They are deleted with their channel. */
async function createDeliveries(createTable: CreateTable): Promise<void> {
  await createTable('deliveries', {
    org: 'text',
    id: 'text',
    channel_id: 'text',
    alert_id: 'text',
    event: 'text',
    context: 'text',
    state: 'text',
    due_at: 'text',
    tries: 'integer',
    claim: 'text or null',
    claimed_until: 'text or null',
    body: 'text or null',
    content_type: 'text or null',
    template_error: 'text or null',
    created_at: 'text',
    finished_at: 'text or null',
  })
    .addPrimaryKeyConstraint('deliveries_pk', ['org', 'id'])
    .addUniqueConstraint('deliveries_id_key', ['id'])
    .addUniqueConstraint('deliveries_once', ['org', 'channel_id', 'alert_id', 'event'])
    .addForeignKeyConstraint('deliveries_channel', ['org', 'channel_id'], 'channels', ['org', 'id'], cascading)
    .execute()
  await createTable('delivery_attempts', {
    org: 'text',
    delivery_id: 'text',
    number: 'integer',
    started_at: 'text',
    duration_ms: 'integer',
    status: 'integer or null',
    response: 'text or null',
    error: 'text or null',
  })
    .addPrimaryKeyConstraint('delivery_attempts_pk', ['org', 'delivery_id', 'number'])
    .addForeignKeyConstraint(
      'delivery_attempts_delivery',
      ['org', 'delivery_id'],
      'deliveries',
      ['org', 'id'],
      cascading,
    )
    .execute()
  await createTable('channel_failures', { org: 'text', channel_id: 'text', since: 'text' })
    .addPrimaryKeyConstraint('channel_failures_pk', ['org', 'channel_id'])
    .addForeignKeyConstraint('channel_failures_channel', ['org', 'channel_id'], 'channels', ['org', 'id'], cascading)
    .execute()
}

async function createDeliveryIndexes({ schema }: Kysely<unknown>, createIndex: CreateIndex): Promise<void> {
  await createIndex('deliveries_of_channel', 'deliveries', ['org', 'channel_id', 'id'])
  await schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .column('due_at')
    .where(sql`state`, '=', sql.lit('pending'))
    .execute()
  // If several tests of one channel are requested concurrently, only one is stored.
  await schema
    .createIndex('deliveries_one_test')
    .on('deliveries')
    .columns(['org', 'channel_id'])
    .unique()
    .where(sql`event`, '=', sql.lit('test'))
    .where(sql`state`, '=', sql.lit('pending'))
    .execute()
  await createIndex('deliveries_finished', 'deliveries', ['finished_at'])
}

/** Creates the tables by which servers coordinate: imports of one organization, and leases. */
async function createCoordination(createTable: CreateTable): Promise<void> {
  await createTable('config_imports', { org: 'text', imported_at: 'text' })
    .addPrimaryKeyConstraint('config_imports_pkey', ['org'])
    .execute()
  await createTable('leases', { name: 'text', holder: 'text', token: 'integer', expires_at: 'text' })
    .addPrimaryKeyConstraint('leases_pkey', ['name'])
    .execute()
}
