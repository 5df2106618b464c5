import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { request, span } from '../support/otlp-json.ts'
import { encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { countRows, type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'
import { endOf, openSession, openStream, prefixed } from './http2-wire.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer({ bodyBytesMax: 100_000 })
})
afterAll(() => server.close())

const body = encodeTraces(fromOtlpJson(request(span())))

/** Sends bytes that are called deflate, and returns the status of the response. */
async function statusOf(bytes: Buffer): Promise<number> {
  return (await send(server, bytes, { org: 'deflate', headers: { 'Content-Encoding': 'deflate' } })).status
}

it('a body in deflate is stored, and is the same as the body without compression', async () => {
  expect(await statusOf(deflateSync(body))).toBe(200)
  expect((await send(server, body, { org: 'deflate' })).status).toBe(200)
  expect(await countRows(server.clickhouse, 'deflate')).toBe(1)
})

it('a body without bytes succeeds, also if it is called deflate', async () => {
  for (const bytes of [Buffer.alloc(0), deflateSync('')]) expect(await statusOf(bytes)).toBe(200)
})

it('a body with invalid or truncated deflate gets 400', async () => {
  for (const bytes of [body, deflateSync(body).subarray(0, -9)]) expect(await statusOf(bytes)).toBe(400)
})

it('a body with bytes after its deflate gets 400, also if they are deflate, and is not stored in part', async () => {
  const deflated = (name: string) => deflateSync(encodeTraces(fromOtlpJson(request(span({ name })))))
  for (const rest of [deflated('b'), Buffer.from('xx'), Buffer.alloc(50_000)]) {
    const response = await send(server, Buffer.concat([deflated('a'), rest]), {
      org: 'followed',
      headers: { 'Content-Encoding': 'deflate' },
    })
    expect(response.status).toBe(400)
  }
  expect(await countRows(server.clickhouse, 'followed')).toBe(0)
})

it('a body in deflate over the limit after decompression gets 413', async () => {
  expect(await statusOf(deflateSync(Buffer.alloc(50 * 2 ** 20)))).toBe(413)
})

it('a gRPC message in deflate succeeds', async () => {
  const session = openSession(server.grpcUrl)
  onTestFinished(() => session.destroy())
  const stream = openStream(session, { 'grpc-encoding': 'deflate' })
  stream.end(prefixed(deflateSync(body), { flag: 1 }))
  expect((await endOf(stream)).headers['grpc-status']).toBe('0')
})
