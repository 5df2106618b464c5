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

export interface StoredChannel extends ChannelContent, Versioned {
  /** When the receiver began to fail; null unless all attempts since then have failed. */
  readonly failingSince: string | null
}

/** The settings of a channel that often contain credentials of the receiver, such as a token or a routing key. */
type ReceiverSettings = Pick<ChannelContent, 'url' | 'bodyTemplate'>

/** Placeholder for a template that the caller may not read. */
const maskedTemplate = '[masked]'

/** Reports whether a caller may read the settings of channels, and what receivers, which may echo them, responded. */
export function readsSettings({ role }: Pick<Caller, 'role'>): boolean {
  return roleAllows(role, 'contributor')
}

/**
 * Returns the settings of a channel as the role of the caller may read them. Viewers get only the origin of the URL and
 * a placeholder for the template, because paths, queries and templates often contain credentials.
 */
export function readableBy(caller: Pick<Caller, 'role'>, { url, bodyTemplate }: ReceiverSettings): ReceiverSettings {
  if (readsSettings(caller)) return { url, bodyTemplate }
  return { url: new URL(url).origin, bodyTemplate: bodyTemplate && maskedTemplate }
}

/** Returns a channel as the API shows it to the caller: without credentials, and masked for viewers. */
export function toChannelRecord(
  channel: StoredChannel,
  caller: Pick<Caller, 'role'>,
): components['schemas']['Channel'] {
  const { url, bodyTemplate } = readableBy(caller, channel)
  return {
    id: channel.id,
    kind: channel.kind,
    name: channel.name,
    enabled: channel.disabledReason === null,
    ...(channel.disabledReason && { disabled_reason: channel.disabledReason }),
    ...(channel.failingSince && { failing_since: channel.failingSince }),
    config: {
      url,
      format: channel.format,
      ...(bodyTemplate !== null && { body_template: bodyTemplate }),
    },
    credentials: {
      auth_header: maskCredential(channel.authHeader),
      signing_secret: maskCredential(channel.signingSecret),
    },
    version: channel.version,
    created_at: channel.created_at,
    updated_at: channel.updated_at,
  }
}

/** Returns a channel as viewers see it, without anything secret, and without what no caller changes. */
export function toAuditedChannel(channel: StoredChannel): components['schemas']['Channel'] {
  return toChannelRecord({ ...channel, failingSince: null }, { role: 'viewer' })
}

/** Returns the JSON pointers of the masked fields in which two versions of a channel differ. */
export function changedChannelSecrets(before: StoredChannel, after: StoredChannel): string[] {
  return [
    ...(before.url === after.url ? [] : ['/config/url']),
    ...(before.bodyTemplate === after.bodyTemplate ? [] : ['/config/body_template']),
    ...(before.authHeader?.sealed === after.authHeader?.sealed ? [] : ['/credentials/auth_header']),
    ...(before.signingSecret?.sealed === after.signingSecret?.sealed ? [] : ['/credentials/signing_secret']),
  ]
}

function maskCredential(credential: SealedCredential | null): components['schemas']['Credential'] {
  return credential === null ? { set: false } : { set: true, last4: credential.last4 }
}
