import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openPrivateFile, type PrivateFile, readPrivateFile } from './private-file.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'

const fileName = 'secrets-key'

export interface SecretKeysOptions {
  readonly dataDir: string
  /** The setting: one key, or several with commas between them, of which the first one seals. */
  readonly secretsKey?: string | undefined
}

/**
 * The box with the keys of the setting, or with the key of the data directory, which is made at the first use. With a setting
 * a key that the directory holds from before opens what it sealed.
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
