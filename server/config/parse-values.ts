import { createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { RemoteAddress } from '../clickhouse/endpoint.ts'
import { redacted } from '../secrets/secret-box.ts'

/**
 * Parses the text of a setting.
 * @throws Error whose message completes "<NAME> …"
 */
export type ParseText<T> = (text: string) => T

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export const anyText: ParseText<string> = (value) => value

/** Refuses the quotes and white space that files of variables leave around a value if nothing removes them. */
export const plainText: ParseText<string> = (value) => {
  if (/^\s|\s$|^(["']).*\1$/.test(value)) throw new Error('must not be in quotes or begin or end with white space')
  return value
}

export const absolutePath: ParseText<string> = (value) => resolve(plainText(value))

export function integer(min: number, max: number): ParseText<number> {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max)) throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  }
}

/** Parses `off` as undefined, and any other text with the given parser. */
export function orOff<T>(parse: ParseText<T>): ParseText<T | undefined> {
  return (value) => {
    if (value === 'off') return undefined
    try {
      return parse(value)
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}, or off`)
    }
  }
}

const bytesPerUnit: Readonly<Record<string, number>> = { '': 1, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 }

/** Parses a size in bytes: `1048576`, `1024KiB`, `64MiB`, `2GiB`. */
export function byteSize(min: number, max: number): ParseText<number> {
  return (value) => {
    const [, digits = '', unit = ''] = /^(\d+)\s*([KMG]iB)?$/i.exec(value) ?? []
    const bytes = digits === '' ? Number.NaN : Number(digits) * (bytesPerUnit[unit.toLowerCase()] ?? Number.NaN)
    if (!(bytes >= min && bytes <= max)) {
      throw new Error(`must be a size such as 64MiB (KiB, MiB, GiB or plain bytes) from ${min} to ${max} bytes`)
    }
    return bytes
  }
}

/** Returns a number of bytes in whole mebibytes, as `byteSize` parses it. */
export function inMebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MiB`
}

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Returns the seconds of a duration, `90s`, `10m`, `12h` or `7d`, and NaN for any other text. */
export function secondsOfDuration(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  return digits === '' ? Number.NaN : Number(digits) * (secondsPerUnit[unit] ?? Number.NaN)
}

/** Parses a duration and returns its seconds. */
export function duration(minSeconds: number, maxSeconds: number): ParseText<number> {
  return (value) => {
    const seconds = secondsOfDuration(value)
    if (!(seconds >= minSeconds && seconds <= maxSeconds)) {
      throw new Error(`must be a duration such as 90s, 10m, 12h or 7d, from ${minSeconds} to ${maxSeconds} seconds`)
    }
    return seconds
  }
}

export const valueIndexModes = ['auto', 'always', 'off'] as const
export type ValueIndexMode = (typeof valueIndexModes)[number]

export function oneOf<const T extends readonly string[]>(choices: T): ParseText<T[number]> {
  return (value) => {
    if (!choices.includes(value)) throw new Error(`must be one of ${choices.join(', ')}`)
    return value
  }
}

/** Parses an identifier that needs no quoting in SQL, in a shell, in dashboards or in macros. */
export const identifier: ParseText<string> = (value) => {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(value)) throw new Error('must be letters, digits and _ (at most 63)')
  return value
}

/** Parses the name of a database. ClickHouse creates its own at every start, without the tables of others. */
export const databaseName: ParseText<string> = (value) => {
  if (/^(system|information_schema)$/i.test(value)) throw new Error("must not be one of ClickHouse's own databases")
  return identifier(value)
}

function url(value: string, schemes: readonly string[]): URL {
  const starts = schemes.map((scheme) => `${scheme}://`)
  if (!starts.some((start) => value.trim().toLowerCase().startsWith(start)))
    throw new Error(`must be a URL that starts with ${starts.join(' or ')}`)
  // Characters such as / in a password end the host early.
  if (!URL.canParse(value)) throw new Error(`is not a valid URL${encoding}`)
  return new URL(value)
}

const encoding = '; in a user name or a password, characters such as / # ? @ and % must be percent-encoded (%25 for %)'

/** Decodes a user name or a password of an address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(`has a % that begins no percent-encoded character${encoding}`)
  }
}

/** Parses the address of a key set. Refuses credentials with a reason, because `fetch` would refuse them only later. */
export const webAddress: ParseText<string> = (value) => {
  const parsed = url(value, ['https', 'http'])
  if (parsed.username || parsed.password) throw new Error('must not contain a user name or a password')
  return parsed.href
}

/** Parses an address to which paths are appended, and removes its trailing slash. */
export const baseAddress: ParseText<string> = (value) => {
  const href = webAddress(value)
  if (/[?#]/.test(href)) throw new Error('must not have a query string or a fragment')
  return withoutTrailingSlashes(href)
}

/** Removes the slashes at the end of a text in linear time, unlike the pattern `/+$`. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (text.endsWith('/', end)) end -= 1
  return text.slice(0, end)
}

/** Parses web origins separated by commas, as browsers send them: `https://app.example.com, http://localhost:3000`. */
export const origins: ParseText<readonly string[]> = (value) => {
  const listed = value.split(',').map((origin) => origin.trim())
  if (listed.includes('*') && listed.length > 1) throw new Error('must be either * or a list of origins')
  return listed.map((origin) => (origin === '*' ? origin : originOf(origin)))
}

function originOf(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new Error(`must be * or a list of origins such as https://app.example.com; not valid: "${text}"`)
  const { origin, href } = new URL(text)
  if (href !== `${origin}/`) throw new Error(`must be origins without a path, such as ${origin}; not valid: "${text}"`)
  return origin
}

export interface ClickHouseAddresses {
  readonly urls: readonly string[]
  readonly user?: string
  readonly password?: string
}

/** Splits a list of addresses. A comma that is not followed by a scheme is part of a password. */
export function addressesIn(value: string): string[] {
  const addresses: string[] = []
  for (const part of value.split(',')) {
    const before = addresses.at(-1)
    if (before === undefined || /^\s*https?:/.test(part)) addresses.push(part)
    else addresses[addresses.length - 1] = `${before},${part}`
  }
  return addresses.map((address) => address.trim())
}

/** Removes credentials and parameters, which may be secret, from a list of valid addresses. */
export function redactAddresses(value: string): string {
  const redactedAddresses = addressesIn(value).map((address) => {
    const { protocol, username, password, host, pathname, search } = new URL(address)
    const credentials = username || password ? `${redacted}@` : ''
    return `${protocol}//${credentials}${host}${pathname === '/' ? '' : pathname}${search && `?${redacted}`}`
  })
  return redactedAddresses.join(',')
}

/**
 * Parses the addresses of ClickHouse nodes. Credentials are allowed in the first address only and hold for all nodes.
 */
export const clickHouseAddresses: ParseText<ClickHouseAddresses> = (value) => {
  const addresses = addressesIn(value).map(clickHouseAddress)
  if (addresses.slice(1).some(({ user, password }) => user !== undefined || password !== undefined)) {
    throw new Error('may contain a user and a password in its first address only; they hold for all nodes')
  }
  const { user, password } = addresses[0] ?? {}
  return { urls: addresses.map(({ url }) => url), ...(user && { user }), ...(password && { password }) }
}

/** Separates the credentials from an address, so that the address can be logged. */
function clickHouseAddress(value: string): RemoteAddress {
  const parsed = url(value, ['http', 'https'])
  if (parsed.pathname !== '/' || parsed.search || parsed.hash) {
    throw new Error('must contain scheme, host and port only (CLICKHOUSE_DATABASE sets the database)')
  }
  const { username, password } = parsed
  return {
    url: parsed.origin,
    ...(username && { user: decoded(username) }),
    ...(password && { password: decoded(password) }),
  }
}

export const postgresAddress: ParseText<string> = (value) => {
  url(value, ['postgres', 'postgresql'])
  return value
}

const rsaBitsMin = 2_048
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/**
 * Parses the PEM of a public key that can verify tokens. A private key is refused, because it must not be on this
 * server.
 */
export const publicKeyPem: ParseText<string> = (value) => {
  if (value.includes('PRIVATE KEY')) throw new Error('must be a public key, but is a private key')
  const pem = value.replaceAll('\\n', '\n')
  if (!isTokenKey(pem)) {
    throw new Error('must be a public key in PEM form: RSA of 2048 bits or more, EC P-256, P-384 or P-521, or Ed25519')
  }
  return pem
}

function isTokenKey(pem: string): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPublicKey(pem)
    if (type === 'rsa') return (details?.modulusLength ?? 0) >= rsaBitsMin
    return type === 'ed25519' || (type === 'ec' && curves.includes(details?.namedCurve ?? ''))
  } catch {
    return false
  }
}

/**
 * Checks that a text is 32 bytes in base64 or hexadecimal, so that a wrong length is reported at startup and not at
 * first use.
 */
const key256: ParseText<string> = (value) => {
  const hex = /^[0-9a-f]{64}$/i.test(value)
  const base64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(value)
  if (!hex && !base64) throw new Error('must be 32 random bytes in base64 or hexadecimal (openssl rand -base64 32)')
  return value
}

/** Parses one key, or several separated by commas. */
export const keys256: ParseText<string> = (value) => {
  for (const key of value.split(',')) key256(key.trim())
  return value
}

/** Parses networks separated by commas, such as `10.0.0.0/8, fd00::/8`. */
export const cidrs: ParseText<readonly string[]> = (value) => {
  const networks = value.split(',').map((network) => network.trim())
  const wrong = networks.filter((network) => !isCidr(network))
  if (wrong.length > 0)
    throw new Error(`must be networks such as 10.0.0.0/8; not valid: ${wrong.map((w) => `"${w}"`).join(', ')}`)
  return networks
}

function isCidr(network: string): boolean {
  const [address = '', bits = '', ...rest] = network.split('/')
  const version = isIP(address)
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}
