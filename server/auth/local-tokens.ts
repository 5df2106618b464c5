import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { StoreFault } from '../problem/store-fault.ts'
import { openPrivateFile } from '../secrets/private-file.ts'
import type { Caller } from './caller.ts'

/** The key pair of a server without an external issuer, which accepts only the tokens that it signs itself. */
export interface LocalKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** The name of the file of the key pair in the data directory. */
export const signingKeyFile = 'signing-key.pem'

/**
 * Reads the key pair from the data directory, creating it on first use. Concurrent processes all get the same key pair.
 * @throws StoreFault when other users can read the file, or when it does not contain such a key
 */
export async function openLocalKey(dataDir: string): Promise<LocalKey> {
  const file = { dataDir, name: signingKeyFile, purpose: 'signs tokens' }
  const pem = await openPrivateFile(file, () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
  )
  return parseKey(pem, join(dataDir, signingKeyFile))
}

function parseKey(pem: string, path: string): LocalKey {
  try {
    const privateKey = createPrivateKey(pem)
    if (privateKey.asymmetricKeyType === 'ed25519') return { privateKey, publicKey: createPublicKey(privateKey) }
  } catch {
    // The parser's message adds nothing to the error below.
  }
  throw new StoreFault(
    `${path} does not contain an Ed25519 private key. Delete it to create a new one; existing tokens become invalid.`,
  )
}

export const localIssuer = 'urn:tracefold:local'
export const localAudience = 'tracefold'

export interface LocalTokenOptions {
  /** What the token is for; the API by default. */
  readonly audience?: string
  readonly key: LocalKey
  readonly caller: Caller
  readonly secondsToLive: number
  readonly now: Date
}

/** Signs a token for the server that uses the same data directory. */
export function signLocalToken(options: LocalTokenOptions): Promise<string> {
  const { audience = localAudience, key, caller, secondsToLive, now } = options
  const issuedAt = Math.floor(now.getTime() / 1_000)
  return new SignJWT({ org: caller.org, role: caller.role })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setIssuer(localIssuer)
    .setAudience(audience)
    .setSubject(caller.subject)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + secondsToLive)
    .sign(key.privateKey)
}
