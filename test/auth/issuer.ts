import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

export const issuer = 'https://id.example'
export const audience = 'tracefold'

export interface Signer {
  readonly algorithm: string
  readonly publicJwk: JWK
  readonly publicKey: CryptoKey
  /** Signs a token with all required claims, overridden by `claims`; claims set to `undefined` are omitted. */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
}

export function validClaims(): JWTPayload {
  const now = Math.floor(Date.now() / 1000)
  return { iss: issuer, aud: audience, sub: 'ada', org: 'acme', role: 'viewer', iat: now, exp: now + 600 }
}

export async function createSigner(algorithm = 'ES256', kid = 'k1'): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  return {
    algorithm,
    publicKey,
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' },
    sign: (claims, header) =>
      new SignJWT({ ...validClaims(), ...claims })
        .setProtectedHeader({ alg: algorithm, kid, ...header })
        .sign(privateKey),
  }
}

/** Assembles a token with an arbitrary header and signature. */
export function forge(header: object, claims: object = validClaims(), signature: string | Buffer = ''): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return `${encode(header)}.${encode(claims)}.${Buffer.from(signature).toString('base64url')}`
}

export interface JwksServer {
  readonly url: string
  /** The number of requests so far. */
  readonly requests: () => number
  answer(listener: RequestListener): void
  answerKeys(...signers: readonly Signer[]): void
  close(): Promise<void>
}

/** The key set endpoint of an issuer on a loopback port, whose responses the test controls. */
export async function startJwksServer(...signers: readonly Signer[]): Promise<JwksServer> {
  let listener: RequestListener
  let requests = 0
  const answerKeys = (...keys: readonly Signer[]) => {
    listener = (_, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }))
    }
  }
  answerKeys(...signers)
  const server = createServer((request, response) => {
    requests += 1
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${bound.port}/keys`,
    requests: () => requests,
    answer(next) {
      listener = next
    },
    answerKeys,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What the problems for all rejected credentials have in common. */
export const refused = {
  code: 'unauthenticated',
  status: 401,
  extras: { headers: { 'WWW-Authenticate': 'Bearer realm="tracefold", error="invalid_token"' } },
}
