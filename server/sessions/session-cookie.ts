import type { IncomingMessage } from 'node:http'
import { problem } from '../problem/problem.ts'

const cookieName = 'tracefold_session'
const secretPattern = /^[\w-]{43}$/
const safeMethods: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']

type Received = Pick<IncomingMessage, 'headers' | 'method' | 'socket'>

/** Returns the `Set-Cookie` header of a session, or the one that deletes it. Scripts cannot read the cookie. */
export function sessionCookie(request: Received, secret: string | undefined): string {
  const secure = isEncrypted(request) ? '; Secure' : ''
  const lifetime = secret === undefined ? '; Max-Age=0' : ''
  return `${cookieName}=${secret ?? ''}; Path=/; HttpOnly; SameSite=Strict${secure}${lifetime}`
}

/** Returns the secret in the cookie of a request, if it has one. */
export function readSessionCookie({ headers }: Pick<Received, 'headers'>): string | undefined {
  const values = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  const secret = values.find(([name]) => name === cookieName)?.[1]
  return secret !== undefined && secretPattern.test(secret) ? secret : undefined
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

function isOwnOrigin({ origin, host }: Received['headers'], ifAbsent: boolean): boolean {
  if (origin === undefined) return ifAbsent
  return URL.canParse(origin) && new URL(origin).host === host
}

/** A proxy that terminated TLS says so. A forged header only keeps the cookie of its own sender from plain HTTP. */
function isEncrypted({ headers, socket }: Received): boolean {
  const [proto = ''] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return 'encrypted' in socket || proto.trim().toLowerCase() === 'https'
}
