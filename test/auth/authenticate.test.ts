import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportSPKI } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Authenticate, createAuthenticate, openTokenVerifier } from '../../server/auth/authenticate.ts'
import { generateKey } from '../../server/auth/key-text.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { audience, createSigner, issuer, refused, type Signer, startJwksServer } from './issuer.ts'

const missing = {
  code: 'unauthenticated',
  status: 401,
  extras: { headers: { 'WWW-Authenticate': 'Bearer realm="tracefold"' } },
}
const keyCaller = { org: 'acme', role: 'ingest', subject: 'key:1' } as const
const person = { org: 'acme', role: 'viewer', subject: 'ada' } as const

let dataDir: string
let signer: Signer
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tracefold-auth-'))
  signer = await createSigner()
})
afterAll(() => rm(dataDir, { recursive: true }))

const knownKey = generateKey()

async function accepting(
  auth: Parameters<typeof openTokenVerifier>[0]['auth'],
  directory = dataDir,
): Promise<Authenticate> {
  const verifyToken = await openTokenVerifier({ auth, dataDir: directory, logger: silentLogger })
  return createAuthenticate({ verifyToken, verifyApiKey: async (key) => (key === knownKey ? keyCaller : undefined) })
}

async function withPublicKey(): Promise<Authenticate> {
  return accepting({ issuer, audience, publicKey: await exportSPKI(signer.publicKey) })
}

async function localToken(directory = dataDir): Promise<string> {
  const key = await openLocalKey(directory)
  return signLocalToken({ key, caller: person, secondsToLive: 60, now: new Date() })
}

describe('the Authorization header', () => {
  it('accepts a JWT or an API key, with the scheme in any case', async () => {
    const authenticate = await withPublicKey()
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      expect(await authenticate(`${scheme} ${await signer.sign()}`)).toEqual(person)
      expect(await authenticate(`${scheme} ${knownKey}`)).toEqual(keyCaller)
    }
  })

  it.each([undefined, '', ' ', 'Basic YTpi', 'Basic', 'tf_x', 'Digest username="a"', 'Bearer,x', 'Bearers x'])(
    'without a bearer credential (%j) only says how to authenticate',
    async (header) => {
      await expect((await withPublicKey())(header)).rejects.toMatchObject(missing)
    },
  )

  it.each<[string | undefined, string]>([
    [undefined, 'The request has no header Authorization; credentials are read from no other place.'],
    ['Basic YTpi', 'The header Authorization has the scheme Basic, which is not supported.'],
    ['Token abc', 'The header Authorization has the scheme Token, which is not supported.'],
    ['Secret abc', 'The header Authorization has a scheme that is not supported.'],
    ['eyJhbGciOiJFZERTQSJ9.e30.x', 'The header Authorization lacks the word Bearer before the credential.'],
    ['Bearer%20eyJhbGciOiJFZERTQSJ9', 'The space after Bearer is percent-encoded; only SDKs decode `%20`.'],
    ['Bearer ', 'There is no credential after Bearer. The variable that it comes from may be unset.'],
    ['Bearer Bearer abc', 'The header Authorization has the word Bearer twice.'],
    ['Bearer "abc"', 'The credential is in quotes.'],
    ['Bearer $TOKEN', 'The credential is a placeholder: nothing has replaced it with a token.'],
    ['Bearer <token>', 'The credential is a placeholder: nothing has replaced it with a token.'],
    ['Bearer a b', 'The credential contains characters that no token has.'],
  ])('%j is refused with the reason', async (header, reason) => {
    const form = 'Send a JWT or an API key as `Authorization: Bearer <token>`.'
    const isBearer = /^bearer /i.test(header ?? '')
    await expect((await withPublicKey())(header)).rejects.toMatchObject({
      message: isBearer ? reason : `${reason} ${form}`,
    })
  })

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer "a"', 'Bearer a,b', 'Bearer é', 'Bearer =', 'Bearer \t'])(
    'with a malformed credential (%j) is refused',
    async (header) => {
      await expect((await withPublicKey())(header)).rejects.toMatchObject(refused)
    },
  )

  it('rejects an unknown API key like an invalid token', async () => {
    for (const key of ['tf_', 'tf_x', generateKey()]) {
      await expect((await withPublicKey())(`Bearer ${key}`)).rejects.toMatchObject(refused)
    }
  })
})

describe('a server without an issuer', () => {
  it('accepts only tokens signed with the key of its data directory', async () => {
    const authenticate = await accepting({})
    expect(await authenticate(`Bearer ${await localToken()}`)).toEqual(person)
    const other = await mkdtemp(join(tmpdir(), 'tracefold-auth-'))
    await expect(authenticate(`Bearer ${await localToken(other)}`)).rejects.toMatchObject(refused)
    await rm(other, { recursive: true })
  })
})

describe('a server with an issuer', () => {
  it('rejects tokens signed with its local key', async () => {
    await expect((await withPublicKey())(`Bearer ${await localToken()}`)).rejects.toMatchObject(refused)
  })

  it('does not create a key pair', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tracefold-auth-'))
    await accepting({ issuer, audience, publicKey: await exportSPKI(signer.publicKey) }, directory)
    await accepting({ issuer, audience, jwksUrl: 'http://127.0.0.1:1/keys' }, directory)
    expect(await readdir(directory)).toEqual([])
    await rm(directory, { recursive: true })
  })

  it('starts while its key set is unreachable, returns 503, and works once it is reachable', async () => {
    const jwks = await startJwksServer(signer)
    jwks.answer((_, response) => void response.writeHead(503).end())
    const authenticate = await accepting({ issuer, audience, jwksUrl: jwks.url })
    const header = `Bearer ${await signer.sign()}`
    await expect(authenticate(header)).rejects.toMatchObject({ code: 'unavailable', status: 503 })
    jwks.answerKeys(signer)
    const restarted = await accepting({ issuer, audience, jwksUrl: jwks.url })
    expect(await restarted(header)).toEqual(person)
    await jwks.close()
  })
})
