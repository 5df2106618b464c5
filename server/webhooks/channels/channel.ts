import type { components } from '../../../openapi/types.ts'
import { type Caller, roleAllows } from '../../auth/caller.ts'
import type { Versioned } from '../../metadata/record-model.ts'
import type { ChannelsTable } from '../../metadata/schema.ts'
import type { ChannelFormat } from '../formats/formats.ts'

/** The credentials of a channel, by their field names in the API and in the metadata store. */
export type CredentialField = 'auth_header' | 'signing_secret'

/** A stored credential: the encrypted text, and the characters of it that the API shows. */
export interface SealedCredential {
  readonly sealed: string
  readonly last4: string
}

/** Why a channel is disabled. */
export type DisabledReason = NonNullable<ChannelsTable['disabled_reason']>

/** The properties of a channel that callers can change. */
export interface ChannelContent {
  readonly kind: 'webhook'
  readonly name: string
  readonly url: string
  readonly format: ChannelFormat
  /** The template of the body, for formats with templates. */
  readonly bodyTemplate: string | null
  readonly authHeader: SealedCredential | null
  readonly signingSecret: SealedCredential | null
  /** Null while the channel is enabled. */
  readonly disabledReason: DisabledReason | null
}

export interface StoredChannel extends ChannelContent, Versioned {}

/** Returns a channel as the API shows it to the caller: without credentials, and for viewers with a masked URL. */
export function toChannelRecord(channel: StoredChannel, { role }: Caller): components['schemas']['Channel'] {
  return {
    id: channel.id,
    kind: channel.kind,
    name: channel.name,
    enabled: channel.disabledReason === null,
    ...(channel.disabledReason && { disabled_reason: channel.disabledReason }),
    config: {
      url: roleAllows(role, 'contributor') ? channel.url : maskUrl(channel.url),
      format: channel.format,
      ...(channel.bodyTemplate !== null && { body_template: channel.bodyTemplate }),
      auth_header: maskCredential(channel.authHeader),
      signing_secret: maskCredential(channel.signingSecret),
    },
    version: channel.version,
    created_at: channel.created_at,
    updated_at: channel.updated_at,
  }
}

function maskCredential(credential: SealedCredential | null): components['schemas']['Credential'] {
  return credential === null ? { set: false } : { set: true, last4: credential.last4 }
}

/** Hides the path and the query of a URL, because they often contain a credential. */
function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? url : `${origin}/[masked]`
}
