import { type Problem, problem } from '../problem/problem.ts'

const realm = 'Bearer realm="tracefold"'
const retryAfterSeconds = 5

/** Returns the 401 for a request without a bearer credential, without an error code (RFC 6750, section 3.1). */
export function credentialMissing(): Problem {
  return problem('unauthenticated', 'Send a JWT or an API key as `Authorization: Bearer <token>`.', {
    headers: { 'WWW-Authenticate': realm },
  })
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
