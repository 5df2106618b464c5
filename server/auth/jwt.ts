import type { KeyObject } from 'node:crypto'
import { errors, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'
import { Problem } from '../problem/problem.ts'
import { type Caller, callerOfClaims } from './caller.ts'
import { credentialInvalid } from './refusals.ts'
import { tokenFault } from './token-faults.ts'

export type VerifyToken = (token: string) => Promise<Caller>

export interface TokenRules {
  readonly issuer: string
  readonly audience: string
  /** A public key, or a function that finds the key of a token. */
  readonly key: KeyObject | JWTVerifyGetKey
  /** Whether the key is that of this server itself, which refusals of other tokens mention. */
  readonly isLocal?: boolean
  readonly now?: (() => Date) | undefined
}

/** Asymmetric algorithms only: with a shared secret, everyone who can verify tokens could also sign them. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
const clockToleranceSeconds = 30

/** Tokens of identity providers are shorter. Longer ones are refused before they are decoded. */
export const tokenCharactersMax = 12_288

/**
 * Creates the function that returns the caller of a JWT. It throws `unauthenticated` for an invalid token, and
 * `unavailable` when the key set of the issuer cannot be fetched.
 */
export function createTokenVerifier({ issuer, audience, key, isLocal = false, now }: TokenRules): VerifyToken {
  return async (token) => {
    if (token.length > tokenCharactersMax) throw credentialInvalid('The token is too long.')
    const options: JWTVerifyOptions = {
      issuer,
      audience,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp', 'sub', 'org', 'role'],
      ...(now && { currentDate: now() }),
    }
    try {
      const payload = await verifiedPayload(token, key, options)
      const caller = callerOfClaims(payload)
      if (typeof caller === 'string') throw credentialInvalid(caller)
      return caller
    } catch (error) {
      throw error instanceof Problem ? error : credentialInvalid(tokenFault(error, { isLocal, audience }), error)
    }
  }
}

async function verifiedPayload(token: string, key: TokenRules['key'], options: JWTVerifyOptions) {
  try {
    const { payload } =
      typeof key === 'function' ? await jwtVerify(token, key, options) : await jwtVerify(token, key, options)
    return payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    return await firstVerified(token, error, options)
  }
}

/** Verifies a token without a key id against every matching key of the set. One of them must have signed it. */
async function firstVerified(token: string, keys: errors.JWKSMultipleMatchingKeys, options: JWTVerifyOptions) {
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, key, options)).payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}
