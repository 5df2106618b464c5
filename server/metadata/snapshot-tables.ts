import type { Schema } from './schema.ts'

/** All tables but those of running servers (leases) and of browsers, which can sign in again. */
type SnapshotTable = Exclude<keyof Schema, 'leases' | 'sessions' | 'used_login_links'>

/**
 * The tables of a snapshot with the columns of their primary keys. A table comes after the tables that it refers to, so
 * that rows can be inserted in this order.
 */
export const snapshotTables: { readonly [Table in SnapshotTable]: readonly (keyof Schema[Table] & string)[] } = {
  api_keys: ['org', 'id'],
  integrations: ['org', 'id'],
  integration_grants: ['org', 'subject', 'integration_id'],
  config_imports: ['org'],
  custom_facets: ['org', 'slug'],
  facet_overrides: ['org', 'service'],
  facet_mappings: ['org', 'service'],
  saved_views: ['org', 'id'],
  channels: ['org', 'id'],
  alert_rules: ['org', 'id'],
  alert_rule_channels: ['org', 'rule_id', 'channel_id'],
  alerts: ['org', 'id'],
  deliveries: ['org', 'id'],
  delivery_attempts: ['org', 'delivery_id', 'number'],
  channel_failures: ['org', 'channel_id'],
  audit_entries: ['org', 'id'],
}

export const snapshotTableNames = Object.keys(snapshotTables) as readonly SnapshotTable[]
