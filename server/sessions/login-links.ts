import { errors, jwtVerify } from 'jose'
import { type Caller, callerOfClaims } from '../auth/caller.ts'
import { type LocalKey, localIssuer, signLocalToken } from '../auth/local-tokens.ts'

/** Seconds in which a link can be followed. */
export const linkSecondsMax = 600

/** Differs from the audience of tokens, so that a link is no credential of the API. */
const linkAudience = 'tracefold:login'

export interface LoginLink {
  readonly id: string
  readonly caller: Caller
  readonly expiresAt: Date
}

/** Why a link does not sign in. `used` is decided by the store of sessions. */
export type LinkFault = 'expired' | 'invalid' | 'used'

/** Signs the token of a link that signs a browser in once, on the server that uses the same data directory. */
export function signLoginLink(key: LocalKey, caller: Caller, now: Date): Promise<string> {
  return signLocalToken({ audience: linkAudience, key, caller, secondsToLive: linkSecondsMax, now })
}

/** Returns the link of a token, or why it is not a link. */
export async function readLoginLink(key: LocalKey, token: string, now: Date): Promise<LoginLink | LinkFault> {
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      issuer: localIssuer,
      audience: linkAudience,
      algorithms: ['EdDSA'],
      requiredClaims: ['exp', 'jti', 'sub', 'org', 'role'],
      currentDate: now,
    })
    const caller = callerOfClaims(payload)
    if (typeof caller === 'string' || payload.jti === undefined || payload.exp === undefined) return 'invalid'
    return { id: payload.jti, caller, expiresAt: new Date(payload.exp * 1_000) }
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
  }
}

/** Returns the address of a link below the address of the server, which may end with a path. */
export function loginAddress(serverUrl: string, token: string): string {
  return `${serverUrl.replace(/\/$/, '')}/login?link=${token}`
}
