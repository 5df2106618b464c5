import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject, onTestFinished } from 'vitest'

/** The run's engine as a ClickHouse that server processes reach by an address, with a database that is gone after the test. */
export interface EngineDoor {
  /** Settings of a server that uses it. */
  readonly env: Readonly<Record<string, string>>
}

/** The engine answers only to those who know its secret header, which no setting can give: here it is put in. */
export async function openEngineDoor(): Promise<EngineDoor> {
  const { url, username, password, headers } = inject('engine')
  const door = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', url)
    const passed = request(target, { method: incoming.method ?? 'GET', headers: { ...incoming.headers, ...headers } })
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const address = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  const database = `test_${randomUUID().replaceAll('-', '')}`
  onTestFinished(async () => {
    const query = `DROP DATABASE IF EXISTS ${database} SYNC`
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    await fetch(address, { method: 'POST', body: query, headers: { authorization } })
    door.closeAllConnections()
    door.close()
  })
  return {
    env: {
      ...{ CLICKHOUSE_URL: address, CLICKHOUSE_USER: username },
      ...{ CLICKHOUSE_PASSWORD: password, CLICKHOUSE_DATABASE: database },
    },
  }
}
