import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The text of an API key: `tf_`, 256 random bits in base 62, `_`, and the CRC-32 of all before it. The checksum lets
 * anyone, secret scanners among them, tell a key from other text, and a mistyped key costs no look-up.
 *
 *     tf_4kZ0pQ…(43)…9xWb_2Lr8Qd
 */
const shape = /^tf_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomDigits = 43
const checksumDigits = 6

export function generateKey(): string {
  const body = `tf_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomDigits)}`
  return `${body}_${checksum(body)}`
}

/** Whether a credential is meant as an API key, be it valid or not. No JWT begins so. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith('tf_')
}

/** Whether the text has the shape and the checksum of a key; says nothing about whether the key exists. */
export function isWellFormed(key: string): boolean {
  const end = key.lastIndexOf('_')
  return shape.test(key) && checksum(key.slice(0, end)) === key.slice(end + 1)
}

/** What may be known of a key: its beginning, by which it is looked up, and its end. 200 of its random bits stay secret. */
export function publicParts(key: string): { readonly prefix: string; readonly last4: string } {
  return { prefix: key.slice(0, 'tf_'.length + 5), last4: key.slice(-4) }
}

/** SHA-256 in hexadecimal. A slow hash protects guessable secrets; 256 random bits cannot be guessed. */
export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumDigits)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = (digits[Number(rest % 62n)] ?? '') + text
  return text
}
