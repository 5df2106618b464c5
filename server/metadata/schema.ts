import type { components } from '../../openapi/types.ts'
import type { Role } from '../auth/caller.ts'

/**
 * The tables as Kysely sees them, the same on both stores. Every table of records begins its key with `org`. Moments are RFC 3339
 * texts in UTC with milliseconds, which sort as they are. Only texts and whole numbers are stored: both stores read
 * those back alike, which they do not with booleans, dates and 64-bit numbers.
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
}

export interface ApiKeysTable {
  readonly org: string
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The beginning of the key's text, by which it is looked up. Public: lists show it. */
  readonly prefix: string
  readonly last4: string
  /** SHA-256 of the key's whole text, in hexadecimal. */
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
  /** One of its kind in the organization. */
  readonly name: string
  readonly description: string
  readonly rule_match: 'any' | 'all'
  /** A JSON list. */
  readonly matchers: string
  readonly version: number
  /** The version of the list of subjects that it is granted to. */
  readonly grants_version: number
  readonly created_at: string
  readonly updated_at: string
}

/** A row: the subject sees the slice of the integration. Rows end with their integration. */
export interface IntegrationGrantsTable {
  readonly org: string
  readonly subject: string
  readonly integration_id: string
}

/** The last import of an organization. An import writes its row first, so that two at once wait for each other. */
export interface ConfigImportsTable {
  readonly org: string
  readonly imported_at: string
}

/** Facets that an organization has made for itself. */
export interface CustomFacetsTable {
  readonly org: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** What is set up for one service. A row stays when it is emptied, so that its version never begins anew. */
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
  /** One of its kind in the organization. */
  readonly name: string
  readonly url: string
  readonly format: components['schemas']['ChannelFormat']
  readonly body_template: string | null
  /** Sealed by a secret box; so is `signing_secret`. Both columns of a credential are set, or neither. */
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
  /** One of its kind in the organization. */
  readonly name: string
  readonly integration_id: string | null
  /** 1: it is evaluated; 0: it is not. */
  readonly is_enabled: number
  /** What else the rule says, as JSON. */
  readonly content: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  /** What evaluations have made of the rule, from here on. */
  readonly status: 'ok' | 'pending' | 'firing' | 'no_data'
  readonly since: string
  /** Of the last evaluation, in decimal; null was no data. */
  readonly value: string | null
  readonly evaluated_at: string | null
  /** The open alert. */
  readonly alert_id: string | null
  readonly last_error: string | null
  /** Grows with every change of the rule or of its state. */
  readonly revision: number
}

/** A row: the rule tells the channel, which therefore stays. Rows end with their rule. */
export interface AlertRuleChannelsTable {
  readonly org: string
  readonly rule_id: string
  readonly channel_id: string
}

/** One firing of a rule, up to its resolution. It outlives its rule. */
export interface AlertsTable {
  readonly org: string
  readonly id: string
  readonly rule_id: string
  readonly state: 'firing' | 'resolved'
  /** With which it fired, in decimal. */
  readonly value: string
  /** The notification of its firing, as JSON. */
  readonly context: string
  /** Those that were told of its firing, as a JSON list; they are told of its resolution. */
  readonly channel_ids: string
  readonly started_at: string
  readonly resolved_at: string | null
}

/** One notification of one channel, from the change that it tells of to its end. */
export interface DeliveriesTable {
  readonly org: string
  /** Also the `webhook-id`, the same in every attempt. */
  readonly id: string
  readonly channel_id: string
  /** With the event and the channel one of its kind. */
  readonly alert_id: string
  readonly event: 'firing' | 'resolved' | 'test'
  /** The notification as JSON; the body is rendered from it. */
  readonly context: string
  readonly state: 'pending' | 'delivered' | 'failed' | 'skipped'
  /** When it is to be tried next, while it is pending. */
  readonly due_at: string
  /** Begun since it was enqueued or last retried by hand. */
  readonly tries: number
  /** Of the server that is sending it now: a text that no other claim has. */
  readonly claim: string | null
  /** When a claim ends by itself, because its server is gone. */
  readonly claimed_until: string | null
  /** As it was first sent, and is sent again: null until then. */
  readonly body: string | null
  readonly content_type: string | null
  /** Why the canonical payload stands in the place of the template's. */
  readonly template_error: string | null
  readonly created_at: string
  readonly finished_at: string | null
}

/** What came of one attempt. */
export interface DeliveryAttemptsTable {
  readonly org: string
  readonly delivery_id: string
  readonly number: number
  readonly started_at: string
  readonly duration_ms: number
  /** Of the answer; null when there was none. */
  readonly status: number | null
  /** The beginning of the answer. */
  readonly response: string | null
  readonly error: string | null
}

/** A channel to which every attempt failed since then; no row when the last one succeeded. */
export interface ChannelFailuresTable {
  readonly org: string
  readonly channel_id: string
  readonly since: string
}

/** Who does a named piece of work now. */
export interface LeasesTable {
  readonly name: string
  readonly holder: string
  readonly token: number
  readonly expires_at: string
}

export interface SavedViewsTable {
  readonly org: string
  readonly id: string
  /** One of its kind in the organization. */
  readonly name: string
  readonly description: string
  /** A JSON list, as it was sent. */
  readonly filter_rows: string
  /** It may name an integration that is deleted. */
  readonly integration_id: string | null
  readonly status: 'ok' | 'error' | null
  /** JSON: relative or absolute. */
  readonly time_window: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}
