import type { components } from '../../../openapi/types.ts'
import { type Caller, roleAllows } from '../../auth/caller.ts'
import type { Versioned } from '../../metadata/record-kind.ts'
import type { ChannelsTable } from '../../metadata/schema.ts'
import { originOf } from './channel-fields.ts'

/** A credential at rest: what a secret box made of it, and what reads may show. */
export interface SealedCredential {
  readonly sealed: string
  readonly last4: string
}

export type ChannelFormat = ChannelsTable['format']

export type DisabledReason = NonNullable<ChannelsTable['disabled_reason']>

/** What a channel says, whoever it is and whenever it was changed. */
export interface ChannelContent {
  readonly kind: 'webhook'
  readonly name: string
  readonly url: string
  readonly format: ChannelFormat
  /** Set exactly when the format is `template`. */
  readonly bodyTemplate: string | null
  readonly authHeader: SealedCredential | null
  readonly signingSecret: SealedCredential | null
  /** Null while the channel is enabled. */
  readonly disabledReason: DisabledReason | null
}

export interface StoredChannel extends ChannelContent, Versioned {}

export type ChannelRecord = components['schemas']['Channel']

/** The record as the caller reads it. */
export function toChannelRecord(channel: StoredChannel, { role }: Caller): ChannelRecord {
  const { id, kind, name, url, format, bodyTemplate, disabledReason, version, created_at, updated_at } = channel
  return {
    ...{ id, kind, name, enabled: disabledReason === null },
    ...(disabledReason && { disabled_reason: disabledReason }),
    config: {
      url: roleAllows(role, 'contributor') ? url : originOf(url),
      format,
      ...(bodyTemplate !== null && { body_template: bodyTemplate }),
      auth_header: masked(channel.authHeader),
      signing_secret: masked(channel.signingSecret),
    },
    ...{ version, created_at, updated_at },
  }
}

function masked(credential: SealedCredential | null): components['schemas']['Credential'] {
  return credential === null ? { set: false } : { set: true, last4: credential.last4 }
}
