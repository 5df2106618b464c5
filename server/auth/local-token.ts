import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Caller } from './caller.ts'
import type { LocalKey } from './local-key.ts'

export const localIssuer = 'urn:tracefold:local'
export const localAudience = 'tracefold'

export interface LocalTokenOptions {
  readonly key: LocalKey
  readonly caller: Caller
  readonly secondsToLive: number
  readonly now: Date
}

/** Signs a token for the server that uses the same data directory. */
export function signLocalToken({ key, caller, secondsToLive, now }: LocalTokenOptions): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({ org: caller.org, role: caller.role })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setIssuer(localIssuer)
    .setAudience(localAudience)
    .setSubject(caller.subject)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + secondsToLive)
    .sign(key.privateKey)
}
