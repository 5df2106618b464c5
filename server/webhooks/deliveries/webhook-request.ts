import { createHmac } from 'node:crypto'
import type { Receiver } from '../channels/credentials.ts'
import type { Body } from '../formats/formats.ts'
import type { PostRequest } from './post.ts'

/** Returns the signed request of one attempt, according to the Standard Webhooks specification. */
export function webhookRequest(id: string, receiver: Receiver, body: Body, startedAt: Date): PostRequest {
  const { channel, authHeader, signingSecret } = receiver
  const timestamp = Math.floor(startedAt.getTime() / 1_000)
  const signed = { id, timestamp, body: body.text }
  const headers = {
    'content-type': body.contentType,
    'user-agent': 'Tracefold',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signingSecret !== undefined && { 'webhook-signature': signMessage(signingSecret, signed) }),
    ...(authHeader !== undefined && { authorization: authHeader }),
  }
  const secrets = [authHeader, signingSecret].filter((secret) => secret !== undefined)
  return { url: channel.url, headers, body: body.text, secrets }
}

export interface SignedMessage {
  /** The id of the delivery. It must not contain a dot. */
  readonly id: string
  /** When the attempt started, in seconds since 1970. */
  readonly timestamp: number
  /** The body exactly as it is posted. */
  readonly body: string
}

/** Returns the value of the `webhook-signature` header. `secret` is `whsec_` followed by base64. */
export function signMessage(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0) throw new Error('Cannot sign a message with an empty secret.')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
