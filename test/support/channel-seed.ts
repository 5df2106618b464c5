import { monotonicFactory } from 'ulid'
import type { Metadata } from '../../server/metadata/database.ts'
import { openSecretBox, type SecretKeysOptions } from '../../server/secrets/secret-box.ts'
import type { ChannelContent } from '../../server/webhooks/channels/channel.ts'
import { createChannelStore } from '../../server/webhooks/channels/channel-store.ts'
import type { ChannelFormat } from '../../server/webhooks/formats/formats.ts'
import { authorIn } from './author.ts'

export const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const authHeader = 'Bearer the-receivers-own-token'

export interface ChannelSeed {
  readonly url: string
  readonly format?: ChannelFormat
  readonly bodyTemplate?: string
  readonly disabledReason?: ChannelContent['disabledReason']
}

const newId = monotonicFactory()

/** Stores a channel with both credentials and returns its id. */
export async function seedChannel(
  metadata: Metadata,
  keys: SecretKeysOptions,
  org: string,
  { url, format = 'json', bodyTemplate, disabledReason = null }: ChannelSeed,
): Promise<string> {
  const box = await openSecretBox(keys)
  const id = newId()
  const seal = (field: string, text: string) => ({
    sealed: box.seal(text, { org, id, field }),
    last4: text.slice(-4),
  })
  const content: ChannelContent = {
    kind: 'webhook',
    name: id,
    url,
    format,
    bodyTemplate: bodyTemplate ?? null,
    disabledReason,
    authHeader: seal('auth_header', authHeader),
    signingSecret: seal('signing_secret', signingSecret),
  }
  await createChannelStore({ metadata, now: () => new Date(), newId }).insert(authorIn(org), content, id)
  return id
}

/** Reads the row of a channel. */
export function channelRow(metadata: Metadata, id: string) {
  return metadata.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Enables a channel without a new version. */
export async function reenableChannel(metadata: Metadata, id: string): Promise<void> {
  await metadata.db.updateTable('channels').set({ disabled_reason: null }).where('id', '=', id).execute()
}
