import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

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
  const path = join(dataDir, fileName)
  const pem = (await readIfPresent(path)) ?? (await create(dataDir, path))
  return parseKey(pem, path)
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new Error(
        `${path} signs tokens and is open to other users. Close it (chmod 600) or delete it for a new one.`,
      )
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The file appears whole or not at all, and never replaces another: a link does both, where a rename would replace. */
async function create(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = join(dataDir, `${fileName}.${randomUUID()}`)
  try {
    await writeOwn(draft, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  const pem = await readIfPresent(path)
  if (pem === undefined) throw new Error(`${path} vanished while it was made.`)
  return pem
}

async function writeOwn(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
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
