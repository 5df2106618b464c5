import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportSPKI } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuthenticate, openTokenVerifier } from '../../server/auth/authenticate.ts'
import type { Caller, Role } from '../../server/auth/caller.ts'
import { generateKey } from '../../server/auth/key-text.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { authorIn } from '../support/author.ts'
import { createApiClient } from '../support/client.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { type StubApp, startStubApp } from '../support/stub-app.ts'
import { openServer, type Server } from './api-key-server.ts'
import { audience, createSigner, issuer } from './issuer.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tracefold-auth-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

type Auth = Parameters<typeof openTokenVerifier>[0]['auth']

/** Starts the real HTTP layer with real authentication and API keys; all other handlers are stubs. */
async function start(auth: Auth = {}, sessionsOf?: Caller): Promise<{ app: StubApp; server: Server }> {
  const server = await openServer({ dataDir })
  const verifyToken = await openTokenVerifier({ auth, dataDir, logger: silentLogger })
  const verifySession = sessionsOf && (async () => sessionsOf)
  const authenticate = createAuthenticate({ verifyToken, verifyApiKey: server.verifier.verify, verifySession })
  return { app: await startStubApp({ authenticate, handlers: server.handlers }), server }
}

async function token(role: Role, org = 'acme'): Promise<string> {
  const caller = { org, role, subject: 'ada' }
  return signLocalToken({ key: await openLocalKey(dataDir), caller, secondsToLive: 60, now: new Date() })
}

async function get(app: StubApp, credential: string, path = '/api/v1/me'): Promise<Response> {
  return fetch(app.url + path, { headers: { authorization: `Bearer ${credential}` } })
}

it('an admin creates a key, lists it without its secret, and deletes it, after which it is rejected', async () => {
  const { app } = await start()
  const admin = createApiClient({ baseUrl: app.url, token: await token('admin', 'lists') })
  const made = await admin.POST('/api/v1/api-keys', { body: { name: 'dashboards', role: 'viewer' } })
  const { key = '', id = '' } = made.data ?? {}
  expect([made.response.status, made.response.headers.get('location')]).toEqual([201, `/api/v1/api-keys/${id}`])
  const listed = await admin.GET('/api/v1/api-keys')
  expect(listed.data?.items).toMatchObject([{ id, name: 'dashboards', role: 'viewer', last4: key.slice(-4) }])
  expect(await (await get(app, key)).json()).toEqual({ org: 'lists', role: 'viewer', subject: `key:${id}` })
  const removed = await admin.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } })
  expect(removed.response.status).toBe(204)
  expect((await get(app, key)).status).toBe(401)
})

it('another organization neither sees nor deletes a key', async () => {
  const { app } = await start()
  const [ours, theirs] = [await token('admin'), await token('admin', 'evil')].map((credential) =>
    createApiClient({ baseUrl: app.url, token: credential }),
  )
  const id = (await ours?.POST('/api/v1/api-keys', { body: { name: 'ours', role: 'ingest' } }))?.data?.id ?? ''
  expect((await theirs?.GET('/api/v1/api-keys'))?.data?.items).toEqual([])
  const removed = await theirs?.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } })
  expect(removed?.response.status).toBe(404)
})

it('an insufficient role is 403 and names the required role', async () => {
  const { app } = await start()
  for (const role of ['restricted', 'viewer', 'contributor', 'ingest'] as const) {
    const response = await get(app, await token(role), '/api/v1/api-keys')
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="tracefold", error="insufficient_scope", scope="admin"',
    ])
  }
})

it('every rejected credential gets a 401 that says why, and the log has the reason', async () => {
  const { app } = await start()
  const elsewhere = await mkdtemp(join(tmpdir(), 'tracefold-auth-'))
  const caller = { org: 'acme', role: 'admin', subject: 'ada' } as const
  const now = new Date('2026-03-01T09:00:00Z')
  const signed = async (directory: string, at: Date) =>
    signLocalToken({ key: await openLocalKey(directory), caller, secondsToLive: 60, now: at })
  const valid = await signed(dataDir, new Date())
  const reasons: [credential: string, reason: string][] = [
    ['garbage', 'The credential is neither a JWT nor an API key. It may have been cut off.'],
    [
      valid.slice(0, valid.lastIndexOf('.')),
      'The credential is neither a JWT nor an API key. It may have been cut off.',
    ],
    [await signed(dataDir, now), 'The token expired at 2026-03-01T09:01:00Z.'],
    [
      await signed(elsewhere, new Date()),
      'The token was not signed by this server. Make one with `tracefold token` and the DATA_DIR of the server; ' +
        'a token of another data directory is not accepted.',
    ],
    ['tf_x', 'The API key is mistyped or cut off: its checksum does not match.'],
    [generateKey(), 'There is no such API key. It may have been deleted, or belong to another server.'],
  ]
  for (const [credential, reason] of reasons) {
    const response = await get(app, credential)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="tracefold", error="invalid_token"',
    ])
    expect(await response.json()).toMatchObject({ code: 'unauthenticated', detail: reason })
  }
  const logged = app.logLines().filter(({ msg }) => msg === 'Refused a credential')
  expect(logged.map(({ reason }) => reason)).toEqual(reasons.map(([, reason]) => reason))
  await rm(elsewhere, { recursive: true })
})

it('the secret of a session identifies a caller only in the cookie, where its origin is checked', async () => {
  const { app } = await start({}, { org: 'acme', role: 'admin', subject: 'ada' })
  const secret = 'a'.repeat(43)
  const cookie = `tracefold_session_${new URL(app.url).port}=${secret}`
  const create = async (headers: Record<string, string>, site: string) => {
    const response = await fetch(`${app.url}/api/v1/api-keys`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'sec-fetch-site': site },
      body: JSON.stringify({ name: 'k', role: 'viewer' }),
    })
    return [response.status, ((await response.json()) as { detail?: string }).detail]
  }
  expect(await create({ cookie }, 'same-origin')).toEqual([201, undefined])
  expect((await create({ cookie }, 'cross-site'))[0]).toBe(403)
  for (const site of ['cross-site', 'same-origin'])
    expect(await create({ authorization: `Session ${secret}` }, site)).toEqual([
      401,
      'The header Authorization has a scheme that is not supported. ' +
        'Send a JWT or an API key as `Authorization: Bearer <token>`.',
    ])
})

it('a refusal describes the claims of a token only if its signature is valid', async () => {
  const [signer, stranger] = [await createSigner(), await createSigner()]
  const publicKey = await exportSPKI(signer.publicKey)
  const { app } = await start({ issuer, audience, publicKey })
  const detail = async (credential: string) =>
    ((await (await get(app, credential)).json()) as { detail: string }).detail
  expect(await detail(await signer.sign({ aud: 'other' }))).toBe(
    `The token is for another audience; this server is "${audience}".`,
  )
  expect(await detail(await signer.sign({ iss: 'https://other' }))).toBe(
    'The token has another issuer than this server accepts.',
  )
  expect(await detail(await signer.sign({ org: undefined }))).toBe('The token has no claim "org".')
  expect(await detail(await signer.sign({ role: 'root' }))).toBe(
    'The claim "role" of the token must be one of restricted, viewer, contributor, admin, ingest.',
  )
  const forged = [{}, { aud: 'other' }, { exp: 1 }, { role: 'root' }, { iss: 'https://other' }]
  for (const claims of forged) {
    expect(await detail(await stranger.sign(claims))).toBe(
      'The signature of the token does not match the key of the issuer.',
    )
  }
})

it('an unreachable key set is 503 with Retry-After, while API keys keep working', async () => {
  const { app, server } = await start({ issuer, audience, jwksUrl: 'http://127.0.0.1:1/keys' })
  const response = await get(app, await (await createSigner()).sign())
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response.json()).toMatchObject({ code: 'unavailable' })
  const made = { name: 'k', role: 'viewer', expiresAt: undefined } as const
  const { key } = await server.store.insert(authorIn('acme'), made)
  expect((await get(app, key)).status).toBe(200)
})

it('credentials are never logged', async () => {
  const { app } = await start()
  const credential = await token('viewer')
  await get(app, credential)
  await get(app, `${credential}x`)
  await get(app, `tf_${'0'.repeat(43)}_000000`)
  const log = JSON.stringify(app.logLines())
  expect(log).not.toContain(credential.split('.')[2])
  expect(log).not.toContain('0'.repeat(43))
})
