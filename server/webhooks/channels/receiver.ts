import type { SecretBox } from '../../secrets/secret-box.ts'
import type { ChannelFormat, SealedCredential, StoredChannel } from './channel.ts'

/** Where a notification is posted to, with everything that a request to it needs. Never logged and never stored. */
export interface Receiver {
  readonly url: string
  readonly format: ChannelFormat
  readonly bodyTemplate: string | null
  /** Sent as `Authorization`, byte for byte. */
  readonly authHeader: string | undefined
  /** `whsec_` and base64. Without one nothing is signed. */
  readonly signingSecret: string | undefined
}

export type CredentialField = 'auth_header' | 'signing_secret'

/** Throws `SecretUnreadable` when the server does not have the key that sealed a credential. */
export function openReceiver(box: SecretBox, org: string, channel: StoredChannel): Receiver {
  const { url, format, bodyTemplate, authHeader, signingSecret } = channel
  const open = (field: CredentialField, credential: SealedCredential | null) =>
    credential === null ? undefined : box.open(credential.sealed, { org, id: channel.id, field })
  return {
    ...{ url, format, bodyTemplate },
    authHeader: open('auth_header', authHeader),
    signingSecret: open('signing_secret', signingSecret),
  }
}
