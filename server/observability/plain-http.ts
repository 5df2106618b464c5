/** Warnings about credentials and telemetry that cross a network unencrypted. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'
import type { Logger } from './logging.ts'

/** Reports whether an address is reachable from this machine only. */
export function isLoopback(address: string): boolean {
  if (address === 'localhost') return true
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/**
 * Returns a warning if the server listens on a network without TLS, although nothing says that a proxy encrypts:
 * PUBLIC_URL with https does.
 */
export function exposureWarning({
  host,
  publicUrl = '',
  tls,
}: Pick<Config, 'host' | 'publicUrl' | 'tls'>): string | undefined {
  if (tls !== undefined || isLoopback(host) || publicUrl.startsWith('https:')) return undefined
  return (
    `The server listens on ${host} without TLS: credentials and telemetry cross the network unencrypted. ` +
    'Set TLS_CERT_FILE and TLS_KEY_FILE, or put a proxy that terminates TLS in front of it and set PUBLIC_URL to its ' +
    'https address, or set HOST=127.0.0.1.'
  )
}

/** A request of any version of HTTP. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly socket: Pick<Socket, 'remoteAddress'> & { readonly encrypted?: boolean }
}

/**
 * Reports whether a request reached this server, or the proxy in front of it, over TLS. A proxy says so in
 * `X-Forwarded-Proto` or `Forwarded`. Those headers are not verified: a forged one silences a warning, and keeps the
 * cookie of its own sender from plain HTTP.
 */
export function isEncrypted({ headers, socket }: Pick<ReceivedRequest, 'headers' | 'socket'>): boolean {
  if (socket.encrypted === true) return true
  const [proto = ''] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return proto.trim().toLowerCase() === 'https' || /\bproto="?https\b/i.test(headers.forwarded ?? '')
}

/** Reports whether a request from another machine carries a credential unencrypted. */
export function isPlainCredential(request: ReceivedRequest): boolean {
  const isRemote = !isLoopback(request.socket.remoteAddress ?? '127.0.0.1')
  return request.headers.authorization !== undefined && isRemote && !isEncrypted(request)
}

/** Logs the first credential that arrives unencrypted from another machine. Further ones would only repeat it. */
export function plainCredentialWarning(logger: Pick<Logger, 'warn'>): (request: ReceivedRequest) => void {
  let isWarned = false
  return (request) => {
    if (isWarned || !isPlainCredential(request)) return
    isWarned = true
    logger.warn(
      { remoteAddress: request.socket.remoteAddress },
      'A credential arrived over plain HTTP from another machine: replace it, and send credentials over TLS only',
    )
  }
}
