import { redacted } from '../../secrets/secret-box.ts'

/** The beginning of a response. `isWhole` is false if there was more. */
export interface ResponseBeginning {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

const excerptBytesMax = 4_096

/** Minimum length of a redacted secret. Shorter secrets would remove single letters from every response. */
const secretCharsMin = 4

/** Minimum length of a redacted part of a path. Shorter parts, such as `hooks`, are rather words than tokens. */
const pathPartCharsMin = 8

/**
 * Returns the beginning of a response for the delivery log: as text, without control characters, and with `secrets`
 * redacted in case the receiver echoes them.
 */
export function excerptOf({ bytes, isWhole }: ResponseBeginning, secrets: readonly string[]): string {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].sort((a, b) => b.length - a.length)
  // A character whose bytes were truncated is dropped.
  const received = new TextDecoder('utf-8').decode(bytes, { stream: !isWhole })
  const text = received.replaceAll(/[^\P{Cc}\t\r\n]/gu, '\uFFFD')
  // Everything that can become part of the excerpt. The rest need not be searched for secrets.
  const beginning = text.slice(0, excerptBytesMax + (spellings[0]?.length ?? 0))
  const isCut = !isWhole || beginning.length < text.length
  const complete = isCut ? withoutBegunSecret(beginning, spellings) : beginning
  const clean = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, redacted), complete)
  return cutToBytes(clean, excerptBytesMax)
}

/** Removes the beginning of a secret from the end of a truncated text. */
function withoutBegunSecret(text: string, spellings: readonly string[]): string {
  const begun = spellings.map((spelling) => {
    for (let length = spelling.length - 1; length > 0; length--) {
      if (text.endsWith(spelling.slice(0, length))) return length
    }
    return 0
  })
  return text.slice(0, text.length - Math.max(0, ...begun))
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
 * Returns the spellings of a secret: with and without its scheme (`Bearer`) or prefix, as plain text, in JSON, in a URL
 * and in HTML. The user and password of `Basic` are also spelled out.
 */
function spellingsOf(secret: string): string[] {
  const credentials = secret.replace(/^\S+ +/, '')
  const variants = [secret, credentials, secret.replace(/^whsec_/, ''), decoded(secret)]
  if (/^basic /i.test(secret)) {
    const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8')
    variants.push(userAndPassword, userAndPassword.slice(userAndPassword.indexOf(':') + 1))
  }
  return variants
    .filter((variant) => variant.length >= secretCharsMin)
    .flatMap((variant) => [
      variant,
      JSON.stringify(variant).slice(1, -1),
      // PHP escapes slashes in JSON.
      JSON.stringify(variant).slice(1, -1).replaceAll('/', '\\/'),
      encodeURIComponent(variant),
      variant.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ])
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
