import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import type { Handlers } from '../../server/http/contract/handlers.ts'
import { type StubApp, startStubApp } from '../support/stub-app.ts'
import { collectWarnings } from '../support/warnings.ts'

interface Answer {
  readonly encoding: string | undefined
  readonly vary: string | undefined
  readonly length: string | undefined
  readonly bytes: Buffer
}

/** Sends a request with exactly these headers, and leaves the body as it arrives. */
function get(app: StubApp, path: string, acceptEncoding?: string, method = 'GET'): Promise<Answer> {
  const headers = {
    authorization: 'Bearer admin',
    ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
  }
  return new Promise((resolve, reject) => {
    httpRequest(app.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { 'content-encoding': encoding, vary, 'content-length': length } = response.headers
        resolve({ encoding, vary, length, bytes: Buffer.concat(chunks) })
      })
    })
      .on('error', reject)
      .end()
  })
}

const long = { subject: 'x'.repeat(50_000), org: 'acme', role: 'admin' } as const
const longCaller: Partial<Handlers> = { getCaller: () => ({ status: 200, body: long }) }

it.each([
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['br;q=1, gzip;q=0.5', 'gzip'],
  ['*', 'gzip'],
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['br', undefined],
  ['gzip;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
])('a client that accepts %j gets %j', async (accepted, encoding) => {
  const app = await startStubApp({ handlers: longCaller })
  const answer = await get(app, '/api/v1/me', accepted)
  expect([answer.encoding, answer.vary]).toEqual([encoding, 'Accept-Encoding'])
  expect(answer.length).toBe(String(answer.bytes.length))
  const text = encoding === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes
  expect(JSON.parse(text.toString())).toEqual(long)
  if (encoding === 'gzip') expect(answer.bytes.length).toBeLessThan(1_000)
})

it('a short response is sent as it is, and HEAD has no body', async () => {
  const app = await startStubApp({ handlers: longCaller })
  expect((await get(app, '/api/v1/api-keys', 'gzip', 'HEAD')).bytes.length).toBe(0)
  expect((await get(app, '/api/v1/me', 'gzip', 'HEAD')).bytes.length).toBe(0)
  const short = await startStubApp()
  expect(await get(short, '/api/v1/me', 'gzip')).toMatchObject({ encoding: undefined, vary: 'Accept-Encoding' })
})

it('the OpenAPI document is compressed', async () => {
  const app = await startStubApp()
  const [plain, packed] = [await get(app, '/openapi.json'), await get(app, '/openapi.json', 'gzip')]
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4)
})

/** A streamed body of `count` pieces that gzip cannot shrink, which counts the pieces that were read. */
function streamed(count: number) {
  const produced = { count: 0, ended: false }
  async function* pieces() {
    try {
      for (; produced.count < count; produced.count += 1) yield Buffer.from(randomHex(256 * 1024))
    } finally {
      produced.ended = true
    }
  }
  const handlers = { getMessage: () => ({ status: 200, stream: { pieces: pieces(), heldBytes: 0 } }) }
  return { produced, handlers: handlers as unknown as Partial<Handlers> }
}

function randomHex(length: number): string {
  let text = ''
  while (text.length < length) text += Math.random().toString(36).slice(2)
  return text.slice(0, length)
}

const message = `/api/v1/messages/${'a'.repeat(32)}`

it('a streamed response is compressed, and arrives whole', async () => {
  const { produced, handlers } = streamed(20)
  const app = await startStubApp({ handlers, checkResponses: false })
  const answer = await get(app, message, 'gzip')
  expect([answer.encoding, gunzipSync(answer.bytes).length]).toEqual(['gzip', 20 * 256 * 1024])
  expect(produced).toEqual({ count: 20, ended: true })
})

it('a compressed stream is produced only as fast as the client reads, and ends with the client', async () => {
  const { produced, handlers } = streamed(1_000)
  const app = await startStubApp({ handlers, checkResponses: false })
  const warnings = collectWarnings()
  const headers = { authorization: 'Bearer admin', 'accept-encoding': 'gzip' }
  const client = httpRequest(app.url + message, { headers }, (response) => void response.pause())
  client.on('error', () => {}).end()
  // Nobody reads: production stops once the buffers of both sockets are full.
  let last = -1
  while (produced.count === 0 || produced.count !== last) {
    last = produced.count
    await sleep(200)
  }
  expect(produced.count).toBeLessThan(100)
  client.destroy()
  while (!produced.ended) await sleep(10)
  expect(warnings).toEqual([])
})

it.each(['/openapi.json', '/docs/swagger-ui-bundle.js'])(
  'many responses of %s which nobody reads hold no memory of their own',
  async (path) => {
    const requests = 400
    let received = 0
    let allReceived = () => {}
    const arrival = new Promise<void>((resolve) => {
      allReceived = resolve
    })
    const app = await startStubApp({
      warnOfPlainCredential: () => {
        if (++received === requests) allReceived()
      },
    })
    await get(app, path, 'gzip')
    received = 0
    const before = process.memoryUsage().arrayBuffers
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`.repeat(requests))
    await arrival
    await get(app, path, 'gzip')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 ** 2)
  },
)
