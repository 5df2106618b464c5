import { type Problem, problem } from '../problem/problem.ts'

const realm = 'Bearer realm="tracefold"'
const retryAfterSeconds = 5

/** 401 for a request without a bearer credential. RFC 6750 wants no error code here: nothing was wrong, only missing. */
export function credentialMissing(): Problem {
  return problem('unauthenticated', 'Send a JWT or an API key as a bearer token.', {
    headers: { 'WWW-Authenticate': realm },
  })
}

/** 401 for any credential that is not valid. Why it is not is only in `cause`, for the log: it would help who forges one. */
export function credentialInvalid(cause?: unknown): Problem {
  return problem('unauthenticated', 'The credential is not valid.', {
    headers: { 'WWW-Authenticate': `${realm}, error="invalid_token"` },
    cause,
  })
}

/** 503 while the issuer's keys cannot be had: the credential may well be valid, so the client must not throw it away. */
export function keySetUnavailable(cause: unknown): Problem {
  return problem('unavailable', 'The key set of the token issuer cannot be reached right now.', {
    retryAfterSeconds,
    cause,
  })
}
