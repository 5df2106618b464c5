/** A real OpenID provider on an unused port, with a form to sign in that knows everybody. */
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { unusedPort } from '../support/unused-port.ts'

export interface OpenIdProvider {
  readonly issuer: string
  /** The claims of everybody who signs in. */
  claims: Record<string, unknown>
  /** What it publishes instead of the keys with which it signs. */
  keys?: object
  /** Makes a client known. */
  register(client: { readonly id: string; readonly secret?: string; readonly redirectUri: string }): void
  /** Stops to answer; `start` answers again at the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a provider. Its clients are known once they are registered, because they need its address first. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => {
    if (provider.keys === undefined || request.url !== '/jwks') return void handle?.(request, response)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(provider.keys))
  })
  const port = await unusedPort()
  const listen = () => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  await listen()
  const provider: OpenIdProvider = {
    issuer: `http://127.0.0.1:${port}`,
    claims: {},
    register({ id, secret, redirectUri }) {
      handle = new Provider(this.issuer, {
        clients: [
          {
            client_id: id,
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
