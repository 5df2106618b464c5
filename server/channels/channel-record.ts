import type { ChannelsTable } from '../metadata/schema.ts'

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

export interface StoredChannel extends ChannelContent {
  readonly id: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}
