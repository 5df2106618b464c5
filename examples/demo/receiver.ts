import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The receiver of the demo's webhooks. */
export interface WebhookReceiver {
  readonly url: string
  /** The body of the first request. */
  readonly first: Promise<string>
  stop(): void
}

/** Receives webhooks on loopback. Calls `onLater` with the body of each request after the first. */
export async function receiveWebhooks(onLater: (body: string) => void): Promise<WebhookReceiver> {
  let receiveFirst: ((body: string) => void) | undefined
  const first = new Promise<string>((resolve) => {
    receiveFirst = resolve
  })
  const server = createServer((request, response) => {
    const answer = (body: string) => {
      response.writeHead(204).end()
      const receive = receiveFirst ?? onLater
      receiveFirst = undefined
      receive(body)
    }
    // A request may break off when the demo stops.
    text(request).then(answer, () => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, first, stop }
}
