import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterEach, expect, it } from 'vitest'
import { answerProblems } from '../../server/http/response/error-middleware.ts'
import { ResponseMemory } from '../../server/http/response/response-memory.ts'
import { sendStream } from '../../server/http/response/send-response.ts'
import { problem } from '../../server/problem/problem.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** Serves a stream of these pieces, which then fails. */
async function serveFailing(pieces: readonly Buffer[]): Promise<string> {
  async function* failing() {
    yield* pieces
    throw problem('unavailable', 'The engine is gone.', { retryAfterSeconds: 7 })
  }
  const app = express()
  app.use((request, _response, next) => {
    Object.assign(request, { log: { info() {}, debug() {} } })
    next()
  })
  app.get('/', async (_request, response) => {
    const stream = { pieces: failing(), heldBytes: 0, mediaType: 'application/json' }
    await sendStream(response, stream, new ResponseMemory(1e9).reserveFor('acme'), new AbortController().signal)
  })
  app.use(answerProblems(undefined, []))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const ask = (url: string) => fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })

it('a stream that fails while the compressor holds all of it is answered with a readable problem', async () => {
  const response = await ask(await serveFailing([Buffer.from('{"items":['), Buffer.alloc(2_000, 'x')]))
  expect([response.status, response.headers.get('Content-Encoding')]).toEqual([503, null])
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  expect(await response.json()).toMatchObject({ code: 'unavailable', detail: 'The engine is gone.' })
})

it('a stream that fails after its first bytes breaks off', async () => {
  const pieces = Array.from({ length: 40 }, () =>
    Buffer.from(Array.from({ length: 65_536 }, () => Math.random() * 256)),
  )
  const broken = ask(await serveFailing(pieces)).then((response) => response.arrayBuffer())
  await expect(broken).rejects.toThrow()
})
