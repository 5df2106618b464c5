import type { KeyObject } from 'node:crypto'
import { errors, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'
import { Problem } from '../problem/problem.ts'
import { type Caller, callerOfClaims } from './caller.ts'
import { credentialInvalid } from './refusals.ts'

export type VerifyToken = (token: string) => Promise<Caller>

export interface TokenRules {
  readonly issuer: string
  readonly audience: string
  /** One public key, or a function that finds it. */
  readonly key: KeyObject | JWTVerifyGetKey
  readonly now?: (() => Date) | undefined
}

/** Asymmetric only: with a shared secret, or a public key taken for one, whoever can verify tokens could make them. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const clockToleranceSeconds = 30

/** Node refuses requests whose headers are larger than 16 KiB in all; a longer token cannot arrive. */
export const tokenCharactersMax = 12_288

/**
 * Makes the function that turns a JWT into its caller. It throws `unauthenticated` for every token that is not valid, and
 * `unavailable` when the key to tell cannot be had.
 */
export function createTokenVerifier({ issuer, audience, key, now }: TokenRules): VerifyToken {
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
      if (caller === undefined) throw credentialInvalid('The claim sub, org or role is not valid.')
      return caller
    } catch (error) {
      throw error instanceof Problem ? error : credentialInvalid(error)
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

/** A token without a key id may fit several keys of a set; it is valid when one of them has signed it. */
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
