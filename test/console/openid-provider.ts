/** A real OpenID provider on an unused port, with a form to sign in that knows everybody. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { unusedPort } from '../support/unused-port.ts'

export interface OpenIdClient {
  readonly id: string
  readonly secret?: string
  readonly redirectUri: string
  /** Signs its ID tokens; RS256 by default. The provider publishes no other. */
  readonly algorithm?: 'RS256' | 'ES256'
}

export interface OpenIdProvider {
  readonly issuer: string
  /** The claims of everybody who signs in. */
  claims: Record<string, unknown>
  /** What it publishes instead of the keys with which it signs. */
  keys?: object
  /** The only way in which clients may send their secret; any by default. */
  secretIn?: 'header' | 'body'
  /** Makes a client known. */
  register(client: OpenIdClient): void
  /** Stops to answer; `start` answers again at the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a provider. Its clients are known once they are registered, because they need its address first. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const keys = { RS256: signingKey('RS256'), ES256: signingKey('ES256') }
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => {
    const { keys: forgedKeys, secretIn } = provider
    const sentIn = request.headers.authorization === undefined ? 'body' : 'header'
    response.setHeader('content-type', 'application/json')
    if (request.url === '/jwks' && forgedKeys !== undefined) return void response.end(JSON.stringify(forgedKeys))
    if (request.url !== '/token' || [undefined, sentIn].includes(secretIn)) return void handle?.(request, response)
    response.writeHead(401).end(JSON.stringify({ error: 'invalid_client', error_description: 'another way' }))
  })
  const port = await unusedPort()
  const listen = () => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  await listen()
  const provider: OpenIdProvider = {
    issuer: `http://127.0.0.1:${port}`,
    claims: {},
    register({ id, secret, redirectUri, algorithm = 'RS256' }) {
      handle = new Provider(this.issuer, {
        jwks: { keys: [keys[algorithm]] },
        enabledJWA: { idTokenSigningAlgValues: [algorithm] },
        clients: [
          {
            client_id: id,
            id_token_signed_response_alg: algorithm,
            ...(secret === undefined ? { token_endpoint_auth_method: 'none' } : { client_secret: secret }),
            redirect_uris: [redirectUri],
          },
        ],
        claims: { openid: ['sub', 'org', 'role'] },
        conformIdTokenClaims: false,
        findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...this.claims }) }),
        pkce: { required: () => true, methods: ['S256'] },
        cookies: { keys: ['of tests'] },
      }).callback()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    start: listen,
  }
  return provider
}

function signingKey(alg: 'RS256' | 'ES256') {
  const { privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: alg }
}
