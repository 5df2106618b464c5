import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReceiveLimits } from '../config/config.ts'
import { answerConnectionFaults } from './connection-faults.ts'

/** The server cannot start, for a reason that the operator can resolve. The message says how. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export interface Listener {
  /** For example `http://127.0.0.1:4318`. */
  readonly url: string
  /**
   * Accepts no more connections, lets running requests finish, and closes each connection after its last response.
   * Resolves to the number of connections that were still open after `secondsMax` and were closed.
   */
  drain(secondsMax: number): Promise<number>
}

export interface ListenOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly limits: Pick<ReceiveLimits, 'headersSecondsMax' | 'bodySecondsMax'>
}

const idlePollMs = 25
/** Milliseconds between two checks of the time limits of incomplete requests. */
const receiveCheckMs = 1_000
/**
 * Milliseconds that an idle connection is kept. Proxies keep connections for a minute; a longer time here ensures that
 * the server never closes a connection while a proxy sends a request.
 */
const keepAliveMs = 65_000

/** Starts to listen. @throws StartError when the address cannot be used */
export async function listen(answer: RequestListener, { host, port, limits }: ListenOptions): Promise<Listener> {
  let draining = false
  const running = new Set<ServerResponse>()
  const server = createServer({ connectionsCheckingInterval: receiveCheckMs }, (request, response) => {
    running.add(response)
    response.once('close', () => running.delete(response))
    if (draining) closeAfter(response)
    answer(request, response)
  })
  server.keepAliveTimeout = keepAliveMs
  limitReceiving(server, limits)
  answerConnectionFaults(server, (socket) => [...running].some((each) => each.socket === socket && each.headersSent))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, host, port)))
    server.listen({ host, port }, resolve)
  })
  return {
    url: urlOf(server.address() as AddressInfo),
    drain(secondsMax) {
      draining = true
      running.forEach(closeAfter)
      return close(server, secondsMax)
    },
  }
}

/**
 * Limits the time in which a request must arrive, also on a connection that has sent nothing yet. The application
 * responds to a late body itself (`limitReceipt`); the limit here closes what it no longer reads.
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

async function close(server: Server, secondsMax: number): Promise<number> {
  let cut = 0
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), idlePollMs)
  const deadline = setTimeout(() => {
    server.getConnections((_error, count) => {
      cut = count ?? 0
      server.closeAllConnections()
    })
  }, secondsMax * 1_000)
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
  return cut
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function explain(error: Error, host: string, port: number): Error {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is in use by another program. ` +
        'Choose another one with --port or PORT (0 selects a free port).',
    )
  }
  if (code === 'EACCES') return new StartError(`This user is not permitted to listen on port ${port} of ${host}.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`${host} is not an address of this machine. Set HOST to one that is.`)
  }
  return error
}
