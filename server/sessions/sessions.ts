import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Caller } from '../auth/caller.ts'
import { openLocalKey } from '../auth/local-tokens.ts'
import { credentialInvalid } from '../auth/refusals.ts'
import { type Background, repeatedly } from '../background/background.ts'
import type { Config } from '../config/config.ts'
import type { Deps } from '../feature.ts'
import { isEncrypted } from '../observability/plain-http.ts'
import { problem } from '../problem/problem.ts'
import { type LinkFault, readLoginLink } from './login-links.ts'
import { createOpenId, type OpenId, type OpenIdFault } from './openid.ts'
import {
  attemptCookie,
  readAttemptCookie,
  readSessionCookie,
  requireSameOrigin,
  requireShownCaller,
  sessionCookie,
} from './session-cookie.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

const sweepEveryMs = 3_600_000
/** An attempt to sign in at the issuer is remembered for longer than its cookie lives. */
const attemptMsMax = 3_600_000
/** A longer address of a page does not fit into a cookie. */
const returnCharactersMax = 2_700
/** Matches a text that is wholly the host and the port of an address that contains it. */
const hostPattern = /^[^\s/?#@\\]+$/

/** How people sign in to the console, and how their requests are authenticated. */
export interface Sessions {
  /**
   * Serves `GET /login`, which follows a login link or leads to the issuer, `GET /login/callback`, to which the issuer
   * leads back, and `POST /logout`.
   */
  readonly router: RequestHandler
  /**
   * Returns the caller of a session.
   * @throws Problem `unauthenticated` when the session does not exist or has ended
   */
  verify(secret: string): Promise<Caller>
  readonly background: readonly Background[]
}

type SessionsDeps = Pick<Deps, 'config' | 'metadata' | 'logger' | 'now'>

export async function createSessions(deps: SessionsDeps): Promise<Sessions> {
  const { logger } = deps
  const store = createSessionStore(deps.metadata, deps.now)
  // Redirects are relative, so a path with a slash at its end would lead elsewhere.
  const router = Router({ caseSensitive: true, strict: true })
  const openId = openIdOf(deps)
  // HEAD must not use a link up: programs that preview links send it.
  router.head('/login', (_request, response) => void response.status(405).set('Allow', 'GET').end())
  router.get('/login', openId === undefined ? await followLinks(deps, store) : leadToIssuer(deps.config, openId))
  if (openId !== undefined) router.get('/login/callback', endAtIssuer(deps, openId, store))
  router.post('/logout', async (request: Request, response: Response) => {
    requireSameOrigin(request)
    const secret = readSessionCookie(request, deps.config)
    const caller = secret && (await store.find(secret))
    if (caller) requireShownCaller(request, caller)
    if (secret !== undefined) await store.end(secret)
    response
      .append('Set-Cookie', sessionCookie(request, undefined, deps.config))
      .status(204)
      .end()
  })
  return {
    router,
    async verify(secret) {
      const caller = await store.find(secret)
      if (caller === undefined) throw credentialInvalid('The session does not exist or has ended.')
      return caller
    },
    background: [
      repeatedly({
        pauseMs: sweepEveryMs,
        work: () => store.sweep(),
        onError: (err) => logger.warn({ err }, 'Could not delete ended sessions'),
      }),
    ],
  }
}

function openIdOf({ config, logger }: Pick<SessionsDeps, 'config' | 'logger'>): OpenId | undefined {
  const { issuer, clientId, clientSecret } = config.auth
  if (issuer === undefined || clientId === undefined) return undefined
  return createOpenId({ issuer, clientId, ...(clientSecret !== undefined && { clientSecret }), logger })
}

/**
 * Returns the handler that signs in the user of a login link. A server that accepts the tokens of an issuer creates no
 * links, so there every link is invalid.
 */
async function followLinks({ config, logger, now }: SessionsDeps, store: SessionStore): Promise<RequestHandler> {
  const key = config.auth.issuer === undefined ? await openLocalKey(config.dataDir) : undefined
  return async (request, response) => {
    forgetAddress(response)
    const token = request.query.link
    const link = key === undefined || typeof token !== 'string' ? 'invalid' : await readLoginLink(key, token, now())
    if (typeof link === 'string') return refuse(response, link)
    const secret = await store.begin(link)
    if (secret === undefined) return refuse(response, 'used')
    logger.info({ org: link.caller.org, subject: link.caller.subject }, 'Signed in')
    response.append('Set-Cookie', sessionCookie(request, secret, config))
    response.redirect(303, './')
  }
}

function leadToIssuer(config: Pick<Config, 'publicUrl'>, openId: OpenId): RequestHandler {
  return async (request, response) => {
    forgetAddress(response)
    const started = await openId.start(callbackOf(request, config), pageWithin(request.query.return))
    if (typeof started === 'string') return refuse(response, started)
    response.append('Set-Cookie', attemptCookie(request, started.attempt, config))
    response.redirect(303, started.address)
  }
}

function endAtIssuer({ config, logger, now }: SessionsDeps, openId: OpenId, store: SessionStore): RequestHandler {
  return async (request, response) => {
    forgetAddress(response)
    const attempt = readAttemptCookie(request, config)
    response.append('Set-Cookie', attemptCookie(request, undefined, config))
    if (attempt === undefined) return refuse(response, 'expired', '../')
    const address = new URL(callbackOf(request, config))
    address.search = new URL(request.originalUrl, address).search
    const signedIn = await openId.finish(address, attempt)
    if (typeof signedIn === 'string') return refuse(response, signedIn, '../')
    const { caller, id } = signedIn
    const secret = await store.begin({ id, caller, expiresAt: new Date(now().getTime() + attemptMsMax) })
    if (secret === undefined) return refuse(response, 'used', '../')
    logger.info({ org: caller.org, subject: caller.subject }, 'Signed in')
    response.append('Set-Cookie', sessionCookie(request, secret, config))
    response.redirect(303, `../${pageWithin(attempt.returnTo)}`)
  }
}

/** Keeps the address, which may be a credential, out of caches and of requests to other servers. */
function forgetAddress(response: Response): void {
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
}

function refuse(response: Response, fault: LinkFault | OpenIdFault, toConsole = ''): void {
  response.redirect(303, `${toConsole}sign-in?fault=${fault}`)
}

/**
 * Returns the address to which the issuer leads back. The issuer accepts only registered addresses, so a forged `Host`
 * cannot redirect elsewhere.
 * @throws Problem `invalid_request` if `Host` is needed and is not a host
 */
function callbackOf(request: Request, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${publicUrl ?? addressOfHost(request)}/login/callback`
}

function addressOfHost(request: Request): string {
  const { host = '' } = request.headers
  const address = `${isEncrypted(request) ? 'https' : 'http'}://${host}`
  if (hostPattern.test(host) && URL.canParse(address)) return address
  throw problem('invalid_request', 'The header `Host` is not a host with an optional port, such as `example.com:4318`.')
}

/** Returns the address of a page relative to that of the console; that of the first page for anything else. */
function pageWithin(address: unknown): string {
  const consoleAddress = 'http://console.invalid/console/'
  if (typeof address !== 'string' || address.length > returnCharactersMax) return ''
  const href = URL.canParse(address, consoleAddress) ? new URL(address, consoleAddress).href : ''
  return href.startsWith(consoleAddress) ? href.slice(consoleAddress.length) : ''
}
