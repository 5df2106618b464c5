import { errors } from 'jose'

/** Which tokens a verifier accepts, as far as its refusals explain it. */
export interface AcceptedTokens {
  /** Whether the server accepts only the tokens that it signs itself. */
  readonly isLocal: boolean
  readonly audience: string
}

/**
 * Says why a token is refused. The claims are described only after the signature has been verified, so a forged token
 * learns nothing but that it is forged; the key and the issuer of the server are never named.
 */
export function tokenFault(error: unknown, { isLocal, audience }: AcceptedTokens): string {
  if (error instanceof errors.JWTExpired) return `The token expired at ${timeOf(error.payload.exp)}.`
  if (error instanceof errors.JWTClaimValidationFailed) return claimFault(error, audience)
  if (error instanceof errors.JWTInvalid || isNoToken(error))
    return 'The credential is neither a JWT nor an API key. It may have been cut off.'
  if (isLocal) {
    return (
      'The token was not signed by this server. Make one with `tracefold token` and the DATA_DIR of the server; ' +
      'a token of another data directory is not accepted.'
    )
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'The issuer has no key for the token.'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The token has a signature algorithm that is not accepted.'
  return 'The signature of the token does not match the key of the issuer.'
}

function isNoToken(error: unknown): boolean {
  return error instanceof errors.JWSInvalid && /compact|format/i.test(error.message)
}

function claimFault({ claim, reason, payload }: errors.JWTClaimValidationFailed, audience: string): string {
  if (reason === 'missing') return `The token has no claim "${claim}".`
  if (claim === 'aud') return `The token is for another audience; this server is ${JSON.stringify(audience)}.`
  if (claim === 'iss') return 'The token has another issuer than this server accepts.'
  if (claim === 'nbf') return `The token is not valid before ${timeOf(payload.nbf)}.`
  return `The claim "${claim}" of the token is invalid.`
}

/** Returns the time of a claim, in seconds since 1970, which can be any number. */
function timeOf(seconds: unknown): string {
  const time = new Date(Number(seconds) * 1_000)
  return Number.isNaN(time.getTime()) ? `${Number(seconds)}` : time.toISOString().replace('.000Z', 'Z')
}
