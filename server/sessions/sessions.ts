import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Caller } from '../auth/caller.ts'
import { openLocalKey } from '../auth/local-tokens.ts'
import { credentialInvalid } from '../auth/refusals.ts'
import { type Background, repeatedly } from '../background/background.ts'
import type { Deps } from '../feature.ts'
import { type LinkFault, readLoginLink } from './login-links.ts'
import { readSessionCookie, requireSameOrigin, sessionCookie } from './session-cookie.ts'
import { createSessionStore } from './session-store.ts'

const sweepEveryMs = 3_600_000

/** How people sign in to the console, and how their requests are authenticated. */
export interface Sessions {
  /** Serves `GET /login`, which follows a login link, and `POST /logout`. */
  readonly router: RequestHandler
  /**
   * Returns the caller of a session.
   * @throws Problem `unauthenticated` when the session does not exist or has ended
   */
  verify(secret: string): Promise<Caller>
  readonly background: readonly Background[]
}

export async function createSessions({
  config,
  metadata,
  logger,
  now,
}: Pick<Deps, 'config' | 'metadata' | 'logger' | 'now'>): Promise<Sessions> {
  const store = createSessionStore(metadata, now)
  const key = config.auth.issuer === undefined ? await openLocalKey(config.dataDir) : undefined

  const follow = async (token: unknown): Promise<string | LinkFault> => {
    if (key === undefined || typeof token !== 'string') return 'invalid'
    const link = await readLoginLink(key, token, now())
    if (typeof link === 'string') return link
    const secret = await store.begin(link)
    if (secret !== undefined) logger.info({ org: link.caller.org, subject: link.caller.subject }, 'Signed in')
    return secret ?? 'used'
  }
  const router = Router({ caseSensitive: true })
  // HEAD must not use the link up: programs that preview links send it.
  router.head('/login', (_request, response) => void response.status(405).set('Allow', 'GET').end())
  router.get('/login', async (request: Request, response: Response) => {
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    const followed = await follow(request.query.link)
    if (isFault(followed)) return response.redirect(303, `sign-in?fault=${followed}`)
    response.append('Set-Cookie', sessionCookie(request, followed))
    response.redirect(303, './')
  })
  router.post('/logout', async (request: Request, response: Response) => {
    requireSameOrigin(request)
    const secret = readSessionCookie(request)
    if (secret !== undefined) await store.end(secret)
    response.append('Set-Cookie', sessionCookie(request, undefined)).status(204).end()
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

function isFault(followed: string): followed is LinkFault {
  return followed === 'expired' || followed === 'invalid' || followed === 'used'
}
