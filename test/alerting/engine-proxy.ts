import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject, onTestFinished } from 'vitest'
import type { Endpoint } from '../../server/clickhouse/endpoint.ts'
import { newDatabaseName } from '../support/engine.ts'
import { shardsCluster } from '../support/shards.ts'

/**
 * Proxies to the engine of the test run, or to its shards, so that server processes can reach them by address. The
 * database is dropped after the test.
 */
export interface EngineProxy {
  /** Settings of a server that uses the proxies. */
  readonly env: Readonly<Record<string, string>>
}

export async function openEngineProxy(): Promise<EngineProxy> {
  const shards = inject('shards')
  const database = newDatabaseName()
  const addresses: string[] = []
  for (const endpoint of shards.length > 0 ? shards : [inject('engine')])
    addresses.push(await openProxy(endpoint, [database, `${database}_shard`]))
  return {
    env: {
      CLICKHOUSE_URL: addresses.join(','),
      CLICKHOUSE_DATABASE: database,
      ...(shards.length > 0 ? { CLICKHOUSE_CLUSTER: shardsCluster } : {}),
    },
  }
}

/** Starts a proxy that adds the password and the secret header of an engine, which differ from shard to shard. */
async function openProxy(
  { url, username, password, headers }: Endpoint,
  databases: readonly string[],
): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const proxy = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', url)
    const passed = request(target, {
      method: incoming.method ?? 'GET',
      headers: { ...incoming.headers, ...headers, authorization },
    })
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  onTestFinished(async () => {
    for (const database of databases)
      await fetch(address, { method: 'POST', body: `DROP DATABASE IF EXISTS ${database} SYNC` })
    proxy.closeAllConnections()
    proxy.close()
  })
  return address
}
