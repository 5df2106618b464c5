import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The format of an API key: `tf_`, 256 random bits in base 62, `_`, and the CRC-32 of everything before it. The
 * checksum lets secret scanners recognize a key, and mistyped keys are rejected without a lookup.
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

/** Reports whether a credential is meant to be an API key, valid or not. No JWT starts with this prefix. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith('tf_')
}

/** Reports whether a text has the format and checksum of a key. It does not check that the key exists. */
export function isWellFormed(key: string): boolean {
  const end = key.lastIndexOf('_')
  return shape.test(key) && checksum(key.slice(0, end)) === key.slice(end + 1)
}

/** Returns the public parts of a key: the prefix for lookups, and the end. At least 200 of its bits stay secret. */
export function publicParts(key: string): { readonly prefix: string; readonly last4: string } {
  return { prefix: key.slice(0, 'tf_'.length + 5), last4: key.slice(-4) }
}

/** Returns the SHA-256 of a key or secret of 256 random bits, which cannot be guessed, so no slow hash is needed. */
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
