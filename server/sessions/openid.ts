/**
 * Signing in through the issuer of the tokens: the authorization code flow of OpenID Connect Core 1.0 with PKCE
 * (RFC 7636).
 */
import type { AuthorizationCodeGrantChecks, ClientAuth, Configuration } from 'openid-client'
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
  /** Sends the secret in the header `Authorization`, as every issuer has to accept it. */
  readonly config: Configuration
  /** Sends the secret in the body. Some issuers accept only the way for which the client is registered. */
  readonly otherConfig?: Configuration
}

/** Creates the client of an issuer, whose configuration is requested at the first sign-in, not at start. */
export function createOpenId({ issuer, clientId, clientSecret, logger }: OpenIdOptions): OpenId {
  const outages = createOutageLog(logger, {
    failure: 'Could not read the configuration of the issuer in AUTH_ISSUER, so nobody can sign in to the console',
    recovery: 'People can sign in to the console again',
  })
  let known: Promise<Issuer> | undefined

  /** Requests the configuration again after a failure, because the issuer may have changed it. */
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
        const claims = (await exchangeCode(found, address, checks)).claims() ?? {}
        const caller = callerOfClaims(claims)
        if (typeof caller !== 'string') return { caller, id: `openid:${state}` }
        logger.warn({ reason: caller }, 'The ID token of a person does not say what they may do')
        return 'claims'
      } catch (error) {
        known = undefined
        logger.warn({ err: error, reason: answerOf(error) }, 'A sign-in through the issuer failed')
        return isUnanswered(error) ? 'unavailable' : 'refused'
      }
    },
  }
}

/** Exchanges a code. A client that is refused authenticates in the other way, which leaves the code valid. */
async function exchangeCode(
  { client, config, otherConfig }: Issuer,
  address: URL,
  checks: AuthorizationCodeGrantChecks,
) {
  try {
    return await client.authorizationCodeGrant(config, address, checks)
  } catch (error) {
    const { status, code } = fieldsOf(error)
    if (otherConfig === undefined || (status !== 401 && code !== 'invalid_client')) throw error
    return await client.authorizationCodeGrant(otherConfig, address, checks)
  }
}

/** Returns the status and the code of error that an issuer responded with, and its description of the error. */
function fieldsOf(error: unknown) {
  const { status, error: code, error_description: description } = Object(error) as Record<string, unknown>
  return { status, code, description }
}

/** Returns what the issuer responded, which the messages of its client leave out. */
function answerOf(error: unknown): string | undefined {
  return Object.values(fieldsOf(error)).filter(Boolean).join(' ') || undefined
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
  const execute = [client.enableNonRepudiationChecks]
  if (address.protocol === 'http:') execute.push(client.allowInsecureRequests)
  const discoverWith = (method: ClientAuth) =>
    client.discovery(address, clientId, clientSecret, method, { execute, timeout: requestSecondsMax })
  if (clientSecret === undefined) return { client, config: await discoverWith(client.None()) }
  const config = await discoverWith(client.ClientSecretBasic(clientSecret))
  const inBody = client.ClientSecretPost(clientSecret)
  const otherConfig = new client.Configuration(config.serverMetadata(), clientId, clientSecret, inBody)
  otherConfig.timeout = requestSecondsMax
  for (const set of execute) set(otherConfig)
  return { client, config, otherConfig }
}
