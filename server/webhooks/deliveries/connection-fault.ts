import { errors } from 'undici'
import { AddressRefused } from './connection.ts'

/** Codes of Node and OpenSSL, in words that the owner of a receiver can act on. None of them holds a name, an address or a secret. */
const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  EPIPE: 'the connection was closed before an answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  ETIMEDOUT: 'no connection could be made in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
  ENOTFOUND: 'the host name has no address',
  ENODATA: 'the host name has no address',
  EAI_AGAIN: 'the host name could not be looked up',
  CERT_HAS_EXPIRED: 'the certificate of the receiver has expired',
  CERT_NOT_YET_VALID: 'the certificate of the receiver is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the receiver is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the receiver comes from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the receiver does not send the certificates between its own and a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the receiver comes from an authority that is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the receiver is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the receiver does not speak TLS on this port',
  EPROTO: 'TLS could not be agreed on with the receiver',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_INVALID_ARG: 'the request cannot be made: a header holds characters that HTTP does not allow',
}

/** What kept a request from being answered, as one sentence for the delivery log. */
export function describeConnectionFault(error: unknown): string {
  if (error instanceof AddressRefused) {
    return 'the receiver is at an internal address, which webhooks may not reach'
  }
  if (error instanceof errors.HTTPParserError) return 'the answer is not HTTP'
  const code = codeOf(error)
  return faults[code] ?? (code === '' ? 'the request failed' : `the request failed (${code})`)
}

function codeOf(error: unknown): string {
  // Several addresses were tried, and all of them failed.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
