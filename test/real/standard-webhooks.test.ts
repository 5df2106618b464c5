import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signMessage } from '../../server/webhooks/deliveries/webhook-request.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import { documentedVerifier, type Headers } from '../webhooks/deliveries/documented-verifier.ts'

const file = 'conformance/standard-webhooks/vectors.json'

describeOver([file], 'the vectors and rules of Standard Webhooks', () => {
  const { vectors, rules } = JSON.parse(readShared(file))
  const [vector] = vectors
  const { secret, id, timestamp, payload: body, signature } = vector
  const genuine: Headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
  const without = (name: string) => Object.fromEntries(Object.entries(genuine).filter(([key]) => key !== name))
  const signed = (value: string) => ({ ...genuine, 'webhook-signature': value })

  // The library reads the system clock.
  beforeEach(() => void vi.useFakeTimers({ now: timestamp * 1_000, toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('the signature of every vector is identical', () => {
    expect(vectors.length).toBeGreaterThan(0)
    for (const each of vectors) {
      const { id, timestamp, payload: body } = each
      expect(signMessage(each.secret, { id, timestamp, body })).toBe(each.signature)
    }
  })

  it('a secret is equivalent with and without its prefix', () => {
    expect(signMessage(secret.replace('whsec_', ''), { id, timestamp, body })).toBe(signature)
  })

  const wrong = rules.find((rule: { wrong?: string[] }) => rule.wrong).wrong as string[]
  const v2 = rules.find((rule: { header?: string }) => rule.header).header as string

  it.each<[string, Headers, boolean, number]>([
    ['the vector itself', genuine, true, 0],
    ['no id', without('webhook-id'), false, 0],
    ['no timestamp', without('webhook-timestamp'), false, 0],
    ['no signature', without('webhook-signature'), false, 0],
    ['a timestamp more than 300 s old', genuine, false, 301],
    ['a timestamp more than 300 s ahead', genuine, false, -301],
    ['a wrong signature', signed('v1,dawfeoifkpqwoekfpqoekf'), false, 0],
    ['a signature cut to 8 characters', signed(signature.slice(0, 8)), false, 0],
    ['a version without signature', signed('v1,'), false, 0],
    ['a signature without version', signed('invalid_signature'), false, 0],
    ['a version and no base64', signed('v1,invalid_signature'), false, 0],
    ['wrong signatures around a right one', signed([wrong[0], signature, wrong[1]].join(' ')), true, 0],
    ['the right digest under another version', signed(v2), false, 0],
  ])('%s', async (_, headers, isRight, late) => {
    const isGenuine = await documentedVerifier()
    vi.setSystemTime((timestamp + late) * 1_000)
    expect(isGenuine(secret, headers, body)).toBe(isRight)
    const verify = () => new Webhook(secret).verify(body, { ...headers })
    if (isRight) expect(verify).not.toThrow()
    else expect(verify).toThrow()
  })

  it('both reject an empty secret', async () => {
    const isGenuine = await documentedVerifier()
    for (const empty of ['', 'whsec_']) {
      expect(() => isGenuine(empty, genuine, body)).toThrow()
      expect(() => new Webhook(empty)).toThrow()
    }
  })
})
