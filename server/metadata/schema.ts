import type { Role } from '../auth/caller.ts'

/**
 * The tables as Kysely sees them, the same on both stores. Every table begins its key with `org`. Moments are RFC 3339
 * texts in UTC with milliseconds, which sort as they are. Only texts and whole numbers are stored: both stores read
 * those back alike, which they do not with booleans, dates and 64-bit numbers.
 */
export interface Schema {
  readonly api_keys: ApiKeysTable
  readonly integrations: IntegrationsTable
  readonly integration_grants: IntegrationGrantsTable
  readonly config_imports: ConfigImportsTable
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
