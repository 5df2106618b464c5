import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server cannot start, for a reason that the person who starts it can mend; the message says which. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export interface Listener {
  /** For example `http://127.0.0.1:4318`. */
  readonly url: string
  /**
   * Takes no more connections, lets running requests end, and answers the last one of each connection with
   * `Connection: close`. Resolves to the number of connections that were cut because they were not done in time.
   */
  drain(secondsMax: number): Promise<number>
}

export interface ListenOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
}

const idlePollMs = 25
/**
 * Longer than the minute for which proxies keep connections, so that it is never this side that closes one under a new
 * request.
 */
const keepAliveMs = 65_000

/** @throws StartError when the address cannot be listened on */
export async function listen(answer: RequestListener, { host, port }: ListenOptions): Promise<Listener> {
  let draining = false
  const running = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    running.add(response)
    response.once('close', () => running.delete(response))
    if (draining) closeAfter(response)
    answer(request, response)
  })
  server.keepAliveTimeout = keepAliveMs
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

/** Otherwise a sender that never pauses would keep its connection, and the drain, going to the deadline. */
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
      `Port ${port} on ${host} is in use by another program. Choose another one with --port or PORT (0 takes a free one).`,
    )
  }
  if (code === 'EACCES') return new StartError(`Port ${port} on ${host} may not be used by this user.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`${host} is no address of this machine. Set HOST to one that is.`)
  }
  return error
}
