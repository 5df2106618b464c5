import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, inject, it, onTestFinished } from 'vitest'
import { mapClickHouseError, QueryFailed } from '../../server/clickhouse/clickhouse-errors.ts'
import { remoteSource } from '../../server/clickhouse/endpoint.ts'
import { storeError } from '../../server/metadata/store-error.ts'
import { clientOf, column, insertNumbers, query } from '../support/own-engine.ts'
import { startRemote } from '../support/remote-engine.ts'

it('reads a remote ClickHouse with a user and a password', async () => {
  const { username, password } = inject('engine')
  const clickhouse = clientOf(remoteSource({ url: await startRemote(), user: username, password }), 'default')
  expect(await column(clickhouse, 'SELECT currentUser()')).toEqual([username])
  expect(clickhouse.state).toBe('ready')
})

it('reports a store that refuses the password as unavailable, with its reason as the cause', async () => {
  const { username, password } = inject('engine')
  const source = remoteSource({ url: await startRemote(), user: username, password: `${password}!` })
  const read = column(clientOf(source, 'default'), 'SELECT 1')
  await expect(read).rejects.toMatchObject({
    code: 'unavailable',
    cause: expect.objectContaining({ message: expect.stringContaining('AUTHENTICATION_FAILED (code 516)') }),
  })
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
      if (waiting.length === count)
        for (const response of waiting.splice(0)) response.setHeader('x-clickhouse-query-id', 'id').end(oneRow)
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
    outgoing.writeHead(200, { 'content-length': '100', 'x-clickhouse-query-id': 'id' })
    outgoing.write('{"meta":')
    setImmediate(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const source = remoteSource({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  await expect(column(clientOf(source), 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' })
})

it.each([
  [200, '<html><title>Maintenance</title></html>'],
  [200, '{"status":"maintenance"}'],
  [200, ''],
  [404, '404 page not found'],
  [429, ''],
  [500, '<html><title>500 Internal Server Error</title></html>'],
  [502, '<html><title>502 Bad Gateway</title></html>'],
  [503, ''],
  [504, 'upstream request timeout'],
])('reports status %i of a load balancer without a running ClickHouse as unavailable: %j', async (status, page) => {
  for (const call of await callsAnsweredWith(status, page))
    await expect(call()).rejects.toMatchObject({ code: 'unavailable' })
})

it('reports a request that is too large for a proxy as a failure, which would not go away', async () => {
  for (const call of await callsAnsweredWith(414, '<html><title>414 Request-URI Too Large</title></html>'))
    await expect(call()).rejects.toBeInstanceOf(QueryFailed)
})

/** Returns calls of a ClickHouse in whose place something else responds. */
async function callsAnsweredWith(status: number, page: string): Promise<(() => Promise<unknown>)[]> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume()
    incoming.once('end', () => outgoing.writeHead(status).end(page))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const source = remoteSource({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const clickhouse = clientOf(source)
  const long = query('SELECT {p0:String}', { p0: 'x'.repeat(20_000) })
  return [
    () => column(clickhouse, 'SELECT 1'),
    () => clickhouse.read(long, { for: 'system', label: 'a test' }),
    () => clickhouse.readBlocks(query('SELECT 1'), { for: 'system', label: 'a test' })[Symbol.asyncIterator]().next(),
    () => clickhouse.command('SELECT 1'),
    () => clickhouse.createDatabase(),
    () => insertNumbers(clickhouse, 'token', [[1, 1]]),
  ]
}

it('reports the lack of free file descriptors as unavailable, with the reason for the log', () => {
  const error = Object.assign(new Error('connect EMFILE 127.0.0.1:8123'), { code: 'EMFILE' })
  for (const mapped of [mapClickHouseError(error, 'an insert'), storeError(error)])
    expect(mapped).toMatchObject({ code: 'unavailable', cause: error })
})
