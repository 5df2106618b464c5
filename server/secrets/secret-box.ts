import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StoreFault } from '../problem/store-fault.ts'
import { openPrivateFile, type PrivateFile, readPrivateFile } from './private-file.ts'

/** Placeholder for redacted secrets in logs, responses and printed settings. */
export const redacted = '[redacted]'

/**
 * The record and field that a sealed text belongs to. A sealed text cannot be opened for any other owner, so copying it
 * to another record or field is useless.
 */
export interface SecretOwner {
  readonly org: string
  readonly id: string
  readonly field: string
}

/** Encrypts texts for the metadata store with AES-256-GCM. */
export interface SecretBox {
  /** Encrypts a text as `1.<key id>.<nonce, ciphertext and tag>`, which differs at every call. */
  seal(text: string, owner: SecretOwner): string
  /**
   * Decrypts a text.
   * @throws SecretUnreadable for another record or field, an unknown key, or a modified text
   */
  open(sealed: string, owner: SecretOwner): string
  /** Reports whether a text was sealed with the current key. */
  isCurrent(sealed: string): boolean
}

/** A sealed text cannot be opened. The message contains no part of the secret, so that it can be logged. */
export class SecretUnreadable extends Error {}

const formatVersion = '1'
const nonceBytes = 12
const tagBytes = 16

/** Creates a box from 32-byte keys. The first key seals and all keys open, so that keys can be rotated. */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const byId = new Map(keys.map((key) => [keyId(key), key]))
  const [current] = keys
  if (current === undefined) throw new Error('A secret box needs a key.')
  const currentId = keyId(current)
  return {
    seal(text, owner) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(ownerBytes(owner))
      const bytes = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return [formatVersion, currentId, Buffer.concat(bytes).toString('base64url')].join('.')
    },
    open(sealed, owner) {
      const [version, id = '', content = ''] = sealed.split('.')
      const key = version === formatVersion ? byId.get(id) : undefined
      if (key === undefined) {
        throw new SecretUnreadable(`A credential was encrypted with the key ${id}, which this server does not have.`)
      }
      return decipher(key, Buffer.from(content, 'base64url'), owner)
    },
    isCurrent: (sealed) => sealed.startsWith(`${formatVersion}.${currentId}.`),
  }
}

function decipher(key: Buffer, content: Buffer, owner: SecretOwner): string {
  try {
    const tag = content.subarray(-tagBytes)
    const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, nonceBytes), { authTagLength: tagBytes })
    decipher.setAAD(ownerBytes(owner)).setAuthTag(tag)
    const text = decipher.update(content.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    throw new SecretUnreadable('A credential was modified in the store, or belongs to another record.')
  }
}

/** Returns the public id of a key, which reveals nothing about the key. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('tracefold secrets key').update(key).digest('hex').slice(0, 16)
}

function ownerBytes({ org, id, field }: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify([org, id, field]))
}

/** The name of the key file in the data directory. */
export const secretsKeyFile = 'secrets-key'

export interface SecretKeysOptions {
  readonly dataDir: string
  /** One key, or several separated by commas. The first one seals. */
  readonly secretsKey?: string | undefined
}

/**
 * Opens the box with the keys of the setting. Without the setting, uses the key file of the data directory, which is
 * created on first use. With the setting, an existing key file still opens texts that were sealed with it.
 */
export async function openSecretBox({ dataDir, secretsKey }: SecretKeysOptions): Promise<SecretBox> {
  const file: PrivateFile = { dataDir, name: secretsKeyFile, purpose: 'opens the credentials of webhook channels' }
  const set = secretsKey?.split(',').map(keyBytes) ?? []
  if (set.length === 0) return createSecretBox([readKey(await openPrivateFile(file, newKeyText), file)])
  const earlier = await readPrivateFile(file)
  return createSecretBox(earlier === undefined ? set : [...set, readKey(earlier, file)])
}

function newKeyText(): string {
  return `${randomBytes(32).toString('base64')}\n`
}

function readKey(text: string, { dataDir, name }: PrivateFile): Buffer {
  const key = keyBytes(text)
  if (key.length === 32) return key
  throw new StoreFault(
    `${join(dataDir, name)} does not contain 32 bytes in base64. Restore it from a backup, or delete it to create a ` +
      'new one; the credentials of webhook channels must then be set again.',
  )
}

/**
 * Decodes a key. A text of 64 hexadecimal digits would be 48 bytes in base64, so the two encodings cannot be confused.
 */
function keyBytes(text: string): Buffer {
  const trimmed = text.trim()
  return Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64')
}
