import { createHmac } from 'node:crypto'

export interface SignedMessage {
  /** The same in every attempt of one delivery. Holds no dot. */
  readonly id: string
  /** Seconds since 1970, of the attempt. */
  readonly timestamp: number
  /** Exactly what is posted. */
  readonly body: string
}

/** The value of `webhook-signature` of the Standard Webhooks specification. `secret` is `whsec_` and base64. */
export function signMessage(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0) throw new Error('A message cannot be signed with an empty secret.')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
