import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openPrivateFile, type PrivateFile, readPrivateFile } from './private-file.ts'

/** Placeholder for redacted secrets in logs, answers and printed settings. */
export const redacted = '[redacted]'

/**
 * What a sealed text belongs to. It opens nowhere else, so a copy of it in another record or field is worth nothing.
 */
export interface SecretPlace {
  readonly org: string
  readonly id: string
  readonly field: string
}

/** Seals texts for the metadata store with AES-256-GCM. */
export interface SecretBox {
  /** `1.<key id>.<nonce, ciphertext and tag>`; another text at every call. */
  seal(text: string, place: SecretPlace): string
  /** Throws `SecretUnreadable` for another place, another key and a changed text. */
  open(sealed: string, place: SecretPlace): string
  /** Whether it was sealed with the key that seals now. */
  isCurrent(sealed: string): boolean
}

/** Holds no part of the secret, so it may be logged. */
export class SecretUnreadable extends Error {}

const formatVersion = '1'
const nonceBytes = 12
const tagBytes = 16

/** The first key seals; all of them open, so that a key can be replaced. Each is of 32 bytes. */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const byId = new Map(keys.map((key) => [keyId(key), key]))
  const [current] = keys
  if (current === undefined) throw new Error('A secret box needs a key.')
  const currentId = keyId(current)
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(placeBytes(place))
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return [formatVersion, currentId, Buffer.concat(parts).toString('base64url')].join('.')
    },
    open(sealed, place) {
      const [version, id = '', content = ''] = sealed.split('.')
      const key = version === formatVersion ? byId.get(id) : undefined
      if (key === undefined) {
        throw new SecretUnreadable(`A credential was sealed with the key ${id}, which this server does not have.`)
      }
      return decipher(key, Buffer.from(content, 'base64url'), place)
    },
    isCurrent: (sealed) => sealed.startsWith(`${formatVersion}.${currentId}.`),
  }
}

function decipher(key: Buffer, content: Buffer, place: SecretPlace): string {
  try {
    const tag = content.subarray(-tagBytes)
    const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, nonceBytes), { authTagLength: tagBytes })
    decipher.setAAD(placeBytes(place)).setAuthTag(tag)
    const text = decipher.update(content.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    throw new SecretUnreadable('A credential was changed where it is stored, or belongs to another record.')
  }
}

/** A key's public name: enough to tell keys apart, and nothing to guess them by. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('tracefold secrets key').update(key).digest('hex').slice(0, 16)
}

function placeBytes({ org, id, field }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([org, id, field]))
}

const fileName = 'secrets-key'

export interface SecretKeysOptions {
  readonly dataDir: string
  /** The setting: one key, or several with commas between them, of which the first one seals. */
  readonly secretsKey?: string | undefined
}

/**
 * The box with the keys of the setting, or with the key of the data directory, which is made at the first use. With a
 * setting a key that the directory holds from before opens what it sealed.
 */
export async function openSecretBox({ dataDir, secretsKey }: SecretKeysOptions): Promise<SecretBox> {
  const file: PrivateFile = { dataDir, name: fileName, purpose: 'opens the credentials of webhook channels' }
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
  throw new Error(`${join(dataDir, name)} does not hold 32 bytes in base64. Restore it from a backup of the directory.`)
}

/** A text of 64 hexadecimal digits would be 48 bytes of base64, so the two cannot be mistaken for each other. */
function keyBytes(text: string): Buffer {
  const trimmed = text.trim()
  return Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64')
}
