import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { openPrivateFile } from '../secrets/private-file.ts'

/** The key pair of a server without an issuer: it signs its own tokens (`npm run token`) and accepts only those. */
export interface LocalKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const fileName = 'signing-key.pem'

/**
 * Reads the key pair of a data directory, and makes it at the first use. Any number of programs may do so at once: all
 * get the same one. Throws when the file can be read by others or does not hold such a key.
 */
export async function openLocalKey(dataDir: string): Promise<LocalKey> {
  const file = { dataDir, name: fileName, purpose: 'signs tokens' }
  const pem = await openPrivateFile(file, () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
  )
  return parseKey(pem, join(dataDir, fileName))
}

function parseKey(pem: string, path: string): LocalKey {
  try {
    const privateKey = createPrivateKey(pem)
    if (privateKey.asymmetricKeyType === 'ed25519') return { privateKey, publicKey: createPublicKey(privateKey) }
  } catch {
    // The parser's message would add nothing that the reader of this one can use.
  }
  throw new Error(
    `${path} does not hold an Ed25519 private key. Delete it for a new one; tokens made so far end with it.`,
  )
}
