import type { IncomingMessage } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import { credentialInvalid } from '../auth/refusals.ts'
import { isEncrypted } from '../observability/plain-http.ts'
import { problem } from '../problem/problem.ts'
import type { SignInAttempt } from './openid.ts'

const sessionName = 'tracefold_session'
const attemptName = 'tracefold_sign_in'
const hostPrefix = '__Host-'
const secretPattern = /^[\w-]{43}$/
const attemptSecondsMax = 600
const defaultPorts: readonly string[] = ['80', '443']
const safeMethods: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']

type Sender = Pick<IncomingMessage, 'headers' | 'socket'>
type Received = Sender & Pick<IncomingMessage, 'method'>

/** The address at which browsers reach this server. */
export interface ServerAddress {
  readonly publicUrl?: string | undefined
}

/** Returns the `Set-Cookie` header of a session, or the one that deletes it. Scripts cannot read the cookie. */
export function sessionCookie(request: Received, secret: string | undefined, address: ServerAddress): string {
  const name = nameFor(request, sessionName, address)
  const lifetime = secret === undefined ? '; Max-Age=0' : ''
  return `${name}=${secret ?? ''}; Path=${pathOf(address)}; HttpOnly; SameSite=Strict${secureOf(request)}${lifetime}`
}

/** Returns the secret in the cookie of a request, if it has one. */
export function readSessionCookie(request: Sender, address: ServerAddress): string | undefined {
  return readCookies(request, sessionName, address).find((secret) => secretPattern.test(secret))
}

/**
 * Returns the `Set-Cookie` header of a sign-in that goes on at the issuer, or the one that deletes it. The issuer leads
 * the browser back from another site, which `SameSite=Strict` would keep the cookie from.
 */
export function attemptCookie(request: Received, attempt: SignInAttempt | undefined, address: ServerAddress): string {
  const text = attempt === undefined ? '' : Buffer.from(JSON.stringify(attempt)).toString('base64url')
  const name = nameFor(request, attemptName, address)
  const secondsMax = attempt === undefined ? 0 : attemptSecondsMax
  return `${name}=${text}; Path=${pathOf(address)}; HttpOnly; SameSite=Lax${secureOf(request)}; Max-Age=${secondsMax}`
}

/** Returns the path below which a cookie is sent: a proxy may serve other programs below other paths. */
function pathOf({ publicUrl }: ServerAddress): string {
  return publicUrl === undefined ? '/' : new URL(publicUrl).pathname
}

/** Returns the sign-in that a browser has started, if its cookie is whole. */
export function readAttemptCookie(request: Sender, address: ServerAddress): SignInAttempt | undefined {
  return readCookies(request, attemptName, address)
    .map(readAttempt)
    .find((attempt) => attempt !== undefined)
}

function readAttempt(value: string): SignInAttempt | undefined {
  try {
    const text = Buffer.from(value, 'base64url').toString()
    const { state, nonce, verifier, returnTo } = JSON.parse(text) as Record<string, unknown>
    const isWhole = [state, nonce, verifier, returnTo].every((each) => typeof each === 'string')
    return isWhole ? ({ state, nonce, verifier, returnTo } as SignInAttempt) : undefined
  } catch {
    return undefined
  }
}

/** Returns the values of all cookies of a name: other programs on the host can set one of the same name. */
function readCookies(request: Sender, name: string, address: ServerAddress): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  const fullName = nameFor(request, name, address)
  return pairs.filter(([each]) => each === fullName).map(([, value = '']) => value)
}

/**
 * Returns the name of a cookie with the port of the request, unless that is a default port. Browsers send the cookies
 * of a host to all of its ports, where servers would otherwise overwrite those of each other.
 *
 * The prefix `__Host-` keeps other hosts of the domain, and plain HTTP, from setting the cookie: they could sign a
 * person in as another one. Browsers accept it for the path `/` and over TLS only.
 */
function nameFor(request: Sender, name: string, address: ServerAddress): string {
  const [, port = '80'] = /:(\d+)$/.exec(request.headers.host ?? '') ?? []
  const prefix = pathOf(address) === '/' && isEncrypted(request) ? hostPrefix : ''
  return `${prefix}${name}${defaultPorts.includes(port) ? '' : `_${port}`}`
}

/**
 * Refuses requests that a page of another origin makes a browser send with the cookie. Browsers say where a request
 * comes from in `Sec-Fetch-Site`; over plain HTTP some only send `Origin`.
 * @throws Problem `forbidden`
 */
export function requireSameOrigin({ headers, method }: Received): void {
  const site = headers['sec-fetch-site']
  const isSafe = safeMethods.includes(method)
  const isSame =
    site === undefined ? isOwnOrigin(headers, isSafe) : site === 'same-origin' || (isSafe && site === 'none')
  if (isSame) return
  throw problem('forbidden', 'A session can be used only by pages of this server. Send a bearer token instead.')
}

/**
 * Refuses a request of a page that shows another person or organization as signed in: the tabs of a browser share the
 * cookie, so a person may have signed in again in another of them.
 * @throws Problem `unauthenticated`
 */
export function requireShownCaller({ headers }: Pick<Received, 'headers'>, { org, subject }: Caller): void {
  const shown = headers['tracefold-caller']
  if (shown === undefined || shown === `${encodeURIComponent(org)}/${encodeURIComponent(subject)}`) return
  throw credentialInvalid('The session now belongs to another person or organization than the page shows.')
}

function isOwnOrigin({ origin, host }: Received['headers'], ifAbsent: boolean): boolean {
  if (origin === undefined) return ifAbsent
  return URL.canParse(origin) && new URL(origin).host === host
}

function secureOf(request: Received): string {
  return isEncrypted(request) ? '; Secure' : ''
}
