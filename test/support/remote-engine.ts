import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject, onTestFinished } from 'vitest'
import { newDatabaseName } from './engine.ts'

/** What a load balancer responds with in place of ClickHouse. */
export interface BalancerPage {
  readonly status: number
  readonly text: string
}

/**
 * Starts a ClickHouse server that only requires a user and a password: a proxy to the engine of this run that adds the
 * gate header. It answers statements that `isRefused` selects with a page, as a load balancer does when no server
 * behind it runs.
 */
export async function startRemote(
  isRefused: (statement: string) => boolean = () => false,
  pageOf: () => BalancerPage = () => ({ status: 503, text: '' }),
): Promise<string> {
  const { url, headers } = inject('engine')
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (isRefused(body.toString('utf8'))) {
      const { status, text } = pageOf()
      outgoing.writeHead(status, { 'content-type': 'text/html' }).end(text)
      return
    }
    const target = { method: incoming.method ?? 'GET', headers: { ...incoming.headers, ...headers } }
    const forwarded = request(`${url}${incoming.url}`, target, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    forwarded.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns the settings of a server that uses the engine of this run at an address of `startRemote`. */
export function remoteEnv(url: string, database = newDatabaseName()): Readonly<Record<string, string>> {
  const { username, password } = inject('engine')
  return {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_DATABASE: database,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
  }
}
