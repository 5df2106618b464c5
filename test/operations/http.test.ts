import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../server/lifecycle/listener.ts'
import { StartError } from '../../server/lifecycle/start-error.ts'
import { collectHints } from '../support/hints.ts'

const options = {
  limits: { headersSecondsMax: 15, bodySecondsMax: 120 },
  setting: 'PORT',
  hints: collectHints(),
}

/** A server that withholds its responses until the test releases them. */
async function slowServer() {
  const held: (() => void)[] = []
  let arrived = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const listener = await listen(
    (_request, response) => {
      held.push(() => response.end('done'))
      arrived()
    },
    { host: '127.0.0.1', port: 0, ...options },
  )
  const release = () => {
    for (const answer of held) answer()
  }
  return { ...listener, arrival, release }
}

it('draining completes running requests and accepts no new connections', async () => {
  const server = await slowServer()
  const running = fetch(server.url)
  await server.arrival
  const drained = server.drain(30)
  await expect(fetch(server.url)).rejects.toThrow()
  server.release()
  const answer = await running
  expect(await answer.text()).toBe('done')
  expect(await drained).toBe(0)
})

it('draining closes idle connections immediately', async () => {
  const server = await slowServer()
  const first = fetch(server.url)
  await server.arrival
  server.release()
  await (await first).text()
  expect(await server.drain(30)).toBe(0)
})

it('draining closes connections immediately over which nothing has been sent', async () => {
  const server = await slowServer()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const running = fetch(server.url)
  await server.arrival
  const drained = server.drain(30)
  await once(socket.resume(), 'close')
  server.release()
  expect((await running).status).toBe(200)
  expect(await drained).toBe(0)
})

it('draining cuts connections at the deadline and returns their number', async () => {
  const server = await slowServer()
  const running = fetch(server.url).catch(() => 'cut')
  await server.arrival
  expect(await server.drain(0)).toBe(1)
  expect(await running).toBe('cut')
})

it('the last response of a connection announces that it is closed', async () => {
  const server = await slowServer()
  const connection = new Promise<string | undefined>((resolve, reject) => {
    request(server.url, { headers: { connection: 'keep-alive' } }, (response) => {
      response.resume()
      resolve(response.headers.connection)
    })
      .on('error', reject)
      .end()
  })
  await server.arrival
  const drained = server.drain(30)
  server.release()
  expect(await connection).toBe('close')
  await drained
})

/** Sends requests in one packet and resolves to everything that is received until the connection is closed. */
async function pipeline(url: string, requests: number): Promise<string> {
  const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests - 1) + last)
  let received = ''
  for await (const piece of socket.setEncoding('latin1').iterator({ destroyOnReturn: false })) received += piece
  return received
}

it('a hundred requests may wait on one connection, and one with more is closed', async () => {
  let handled = 0
  const listener = await listen(
    (_request, response) => {
      handled++
      setImmediate(() => response.end('done'))
    },
    { host: '127.0.0.1', port: 0, ...options },
  )
  onTestFinished(async () => void (await listener.drain(0)))
  expect((await pipeline(listener.url, 100)).match(/200 OK/g)).toHaveLength(100)
  expect(handled).toBe(100)
  expect(await pipeline(listener.url, 1_500).catch(() => '')).toBe('')
  expect(handled).toBe(200)
})

it('a port in use is reported in one line that says what to do', async () => {
  const first = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0, ...options })
  onTestFinished(() => void first.drain(0))
  const port = Number(new URL(first.url).port)
  const second = listen((_request, response) => response.end(), { host: '127.0.0.1', port, ...options })
  await expect(second).rejects.toThrow(StartError)
  await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use by another program. Choose another one`)
})

it('an address of another machine is refused', async () => {
  const listening = listen((_request, response) => response.end(), { host: '192.0.2.1', port: 0, ...options })
  await expect(listening).rejects.toThrow('192.0.2.1 is not an address of this machine')
})
