import { createPublicKey } from 'node:crypto'
import type { AuthConfig } from '../config/config.ts'
import type { Caller } from './caller.ts'
import { createTokenVerifier, type TokenRules, type VerifyToken } from './jwt.ts'
import { remoteKeySet } from './key-set.ts'
import { looksLikeApiKey } from './key-text.ts'
import { localAudience, localIssuer, openLocalKey } from './local-tokens.ts'
import { credentialInvalid, credentialMissing } from './refusals.ts'

export interface Authenticator {
  /**
   * The caller whom an `Authorization` header names. Throws the problem `unauthenticated`, with a `WWW-Authenticate`
   * header, or `unavailable` when what it takes to tell cannot be reached.
   */
  authenticate(authorization: string | undefined): Promise<Caller>
}

export interface AuthenticatorOptions {
  readonly verifyToken: VerifyToken
  /** The caller of an API key; `undefined` when there is no such key. */
  readonly verifyApiKey: (key: string) => Promise<Caller | undefined>
}

export function createAuthenticator({ verifyToken, verifyApiKey }: AuthenticatorOptions): Authenticator {
  return {
    async authenticate(authorization) {
      const credential = bearerCredential(authorization)
      if (!looksLikeApiKey(credential)) return verifyToken(credential)
      const caller = await verifyApiKey(credential)
      if (caller === undefined) throw credentialInvalid('There is no such API key, or it has expired.')
      return caller
    },
  }
}

/** RFC 6750: the scheme in any case, one or more spaces, and a token of characters that need no quoting. */
function bearerCredential(authorization: string | undefined): string {
  const [, scheme = '', credential = ''] = /^([^ ]+) *(.*)$/.exec(authorization ?? '') ?? []
  if (scheme.toLowerCase() !== 'bearer') throw credentialMissing()
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(credential)) throw credentialInvalid('The credential is malformed.')
  return credential
}

export interface TokenVerifierOptions {
  readonly auth: AuthConfig
  readonly dataDir: string
  readonly now?: () => Date
}

/**
 * Which tokens this server accepts: the issuer's when one is configured, else its own. The key pair for the latter is
 * made here when the data directory has none; with an issuer none is ever made or read. Needs no network.
 */
export async function openTokenVerifier({ auth, dataDir, now }: TokenVerifierOptions): Promise<VerifyToken> {
  const { issuer, audience } = auth
  if (issuer === undefined) {
    const { publicKey } = await openLocalKey(dataDir)
    return createTokenVerifier({ issuer: localIssuer, audience: localAudience, key: publicKey, now })
  }
  if (audience === undefined) throw new Error('An issuer is configured without an audience.')
  return createTokenVerifier({ issuer, audience, key: issuerKey(auth), now })
}

function issuerKey({ jwksUrl, publicKey }: AuthConfig): TokenRules['key'] {
  if (jwksUrl !== undefined) return remoteKeySet({ url: jwksUrl })
  if (publicKey !== undefined) return createPublicKey(publicKey)
  throw new Error('An issuer is configured without a key set or a public key.')
}
