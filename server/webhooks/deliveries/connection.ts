import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AddressPolicy, literalAddress } from '../channels/receiver-address.ts'
import type { ResolveHost } from './resolve-host.ts'

/** The URL of the receiver contains a blocked address. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * The name of the receiver has a blocked address, or none. Callers cannot tell which, because they could find out which
 * names exist in the internal network.
 */
class NameRefused extends Error {
  override readonly name = 'NameRefused'
}

/** The receiver sent interim responses without end. */
export class TooManyInterimResponses extends Error {
  override readonly name = 'TooManyInterimResponses'
}

export interface ConnectorOptions {
  readonly allows: AddressPolicy
  readonly resolve: ResolveHost
  readonly timeoutMs: number
}

/**
 * Connects to allowed addresses only. IP literals never reach `lookup`, so they are checked first. A name is refused if
 * any of its addresses is blocked. The connection uses the checked addresses, so the name cannot be rebound in between,
 * and the address of the connected socket is checked once more.
 */
export function guardedConnector({ allows, resolve, timeoutMs }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(allows, resolve), timeout: timeoutMs })
  return (options, callback) => {
    const literal = literalAddress(options.hostname)
    if (literal !== undefined && !allows(literal)) {
      callback(new AddressRefused(), null)
      return
    }
    connect(options, (...connected) => {
      const [error, socket] = connected
      if (error === null && !allows(socket.remoteAddress ?? '')) {
        socket.destroy()
        callback(new NameRefused(), null)
        return
      }
      callback(...connected)
    })
  }
}

function guardedLookup(allows: AddressPolicy, resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => allows(address))) {
          callback(new NameRefused(), '')
        } else if (options.all) {
          callback(null, [...addresses])
        } else {
          callback(null, first.address, first.family)
        }
      },
      () => callback(new NameRefused(), ''),
    )
  }
}

/**
 * Descriptions of error codes of Node, OpenSSL and undici for the owner of a receiver, without names, addresses or
 * secrets.
 */
const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before the receiver responded',
  EPIPE: 'the connection was closed before the receiver responded',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network of the host is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'the certificate of the receiver has expired',
  CERT_NOT_YET_VALID: 'the certificate of the receiver is not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the receiver is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the receiver was issued by an untrusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the receiver does not send its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the receiver was issued by an untrusted authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the receiver is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the receiver does not use TLS on this port',
  EPROTO: 'the TLS handshake with the receiver failed',
  HPE_HEADER_OVERFLOW: 'the headers of the response are too large',
  ERR_INVALID_CHAR: 'a header of the request contains characters that HTTP does not allow',
}

/** Returns why a request got no response, for the delivery log. */
export function describeConnectionFault(error: unknown): string {
  if (error instanceof AddressRefused) return 'the receiver has an internal address, which webhooks may not reach'
  if (error instanceof NameRefused) return 'the host name does not resolve to a public address, which webhooks require'
  if (error instanceof TooManyInterimResponses) return 'the receiver sent too many interim responses'
  const code = codeOf(error)
  const fault = faults[code]
  if (fault !== undefined) return fault
  // Codes of the HTTP parser and of OpenSSL.
  if (code.startsWith('HPE_')) return 'the response is not valid HTTP'
  if (code.startsWith('ERR_SSL_')) return `the TLS handshake with the receiver failed (${code})`
  return code === '' ? 'the request failed' : `the request failed (${code})`
}

function codeOf(error: unknown): string {
  // Node tries the addresses of a host in turn and aggregates their errors.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
