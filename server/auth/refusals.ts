import { type Problem, problem } from '../problem/problem.ts'

const realm = 'Bearer realm="tracefold"'
const retryAfterSeconds = 5

/**
 * Returns the 401 for a request without a bearer credential, without an error code (RFC 6750, section 3.1).
 * `authorization` is the header that it has instead, of which nothing but a known scheme is repeated.
 */
export function credentialMissing(authorization: string | undefined): Problem {
  const form = 'Send a JWT or an API key as `Authorization: Bearer <token>`.'
  return problem('unauthenticated', `${missingReason(authorization?.trim() ?? '')} ${form}`, {
    headers: { 'WWW-Authenticate': realm },
  })
}

function missingReason(authorization: string): string {
  if (authorization === '') return 'The request has no header Authorization; credentials are read from no other place.'
  if (/^bearer%20/i.test(authorization)) return 'The space after Bearer is percent-encoded; only SDKs decode `%20`.'
  const [, scheme] = /^(Basic|Digest|Token|ApiKey|Api-Key|Key|JWT|Negotiate) /i.exec(authorization) ?? []
  if (scheme !== undefined) return `The header Authorization has the scheme ${scheme}, which is not supported.`
  if (!authorization.includes(' ')) return 'The header Authorization lacks the word Bearer before the credential.'
  return 'The header Authorization has a scheme that is not supported.'
}

/** Returns the 401 for a bearer credential that contains characters which no token has. */
export function credentialMalformed(credential: string): Problem {
  return credentialInvalid(malformedReason(credential))
}

function malformedReason(credential: string): string {
  if (credential === '') return 'There is no credential after Bearer. The variable that it comes from may be unset.'
  if (/^bearer /i.test(credential)) return 'The header Authorization has the word Bearer twice.'
  if (/^["'`]/.test(credential)) return 'The credential is in quotes.'
  if (/^[$<{]/.test(credential)) return 'The credential is a placeholder: nothing has replaced it with a token.'
  return 'The credential contains characters that no token has.'
}

/**
 * Returns the 401 for an invalid credential. `reason` is a sentence for its sender, who must learn nothing that the
 * credential does not already contain.
 */
export function credentialInvalid(reason: string, cause?: unknown): Problem {
  return problem('unauthenticated', reason, {
    headers: { 'WWW-Authenticate': `${realm}, error="invalid_token"` },
    cause,
  })
}

/** Returns the 503 for an unreachable issuer. The credential may be valid, so the client must not discard it. */
export function keySetUnavailable(cause: unknown): Problem {
  return problem('unavailable', 'Could not fetch the key set of the token issuer. Retry later.', {
    retryAfterSeconds,
    cause,
  })
}
