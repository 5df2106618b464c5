/**
 * Signing in through the issuer of the tokens: the authorization code flow of OpenID Connect Core 1.0 with PKCE
 * (RFC 7636).
 */
import type { Configuration } from 'openid-client'
import { type Caller, callerOfClaims } from '../auth/caller.ts'
import { createOutageLog, type OutageLogger } from '../observability/outage-log.ts'

/** Why a person is not signed in through the issuer. */
export type OpenIdFault = 'unavailable' | 'refused' | 'claims'

/** What a browser keeps between the start of a sign-in and its end. Only this browser can end it. */
export interface SignInAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The page to return to, relative to the address of the console. */
  readonly returnTo: string
}

/** What the issuer says at the end of a sign-in. */
export interface SignedIn {
  readonly caller: Caller
  /** Identifies the attempt, which signs in once. */
  readonly id: string
}

export interface OpenId {
  /** Returns the address of the issuer's page, and what the browser keeps until it comes back. */
  start(redirectUri: string, returnTo: string): Promise<{ address: string; attempt: SignInAttempt } | OpenIdFault>
  /** Exchanges the code of the address to which the issuer sent the browser back. */
  finish(address: URL, attempt: SignInAttempt): Promise<SignedIn | OpenIdFault>
}

export interface OpenIdOptions {
  readonly issuer: string
  readonly clientId: string
  /** Absent for a public client, which only PKCE protects. */
  readonly clientSecret?: string
  readonly logger: OutageLogger
}

const requestSecondsMax = 5

type OpenIdClient = typeof import('openid-client')

/** The client of an issuer, and the issuer's configuration. */
interface Issuer {
  readonly client: OpenIdClient
  readonly config: Configuration
}

/** Creates the client of an issuer, whose configuration is requested at the first sign-in, not at start. */
export function createOpenId({ issuer, clientId, clientSecret, logger }: OpenIdOptions): OpenId {
  const outages = createOutageLog(logger, {
    failure: 'Could not read the configuration of the issuer in AUTH_ISSUER, so nobody can sign in to the console',
    recovery: 'People can sign in to the console again',
  })
  let known: Promise<Issuer> | undefined

  /** A failed request is repeated at the next sign-in. */
  const findIssuer = async (): Promise<Issuer | undefined> => {
    known ??= discover(issuer, clientId, clientSecret)
    try {
      const found = await known
      outages.succeeded()
      return found
    } catch (error) {
      known = undefined
      outages.failed(error)
      return undefined
    }
  }

  return {
    async start(redirectUri, returnTo) {
      const found = await findIssuer()
      if (found === undefined) return 'unavailable'
      const { client, config } = found
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
      const attempt = { state, nonce, verifier, returnTo }
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { address: address.href, attempt }
    },
    async finish(address, { state, nonce, verifier }) {
      const found = await findIssuer()
      if (found === undefined) return 'unavailable'
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
        const claims = (await found.client.authorizationCodeGrant(found.config, address, checks)).claims() ?? {}
        const caller = callerOfClaims(claims)
        if (typeof caller !== 'string') return { caller, id: `openid:${state}` }
        logger.warn({ reason: caller }, 'The ID token of a person does not say what they may do')
        return 'claims'
      } catch (error) {
        logger.warn({ err: error }, 'A sign-in through the issuer failed')
        return isUnanswered(error) ? 'unavailable' : 'refused'
      }
    },
  }
}

/**
 * Reports whether the issuer, or a proxy in its place, did not answer as one: `fetch` failed, timed out, or got a
 * status without meaning in OAuth.
 */
function isUnanswered(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
}

/**
 * Reads the issuer's configuration. The signature of every ID token is verified. Importing the client takes a tenth of
 * a second of CPU time, which only a server that uses it spends.
 */
async function discover(issuer: string, clientId: string, clientSecret: string | undefined): Promise<Issuer> {
  const client = await import('openid-client')
  const address = new URL(issuer)
  const execute = address.protocol === 'http:' ? [client.allowInsecureRequests] : []
  const config = await client.discovery(address, clientId, clientSecret, undefined, {
    execute: [...execute, client.enableNonRepudiationChecks],
    timeout: requestSecondsMax,
  })
  return { client, config }
}
