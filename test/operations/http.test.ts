import { request } from 'node:http'
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
