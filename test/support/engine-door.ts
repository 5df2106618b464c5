import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Endpoint } from '../../server/clickhouse/endpoint.ts'

/** An address of an embedded engine for ordinary clients, whose requests lack the header that the engine requires. */
export interface EngineDoor {
  /** Returns the address with credentials and a database. */
  addressOf(database: string): string
  close(): void
}

export async function openEngineDoor({ url, headers, username, password }: Endpoint): Promise<EngineDoor> {
  const server = createServer((query, answer) => {
    const passed = { ...query.headers, ...headers, host: new URL(url).host }
    const forwarded = request(new URL(query.url ?? '', url), { method: query.method, headers: passed }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
      response.on('error', () => answer.destroy())
    })
    forwarded.on('error', () => answer.destroy())
    answer.on('close', () => forwarded.destroy())
    query.pipe(forwarded)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    addressOf(database) {
      const address = new URL(`http://127.0.0.1:${port}/${database}`)
      return Object.assign(address, { username, password: encodeURIComponent(password) }).href
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
