import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, inject, it, onTestFinished } from 'vitest'
import { remoteSource } from '../../server/clickhouse/endpoint.ts'
import { clientOf, column } from './own-engine.ts'

/**
 * Starts a ClickHouse server that only requires a user and a password: a proxy to the engine of this run that adds the
 * gate header.
 */
async function startRemote(): Promise<string> {
  const { url, headers } = inject('engine')
  const server = createServer((incoming, outgoing) => {
    const target = { method: incoming.method ?? 'GET', headers: { ...incoming.headers, ...headers } }
    const forwarded = request(`${url}${incoming.url}`, target, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('reads a remote ClickHouse with a user and a password', async () => {
  const { username, password } = inject('engine')
  const clickhouse = clientOf(remoteSource({ url: await startRemote(), user: username, password }), 'default')
  expect(await column(clickhouse, 'SELECT currentUser()')).toEqual([username])
  expect(clickhouse.state).toBe('ready')
})

it('reports a wrong password as a failure, not as an unavailable store', async () => {
  const { username, password } = inject('engine')
  const source = remoteSource({ url: await startRemote(), user: username, password: `${password}!` })
  await expect(column(clientOf(source, 'default'), 'SELECT 1')).rejects.toThrow('AUTHENTICATION_FAILED (code 516)')
})

const oneRow = '{"meta":[{"name":"n"}],"data":[[1]],"statistics":{"elapsed":0,"rows_read":1,"bytes_read":1}}'

it.each(['destroy', 'resetAndDestroy'] as const)('sends reads again whose sockets expired (%s)', async (expire) => {
  // As many as may be under way at the same time (`backgroundReadTurns`).
  const count = 2
  const waiting: ServerResponse[] = []
  let open: Socket[] = []
  let expired: Socket[] = []
  const server = createServer((incoming, outgoing) => {
    const { socket } = incoming
    if (expired.includes(socket)) socket[expire]()
    else {
      open.push(socket)
      waiting.push(outgoing)
      // No read is answered before all are under way, so that each has a socket of its own.
      if (waiting.length === count) for (const response of waiting.splice(0)) response.end(oneRow)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const source = remoteSource({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const clickhouse = clientOf(source)
  const reads = () => Promise.all(Array.from({ length: count }, () => column(clickhouse, 'SELECT 1')))
  expect(await reads()).toEqual([[1], [1]])
  expired = open
  open = []
  expect(new Set(expired).size).toBe(count)
  expect(await reads()).toEqual([[1], [1]])
  expect(open).toHaveLength(count)
})

it('reports a connection that breaks within a response as unavailable', async () => {
  const server = createServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': '100' })
    outgoing.write('{"meta":')
    setImmediate(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const source = remoteSource({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  await expect(column(clientOf(source), 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' })
})
