import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTokenVerifier, type VerifyToken } from '../../server/auth/jwt.ts'
import { type KeySetOptions, remoteKeySet } from '../../server/auth/key-set.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { silentLogger } from '../support/silent-logger.ts'
import {
  audience,
  createSigner,
  forge,
  issuer,
  type JwksServer,
  refused,
  type Signer,
  startJwksServer,
} from './issuer.ts'

const unavailable = { code: 'unavailable', status: 503, extras: { retryAfterSeconds: 5 } }
const caller = { org: 'acme', role: 'viewer', subject: 'ada' }

let first: Signer
let second: Signer
let jwks: JwksServer
beforeEach(async () => {
  ;[first, second] = [await createSigner('ES256', 'k1'), await createSigner('EdDSA', 'k2')]
  jwks = await startJwksServer(first)
})
afterEach(() => jwks.close())

function verifier(options: Partial<KeySetOptions> = {}): VerifyToken {
  return createTokenVerifier({
    issuer,
    audience,
    key: remoteKeySet({ url: jwks.url, logger: silentLogger, ...options }),
  })
}

describe('a key set', () => {
  it('is fetched once for concurrent first tokens and then cached', async () => {
    const verify = verifier()
    expect(jwks.requests()).toBe(0)
    const token = await first.sign()
    expect(await Promise.all([verify(token), verify(token), verify(token)])).toEqual([caller, caller, caller])
    expect(await verify(token)).toEqual(caller)
    expect(jwks.requests()).toBe(1)
  })

  it('is fetched again for an unknown key id, so that keys can be rotated', async () => {
    const verify = verifier({ refetchPauseMs: 0 })
    await verify(await first.sign())
    jwks.answerKeys(second)
    expect(await verify(await second.sign())).toEqual(caller)
    await expect(verify(await first.sign())).rejects.toMatchObject(refused)
  })

  it('is fetched again once for a key that replaces another right after a fetch', async () => {
    const verify = verifier({ monotonicMs: () => 0 })
    await verify(await first.sign())
    jwks.answerKeys(second)
    const token = await second.sign()
    expect(await Promise.all([verify(token), verify(token), verify(token)])).toEqual([caller, caller, caller])
    expect(jwks.requests()).toBe(2)
  })

  it('is not fetched again for every forged key id', async () => {
    let nowMs = 0
    const verify = verifier({ monotonicMs: () => nowMs })
    await verify(await first.sign())
    for (let n = 0; n < 20; n += 1) {
      await expect(verify(await second.sign({}, { kid: `forged-${n}` }))).rejects.toMatchObject(refused)
    }
    expect(jwks.requests()).toBe(2)
    nowMs = 30_000
    await expect(verify(await second.sign())).rejects.toMatchObject(refused)
    expect(jwks.requests()).toBe(3)
  })

  it('is not fetched for malformed tokens', async () => {
    const verify = verifier()
    for (const token of ['garbage', forge({ alg: 'none' }), forge({ alg: 'HS256', kid: 'k1' })]) {
      await expect(verify(token)).rejects.toMatchObject(refused)
    }
    expect(jwks.requests()).toBe(0)
  })

  it('can contain several keys that match a token without a key id', async () => {
    const twin = await createSigner('ES256', 'k3')
    jwks.answerKeys(first, twin)
    const verify = verifier()
    for (const signer of [first, twin]) expect(await verify(await signer.sign({}, { kid: undefined }))).toEqual(caller)
    const stranger = await createSigner('ES256')
    await expect(verify(await stranger.sign({}, { kid: undefined }))).rejects.toMatchObject(refused)
    await expect(verify(await twin.sign({ aud: 'other' }, { kid: undefined }))).rejects.toMatchObject(refused)
  })

  it('never uses its public keys as HMAC secrets', async () => {
    jwks.answer((_, response) => response.end(JSON.stringify({ keys: [{ kty: 'oct', kid: 'k1', k: 'c2VjcmV0' }] })))
    await expect(verifier()(forge({ alg: 'HS256', kid: 'k1' }))).rejects.toMatchObject(refused)
    await expect(verifier()(await first.sign())).rejects.toMatchObject(refused)
  })
})

describe('a key set that cannot be fetched makes authentication unavailable', () => {
  it.each<[string, Parameters<JwksServer['answer']>[0]]>([
    ['the endpoint fails', (_, response) => void response.writeHead(500).end()],
    ['the endpoint does not exist', (_, response) => void response.writeHead(404).end('{"keys":[]}')],
    [
      'the endpoint redirects',
      ({ url }, response) =>
        url === '/moved'
          ? void response.end(JSON.stringify({ keys: [first.publicJwk] }))
          : void response.writeHead(302, { Location: '/moved' }).end(),
    ],
    ['the connection breaks', (request) => void request.socket.destroy()],
    ['the response is not JSON', (_, response) => void response.end('<html>')],
    ['the response is not a key set', (_, response) => void response.end('{"key":[]}')],
    ['the response is too large', (_, response) => void response.end(`{"keys":[${'{},'.repeat(500_000)}{}]}`)],
    [
      'the response breaks off',
      (_, response) => void response.writeHead(200, { 'Content-Length': '99' }).end('{"keys":'),
    ],
  ])('when %s', async (_, listener) => {
    jwks.answer(listener)
    await expect(verifier()(await first.sign())).rejects.toMatchObject(unavailable)
  })

  it('when the connection is refused', async () => {
    const verify = verifier({ url: 'http://127.0.0.1:1/keys' })
    await expect(verify(await first.sign())).rejects.toMatchObject(unavailable)
  })

  it('when the endpoint hangs before or during its response', async () => {
    jwks.answer(() => {})
    await expect(verifier({ timeoutMsMax: 50 })(await first.sign())).rejects.toMatchObject(unavailable)
    jwks.answer((_, response) => void response.write('{"keys":'))
    await expect(verifier({ timeoutMsMax: 50 })(await first.sign())).rejects.toMatchObject(unavailable)
  })

  it('and is fetched again only after a pause', async () => {
    let nowMs = 0
    const verify = verifier({ monotonicMs: () => nowMs })
    jwks.answer((_, response) => void response.writeHead(500).end())
    for (let n = 0; n < 5; n += 1) await expect(verify(await first.sign())).rejects.toMatchObject(unavailable)
    expect(jwks.requests()).toBe(1)
    jwks.answerKeys(first)
    nowMs = 5_000
    expect(await verify(await first.sign())).toEqual(caller)
  })

  it('and its last keys stay valid for an hour, but other keys are not rejected', async () => {
    let nowMs = 0
    const verify = verifier({ monotonicMs: () => nowMs, freshMsMax: 0, failurePauseMs: 0 })
    expect(await verify(await first.sign())).toEqual(caller)
    jwks.answer((_, response) => void response.writeHead(500).end())
    expect(await verify(await first.sign())).toEqual(caller)
    await expect(verify(await first.sign({ aud: 'other' }))).rejects.toMatchObject(refused)
    await expect(verify(await second.sign())).rejects.toMatchObject(unavailable)
    nowMs = 3_600_000
    await expect(verify(await first.sign())).rejects.toMatchObject(unavailable)
  })
})

describe('while the endpoint hangs', () => {
  const hang = () => jwks.answer(() => {})

  it('tokens with known keys are verified at once, and one fetch runs at a time', async () => {
    let nowMs = 0
    const verify = verifier({ monotonicMs: () => nowMs, timeoutMsMax: 300_000 })
    const token = await first.sign()
    expect(await verify(token)).toEqual(caller)
    hang()
    nowMs = 600_000
    // The test would time out if a verification waited for the endpoint.
    for (let n = 0; n < 20; n += 1) expect(await verify(token)).toEqual(caller)
    await expect.poll(() => jwks.requests()).toBe(2)
  })

  it('a token with an unknown key does not delay those with known keys', async () => {
    let nowMs = 0
    const verify = verifier({ monotonicMs: () => nowMs, timeoutMsMax: 300_000 })
    expect(await verify(await first.sign())).toEqual(caller)
    hang()
    nowMs = 30_000
    const unknown = [verify(await second.sign()), verify(await second.sign({}, { kid: 'forged' }))]
    const ended = Promise.allSettled(unknown)
    await expect.poll(() => jwks.requests()).toBe(2)
    expect(await verify(await first.sign())).toEqual(caller)
    await jwks.close()
    expect((await ended).map((each) => each.status === 'rejected' && each.reason)).toMatchObject([
      unavailable,
      unavailable,
    ])
    jwks = await startJwksServer(first)
  })

  it('a withdrawn key expires at the maximum age', async () => {
    let nowMs = 0
    const verify = verifier({ monotonicMs: () => nowMs, timeoutMsMax: 300_000 })
    const token = await first.sign()
    expect(await verify(token)).toEqual(caller)
    hang()
    nowMs = 3_599_999
    expect(await verify(token)).toEqual(caller)
    await expect.poll(() => jwks.requests()).toBe(2)
    nowMs = 3_600_000
    const expired = expect(verify(token)).rejects.toMatchObject(unavailable)
    await jwks.close()
    await expired
    jwks = await startJwksServer(first)
  })
})

it('an outage of the endpoint is logged once, and so is its end, although no caller notices', async () => {
  let nowMs = 0
  const lines: string[] = []
  const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const verify = verifier({ monotonicMs: () => nowMs, logger })
  const messages = () => lines.map((line) => JSON.parse(line).msg)
  const token = await first.sign()
  await verify(token)
  jwks.answer((_, response) => void response.writeHead(500).end())
  nowMs = 600_000
  const verifyLater = async () => {
    nowMs += 10_000
    await verify(token)
  }
  // One request succeeded and at least three failed.
  await expect.poll(async () => [await verifyLater(), jwks.requests()][1]).toBeGreaterThan(4)
  expect(messages()).toEqual(['Could not fetch the key set of the issuer'])
  expect(JSON.parse(lines[0] ?? '').err.message).toContain('status 500')
  jwks.answerKeys(first)
  await expect.poll(async () => [await verifyLater(), lines.length][1]).toBe(2)
  expect(messages()[1]).toBe('Fetched the key set of the issuer again')
})

it('a withdrawn key is refused once the refreshed set has arrived', async () => {
  let nowMs = 0
  const verify = verifier({ monotonicMs: () => nowMs })
  const token = await first.sign()
  expect(await verify(token)).toEqual(caller)
  jwks.answerKeys(second)
  nowMs = 600_000
  await expect
    .poll(() =>
      verify(token).then(
        () => 'accepted',
        ({ code }) => code,
      ),
    )
    .toBe('unauthenticated')
})
