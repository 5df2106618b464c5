import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { ReceiveLimits } from '../config/config.ts'
import { answerConnectionFaults, headersBytesMax, refuseHosts } from './connection-faults.ts'
import { type ListenAddress, listenAt } from './listen-address.ts'
import { followSockets } from './open-sockets.ts'
import type { ProtocolHints } from './protocol-hints.ts'
import type { TlsFiles } from './tls-files.ts'

export interface Listener {
  /** The address for programs of this machine, for example `http://127.0.0.1:4318`. */
  readonly url: string
  /**
   * Accepts no more connections, lets running requests finish, and closes each connection after its last response.
   * Resolves to the number of connections that were still open after `secondsMax` and were closed.
   */
  drain(secondsMax: number): Promise<number>
}

export interface ListenOptions extends ListenAddress {
  readonly limits: Pick<ReceiveLimits, 'headersSecondsMax' | 'bodySecondsMax'>
  readonly hints: ProtocolHints
  /** Absent to listen without TLS. */
  readonly tls?: TlsFiles | undefined
}

/**
 * Requests of one connection that may wait for a response. Clients send the next one after the response, or a few
 * before it; a packet can contain two thousand, which would be handled before those of all other connections.
 */
const pipelinedMax = 100
/** Milliseconds between two checks of the time limits of incomplete requests. */
const receiveCheckMs = 1_000
/**
 * Milliseconds that an idle connection is kept. Proxies keep connections for a minute; a longer time here ensures that
 * the server never closes a connection while a proxy sends a request.
 */
const keepAliveMs = 65_000

/** Starts to listen for HTTP/1. @throws StartError when the address cannot be used */
export async function listen(answer: RequestListener, options: ListenOptions): Promise<Listener> {
  const { limits, tls, hints } = options
  let draining = false
  const running = new Set<ServerResponse>()
  const unansweredOf = followResponses()
  const respond: RequestListener = (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const unanswered = unansweredOf(socket)
    if (unanswered.size >= pipelinedMax) return void socket.destroy()
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
    const hosts = request.headersDistinct.host?.length ?? 0
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) return refuseHosts(response, hosts)
    running.add(response)
    response.once('close', () => running.delete(response))
    if (draining) closeAfter(response)
    answer(request, response)
  }
  // Node.js would refuse requests without `Host` itself, with a response without a body.
  const checks = {
    connectionsCheckingInterval: receiveCheckMs,
    maxHeaderSize: headersBytesMax,
    requireHostHeader: false,
  }
  const server =
    tls === undefined
      ? createServer(checks, respond)
      : createTlsServer({ ...checks, ...tls.pair(), handshakeTimeout: limits.headersSecondsMax * 1_000 }, respond)
  const sockets = followSockets(server)
  if ('setSecureContext' in server) tls?.follow(server, hints)
  server.keepAliveTimeout = keepAliveMs
  // An expectation that the server does not know may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', respond)
  limitReceiving(server, limits)
  answerConnectionFaults(server, {
    unanswered: (socket) => [...unansweredOf(socket)],
    hints,
  })
  const url = await listenAt(server, options)
  return {
    url,
    drain(secondsMax) {
      draining = true
      running.forEach(closeAfter)
      return sockets.drain(secondsMax, () => server.closeIdleConnections())
    },
  }
}

/** Returns a function that returns the incomplete responses of a connection, in the order of their requests. */
function followResponses(): (socket: Socket) => Set<ServerResponse> {
  const bySocket = new WeakMap<Socket, Set<ServerResponse>>()
  return (socket) => {
    const known = bySocket.get(socket)
    if (known !== undefined) return known
    const unanswered = new Set<ServerResponse>()
    bySocket.set(socket, unanswered)
    socket.once('close', () => unanswered.forEach(closeWaiting))
    return unanswered
  }
}

/** Closes a response that waits behind another one. When a connection closes, Node.js closes only the first of them. */
function closeWaiting(response: ServerResponse): void {
  if (response.socket !== null || response.writableFinished) return
  response.destroy()
  response.emit('close')
}

/**
 * Limits the time in which a request must arrive, also on a connection that has sent nothing yet. The application
 * responds to a late body itself (`watchBody`); the limit here closes what it no longer reads.
 */
function limitReceiving(server: Server, { headersSecondsMax, bodySecondsMax }: ListenOptions['limits']): void {
  server.headersTimeout = headersSecondsMax * 1_000
  server.requestTimeout = (headersSecondsMax + bodySecondsMax) * 1_000
}

/**
 * Closes a connection after its current response. Otherwise, a client that sends requests without a pause would delay
 * the drain until the deadline.
 */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
