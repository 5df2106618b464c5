import { createPublicKey } from 'node:crypto'
import type { AuthConfig } from '../config/config.ts'
import type { OutageLogger } from '../observability/outage-log.ts'
import type { Caller } from './caller.ts'
import { createTokenVerifier, type TokenRules, type VerifyToken } from './jwt.ts'
import { remoteKeySet } from './key-set.ts'
import { isWellFormed, looksLikeApiKey } from './key-text.ts'
import { localAudience, localIssuer, openLocalKey } from './local-tokens.ts'
import { credentialInvalid, credentialMalformed, credentialMissing } from './refusals.ts'

/**
 * The header `Authorization`, or the secret of a session. Only a cookie is read as such a secret: if a header could
 * contain one, a request with it would skip what the cookies of a browser are protected by.
 */
export type Credential = string | undefined | { readonly sessionSecret: string }

/**
 * Returns the caller that a credential identifies.
 * @throws Problem `unauthenticated` with a `WWW-Authenticate` header, or `unavailable` when the credential cannot
 *   be verified
 */
export type Authenticate = (credential: Credential) => Promise<Caller>

export interface AuthenticateOptions {
  readonly verifyToken: VerifyToken
  /** Returns the caller of an API key, or `undefined` when the key does not exist. Throws for one that has expired. */
  readonly verifyApiKey: (key: string) => Promise<Caller | undefined>
  /** Returns the caller of a browser session, or throws `unauthenticated`. Absent where the console is off. */
  readonly verifySession?: ((secret: string) => Promise<Caller>) | undefined
}

export function createAuthenticate({ verifyToken, verifyApiKey, verifySession }: AuthenticateOptions): Authenticate {
  return async (credential) => {
    if (typeof credential === 'object') {
      if (verifySession === undefined) throw credentialMissing(undefined)
      return verifySession(credential.sessionSecret)
    }
    const token = bearerCredential(credential)
    if (!looksLikeApiKey(token)) return verifyToken(token)
    const caller = await verifyApiKey(token)
    if (caller === undefined) throw credentialInvalid(keyFault(token))
    return caller
  }
}

function keyFault(key: string): string {
  if (!isWellFormed(key)) return 'The API key is mistyped or cut off: its checksum does not match.'
  return 'There is no such API key. It may have been deleted, or belong to another server.'
}

/** Reads a bearer credential (RFC 6750, section 2.1): the scheme in any case, spaces, and a token68. */
function bearerCredential(authorization: string | undefined): string {
  const [, scheme = '', credential = ''] = /^([^ ]+) *(.*)$/s.exec(authorization ?? '') ?? []
  if (scheme.toLowerCase() !== 'bearer') throw credentialMissing(authorization)
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(credential)) throw credentialMalformed(credential)
  return credential
}

export interface TokenVerifierOptions {
  readonly auth: AuthConfig
  readonly dataDir: string
  readonly logger: OutageLogger
  readonly now?: () => Date
}

/**
 * Creates the verifier of the tokens that this server accepts: those of the configured issuer, otherwise its own.
 * Without an issuer the key pair is created in the data directory on first use. Needs no network.
 */
export async function openTokenVerifier({ auth, dataDir, logger, now }: TokenVerifierOptions): Promise<VerifyToken> {
  const { issuer, audience } = auth
  if (issuer === undefined) {
    const { publicKey } = await openLocalKey(dataDir)
    return createTokenVerifier({ issuer: localIssuer, audience: localAudience, key: publicKey, isLocal: true, now })
  }
  if (audience === undefined) throw new Error('An issuer is configured without an audience.')
  return createTokenVerifier({ issuer, audience, key: issuerKey(auth, logger), now })
}

function issuerKey({ jwksUrl, publicKey }: AuthConfig, logger: TokenVerifierOptions['logger']): TokenRules['key'] {
  if (jwksUrl !== undefined) return remoteKeySet({ url: jwksUrl, logger })
  if (publicKey !== undefined) return createPublicKey(publicKey)
  throw new Error('An issuer is configured without a key set or a public key.')
}
