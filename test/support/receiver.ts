import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The raw body. */
  readonly body: string
}

export interface ReceiverAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface Receiver {
  readonly url: string
  /** The requests, oldest first. */
  readonly received: Received[]
  /** Returns the largest number of requests that were open at the same time. */
  readonly openMax: () => number
}

/** Returns the response to a request, by its number from 1 on, or writes to `response` itself and returns `later`. */
export type Respond = (number: number, response: ServerResponse, received: Received) => ReceiverAnswer | 'later'

/** Starts an HTTP server on loopback that stops when the test ends. */
export async function startReceiver(respond: Respond = () => ({ status: 200, body: 'ok' })): Promise<Receiver> {
  const received: Received[] = []
  let open = 0
  let openMax = 0
  const server = createServer((request, response) => {
    open += 1
    openMax = Math.max(openMax, open)
    response.once('close', () => {
      open -= 1
    })
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const got = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') }
      received.push(got)
      const answer = respond(received.length, response, got)
      if (answer !== 'later') response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  const port = await listen(server)
  onTestFinished(() => void server.closeAllConnections())
  return { url: `http://127.0.0.1:${port}/hooks?token=in-the-query`, received, openMax: () => openMax }
}

function listen(server: Server): Promise<number> {
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
