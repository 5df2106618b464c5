import { redacted } from '../../secrets/secret-box.ts'
import { type Range, type ResponseReading, readingsOf, withoutBegunEscape } from './response-readings.ts'

/** The beginning of a response. `isWhole` is false if there was more. */
export interface ResponseBeginning {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

const excerptBytesMax = 4_096

/** Maximum number of characters that are searched for secrets. The excerpt is shorter, even if secrets are removed. */
const searchedCharsMax = 2 * excerptBytesMax

/** Minimum length of a redacted secret. Shorter secrets would remove single letters from every response. */
const secretCharsMin = 4

/** Minimum length of a redacted part of a path. Shorter parts, such as `hooks`, are more likely words than tokens. */
const pathPartCharsMin = 8

/**
 * Returns the beginning of a response for the delivery log: as text, without control characters, and with `secrets`
 * redacted in case the receiver echoes them.
 */
export function excerptOf({ bytes, isWhole }: ResponseBeginning, secrets: readonly string[]): string {
  // A character whose bytes were truncated is dropped.
  const received = new TextDecoder('utf-8').decode(bytes, { stream: !isWhole })
  const text = received.replaceAll(/[^\P{Cc}\t\r\n]/gu, '\uFFFD')
  const beginning = text.slice(0, searchedCharsMax)
  const isCut = !isWhole || beginning.length < text.length
  const variants = [...new Set(secrets.flatMap(variantsOf))]
  const readings = readingsOf(beginning)
  const end = isCut ? beginOfCutSecret(readings, variants) : beginning.length
  return cutToBytes(redact(beginning.slice(0, end), occurrences(readings, variants)), excerptBytesMax)
}

/** Returns where a secret begins whose end was truncated, or the length of the text. */
function beginOfCutSecret(readings: readonly ResponseReading[], secrets: readonly string[]): number {
  const begins = readings.flatMap((reading) =>
    [reading.text, withoutBegunEscape(reading.text)].flatMap((text) =>
      secrets.map((secret) => reading.begins[text.length - begunChars(text, secret)] ?? reading.length),
    ),
  )
  return Math.min(...begins)
}

/** Returns how many of the first characters of a secret, but not all, are at the end of a text. */
function begunChars(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
    if (text[text.length - length] === secret[0] && text.endsWith(secret.slice(0, length))) return length
  }
  return 0
}

/** Returns the places of secrets, in ascending order. */
function occurrences(readings: readonly ResponseReading[], secrets: readonly string[]): Range[] {
  const found: Range[] = []
  for (const { text, begins, ends } of readings) {
    for (const secret of secrets) {
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
        found.push({ begin: begins[at] ?? 0, end: ends[at + secret.length - 1] ?? 0 })
      }
    }
  }
  return found.sort((left, right) => left.begin - right.begin)
}

/** Replaces ranges, which are sorted and may overlap, with a placeholder. */
function redact(text: string, ranges: readonly Range[]): string {
  let clean = ''
  let at = 0
  for (const { begin, end } of ranges) {
    if (begin >= text.length) break
    if (begin >= at) clean += text.slice(at, begin) + redacted
    at = Math.max(at, end)
  }
  return clean + text.slice(at)
}

/**
 * Returns the secrets in the URL of a receiver: the path and the query, which many receivers repeat in an error, and
 * the parts of them that are long enough to be tokens.
 */
export function secretsInUrl(url: string): string[] {
  const { pathname, search, searchParams } = new URL(url)
  const pathParts = pathname.split('/').filter((part) => part.length >= pathPartCharsMin)
  const rawValues = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
  return [pathname + search, pathname, search.slice(1), ...pathParts, ...rawValues, ...searchParams.values()]
}

/**
 * Returns the forms of a secret: with and without its scheme (`Bearer`) or prefix, and without percent-encoding. The
 * user and password of `Basic` are also spelled out.
 */
function variantsOf(secret: string): string[] {
  const credentials = secret.replace(/^\S+ +/, '')
  const variants = [secret, credentials, secret.replace(/^whsec_/, ''), decoded(secret)]
  if (/^basic /i.test(secret)) {
    const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8')
    variants.push(userAndPassword, userAndPassword.slice(userAndPassword.indexOf(':') + 1))
  }
  return variants.filter((variant) => variant.length >= secretCharsMin)
}

/** Decodes percent-encoding. Returns the text itself if it is not valid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Truncates a text to a number of bytes without splitting a character. */
function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= bytesMax ? text : new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true })
}
