import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, inject, it, onTestFinished } from 'vitest'
import { openCluster } from '../../server/clickhouse/cluster.ts'
import { freshDatabase } from '../support/engine.ts'
import { column, createNumbers, insertNumbers, until } from '../support/own-engine.ts'
import { queryLimits } from '../support/query-limits.ts'
import { silentLogger } from '../support/silent-logger.ts'

/** Starts a node that accepts connections and never answers, as a machine does that hangs. */
async function startSilentNode(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('inserts go to another node while one into a silent node waits', async () => {
  const direct = await freshDatabase()
  onTestFinished(() => direct.close())
  await createNumbers(direct)
  const engine = inject('engine')
  // The same object every time, because a client connects again when its endpoint changes.
  const silent = { ...engine, url: await startSilentNode() }
  const cluster = openCluster({
    nodes: [
      { state: 'restarting', endpoint: () => silent },
      { state: 'ready', endpoint: () => engine },
    ],
    name: 'none',
    database: direct.database,
    limits: queryLimits,
    logger: silentLogger,
  })
  onTestFinished(() => cluster.close())
  let hasEnded = false
  insertNumbers(cluster, 'a', [[1, 1]])
    .catch(() => {})
    .then(() => {
      hasEnded = true
    })
  await until(() => cluster.state === 'ready')
  await insertNumbers(cluster, 'b', [[2, 1]])
  expect(hasEnded).toBe(false)
  expect(await column(direct, 'SELECT toUInt32(n) FROM numbers')).toEqual([2])
})
