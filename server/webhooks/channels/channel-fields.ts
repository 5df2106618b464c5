import { randomBytes } from 'node:crypto'
import { invalid } from '../../problem/problem.ts'

const signingSecretBytesMin = 24
const signingSecretBytesMax = 64
const signingSecretBytesMade = 32

/** Shorter credentials would be told by their last four characters. */
const shownCharsMin = 8

/**
 * The address as it is. The text of a fault never holds it, because addresses often are credentials.
 * @throws Problem 400
 */
export function checkUrl(text: string, pointer: string): string {
  const fault = urlFault(text)
  if (fault !== undefined) throw invalid(pointer, 'format', fault)
  return text
}

function urlFault(text: string): string | undefined {
  if (/[\s\p{Cc}\p{Cs}]/u.test(text)) return 'must not hold spaces or control characters'
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return 'must be an http or https address'
  if (url.username || url.password) return 'must not hold a user name or a password; auth_header is the place for them'
  return undefined
}

/** What is sent as `Authorization`, byte for byte, so nothing that a client would trim, refuse or take for another header. */
export function checkAuthHeader(text: string, pointer: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text
  throw invalid(pointer, 'format', 'must be printable ASCII without spaces around it')
}

export function checkSigningSecret(text: string, pointer: string): string {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const bytes = Buffer.from(base64, 'base64')
  const isWhole = bytes.toString('base64') === base64
  if (isWhole && bytes.length >= signingSecretBytesMin && bytes.length <= signingSecretBytesMax) return text
  const range = `${signingSecretBytesMin} to ${signingSecretBytesMax}`
  throw invalid(pointer, 'format', `must be whsec_ and ${range} bytes in base64`)
}

export function newSigningSecret(): string {
  return `whsec_${randomBytes(signingSecretBytesMade).toString('base64')}`
}

/** What reads show of a credential. */
export function last4Of(credential: string): string {
  return credential.length < shownCharsMin ? '' : credential.slice(-4)
}

/** What viewers see of an address: a path or query often is a credential. */
export function originOf(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? url : `${origin}/[masked]`
}
