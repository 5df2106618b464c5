import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { signMessage } from '../../../server/webhooks/deliveries/webhook-request.ts'
import { casesOf } from '../../support/fuzz-settings.ts'
import { documentedVerifier } from './documented-verifier.ts'

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)
const bodies = fc.json()
const ids = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)

it('the Standard Webhooks library and the documented function verify signed messages', async () => {
  const isGenuine = await documentedVerifier()
  const timestamp = Math.floor(Date.now() / 1_000)
  fc.assert(
    fc.property(secrets, ids, bodies, (secret, id, body) => {
      const signature = signMessage(secret, { id, timestamp, body })
      const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow()
      expect(isGenuine(secret, headers, body)).toBe(true)
      expect(isGenuine(secret, headers, `${body} `)).toBe(false)
    }),
    { numRuns: casesOf('signatures') },
  )
})

it('signing with an empty secret fails', () => {
  for (const secret of ['', 'whsec_']) {
    expect(() => signMessage(secret, { id: 'a', timestamp: 1, body: '{}' })).toThrow('empty secret')
  }
})
