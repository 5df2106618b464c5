import type { MessageOrder } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Role } from '../auth/caller.ts'

/**
 * The tables as Kysely sees them in both stores. The primary key of every table of records begins with `org`.
 * Timestamps are RFC 3339 texts in UTC with milliseconds, which sort chronologically. Columns contain only texts and
 * integers, because the stores return booleans, dates and 64-bit numbers differently.
 */
export interface Schema {
  readonly api_keys: ApiKeysTable
  readonly integrations: IntegrationsTable
  readonly integration_grants: IntegrationGrantsTable
  readonly config_imports: ConfigImportsTable
  readonly custom_facets: CustomFacetsTable
  readonly facet_overrides: ServiceRecordsTable
  readonly facet_mappings: ServiceRecordsTable
  readonly channels: ChannelsTable
  readonly alert_rules: AlertRulesTable
  readonly alert_rule_channels: AlertRuleChannelsTable
  readonly alerts: AlertsTable
  readonly deliveries: DeliveriesTable
  readonly delivery_attempts: DeliveryAttemptsTable
  readonly channel_failures: ChannelFailuresTable
  readonly leases: LeasesTable
  readonly saved_views: SavedViewsTable
  readonly audit_entries: AuditEntriesTable
  readonly sessions: SessionsTable
  readonly used_login_links: UsedLoginLinksTable
}

export interface ApiKeysTable {
  readonly org: string
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The beginning of the key. Keys are looked up by it. It is public: lists show it. */
  readonly prefix: string
  readonly last4: string
  /** The SHA-256 of the whole key, in hexadecimal. */
  readonly hash: string
  readonly created_by: string
  readonly created_at: string
  readonly updated_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export interface IntegrationsTable {
  readonly org: string
  readonly id: string
  /** Unique in the organization. */
  readonly name: string
  readonly description: string
  readonly rule_match: 'any' | 'all'
  /** A JSON array. */
  readonly matchers: string
  readonly version: number
  /** The version of the list of subjects in `integration_grants`. */
  readonly grants_version: number
  readonly created_at: string
  readonly updated_at: string
}

/** Lets a restricted subject see the slice of an integration. Rows are deleted with their integration. */
export interface IntegrationGrantsTable {
  readonly org: string
  readonly subject: string
  readonly integration_id: string
}

/**
 * The last import of each organization. An import writes this row first, so that concurrent imports wait for each
 * other.
 */
export interface ConfigImportsTable {
  readonly org: string
  readonly imported_at: string
}

/** The facets that an organization has created. */
export interface CustomFacetsTable {
  readonly org: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** The settings of one service. A row with empty settings is kept, so that its version never restarts. */
export interface ServiceRecordsTable {
  readonly org: string
  readonly service: string
  /** JSON. */
  readonly content: string
  readonly version: number
}

export interface ChannelsTable {
  readonly org: string
  readonly id: string
  readonly kind: 'webhook'
  /** Unique in the organization. */
  readonly name: string
  readonly url: string
  readonly format: components['schemas']['ChannelFormat']
  readonly body_template: string | null
  /** Encrypted, like `signing_secret`. Both columns of a credential are set, or neither. */
  readonly auth_header: string | null
  readonly auth_header_last4: string | null
  readonly signing_secret: string | null
  readonly signing_secret_last4: string | null
  /** Null while the channel is enabled. */
  readonly disabled_reason: 'by_user' | 'gone' | 'failing' | null
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

export interface AlertRulesTable {
  readonly org: string
  readonly id: string
  /** Unique in the organization. */
  readonly name: string
  readonly integration_id: string | null
  /** 1 when the rule is evaluated, else 0. */
  readonly is_enabled: number
  /** The rest of the rule's content, as JSON. */
  readonly content: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  /** The state of the rule: this column and those below. Evaluations write it. */
  readonly status: 'ok' | 'pending' | 'firing' | 'no_data'
  readonly since: string
  /** The value of the last evaluation, in decimal; null for no data. */
  readonly value: string | null
  readonly evaluated_at: string | null
  /** The id of the open alert. */
  readonly alert_id: string | null
  readonly last_error: string | null
  /** Increases with every change of the rule or its state. */
  readonly revision: number
}

/**
 * The channels that a rule notifies. These rows prevent the deletion of the channels, and are deleted with their rule.
 */
export interface AlertRuleChannelsTable {
  readonly org: string
  readonly rule_id: string
  readonly channel_id: string
}

/** One firing of a rule until its resolution. Alerts are kept when their rule is deleted. */
export interface AlertsTable {
  readonly org: string
  readonly id: string
  readonly rule_id: string
  readonly state: 'firing' | 'resolved'
  /** The value at which the alert fired, in decimal. */
  readonly value: string
  /** The context of the firing notification, as JSON. */
  readonly context: string
  /** The channels that were notified of the firing and will be notified of the resolution, as a JSON array. */
  readonly channel_ids: string
  readonly started_at: string
  readonly resolved_at: string | null
}

/** One notification to one channel, with the state of its delivery. */
export interface DeliveriesTable {
  readonly org: string
  /** Sent as the `webhook-id` header of every attempt. */
  readonly id: string
  readonly channel_id: string
  /** Unique together with the event and the channel. */
  readonly alert_id: string
  readonly event: 'firing' | 'resolved' | 'test'
  /** The context from which the body is rendered, as JSON. */
  readonly context: string
  readonly state: 'pending' | 'delivered' | 'failed' | 'skipped'
  /** The time of the next attempt while the delivery is pending. */
  readonly due_at: string
  /** Counts the attempts since the delivery was enqueued or last retried by a request. */
  readonly tries: number
  /** The unique token of the server that is sending the delivery. */
  readonly claim: string | null
  /** The expiry of the claim, in case its server was killed. */
  readonly claimed_until: string | null
  /** The body of the first attempt, which every retry sends again; null before it, and after the last one. */
  readonly body: string | null
  readonly content_type: string | null
  /** The reason why the canonical payload was sent instead of the template. */
  readonly template_error: string | null
  readonly created_at: string
  readonly finished_at: string | null
}

/** The result of one attempt. */
export interface DeliveryAttemptsTable {
  readonly org: string
  readonly delivery_id: string
  readonly number: number
  readonly started_at: string
  readonly duration_ms: number
  /** The HTTP status of the response; null if there was no response. */
  readonly status: number | null
  /** The beginning of the response body. */
  readonly response: string | null
  readonly error: string | null
}

/** The time since which every attempt to a channel has failed. A success deletes the row. */
export interface ChannelFailuresTable {
  readonly org: string
  readonly channel_id: string
  readonly since: string
}

/** The server that holds the lease for a named kind of work. */
export interface LeasesTable {
  readonly name: string
  readonly holder: string
  readonly token: number
  readonly expires_at: string
}

export interface SavedViewsTable {
  readonly org: string
  readonly id: string
  /** Unique in the organization. */
  readonly name: string
  readonly description: string
  /** The rows of the request, as a JSON array. */
  readonly filter_rows: string
  /** The relations of the request, as a JSON array; null if the request has none. */
  readonly relations: string | null
  /** The order of the messages; null for the default. */
  readonly message_order: MessageOrder | null
  /** The columns of the messages, as a JSON array; null if the request has none. */
  readonly message_columns: string | null
  /** The id of an integration, which may have been deleted. */
  readonly integration_id: string | null
  readonly status: 'ok' | 'error' | null
  /** A relative or absolute window, as JSON. */
  readonly time_window: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** One change of a record. Rows are written with the change and never updated. */
export interface AuditEntriesTable {
  readonly org: string
  /** A ULID, which contains the time of the change. */
  readonly id: string
  readonly actor_kind: components['schemas']['AuditActor']['kind']
  /** The subject of the caller, or `server`. */
  readonly actor_subject: string
  /** Null if the server made the change; so are `request_id` and `operation`. */
  readonly actor_role: Role | null
  readonly actor_key_name: string | null
  readonly request_id: string | null
  readonly operation: string | null
  readonly action: components['schemas']['AuditAction']
  readonly record_kind: components['schemas']['AuditedKind']
  readonly record_id: string
  readonly record_name: string
  /** JSON pointers of the changed fields, as a JSON array. */
  readonly changed: string
  /** The record as JSON, without secrets. */
  readonly before: string | null
  readonly after: string | null
  /** 1 if parts of a large record were left out, else 0. */
  readonly is_partial: number
}

/** The sessions of browsers that have signed in. */
export interface SessionsTable {
  /** The SHA-256 of the value of the cookie, in hexadecimal. */
  readonly hash: string
  readonly org: string
  readonly role: Role
  readonly subject: string
  readonly created_at: string
  readonly expires_at: string
}

/** The login links that have been followed, until they would have expired anyway. */
export interface UsedLoginLinksTable {
  readonly id: string
  readonly expires_at: string
}
