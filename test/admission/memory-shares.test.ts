import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { MemoryShares } from '../../server/admission/memory-shares.ts'
import { request, span } from '../support/otlp-json.ts'
import { type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'

const shares = (bytesMax: number) => new MemoryShares(bytesMax, () => {})

it('an organization alone gets three quarters of the memory, in several requests', () => {
  const memory = shares(1000)
  const requests = Array.from({ length: 10 }, () => memory.open('a'))
  expect(requests.map((each) => each.grow(100))).toEqual([...Array(7).fill(true), false, false, false])
})

it('the only request in progress gets all memory it needs', () => {
  const memory = shares(1000)
  const only = memory.open('a')
  expect(only.grow(5000)).toBe(true)
  expect(memory.open('b').grow(1)).toBe(false)
  only.release()
  expect(memory.open('b').grow(1)).toBe(true)
})

it('the only request in progress gets it in several steps, and alone again after others', () => {
  const memory = shares(1000)
  const only = memory.open('a')
  const other = memory.open('b')
  expect([other.grow(100), only.grow(100), only.grow(5000)]).toEqual([true, true, false])
  other.release()
  expect([only.grow(5000), only.grow(5000)]).toEqual([true, true])
  only.shrink(10_100)
  const next = memory.open('c')
  expect([next.grow(5000), only.grow(1)]).toEqual([true, false])
})

it('what is reserved in any case counts, and is free after its release', () => {
  const memory = shares(1000)
  const forced = memory.open('a')
  forced.growAlways(5000)
  expect(memory.open('b').grow(1)).toBe(false)
  forced.release()
  expect([memory.open('b').grow(400), memory.open('c').grow(400)]).toEqual([true, true])
})

it('organizations that take all they can converge to equal shares, and some memory remains for the next', () => {
  const memory = shares(10_000)
  const held = new Map<string, { release(): void }[]>()
  const take = (org: string) => {
    const one = memory.open(org)
    if (one.grow(10)) held.set(org, [...(held.get(org) ?? []), one])
  }
  for (let i = 0; i < 2000; i++) take('flood')
  for (let i = 0; i < 5000; i++) {
    held.get('flood')?.shift()?.release()
    take('flood')
    take('late')
  }
  expect(held.get('late')?.length).toBeCloseTo(held.get('flood')?.length ?? 0, -2)
  expect(memory.open('third').grow(1000)).toBe(true)
})

/** Sends most of a gzip body and then nothing. Resolves when the server holds at least `bytes` bytes. */
async function stall(server: OtlpServer, org: string, bytes: number): Promise<Socket> {
  const body = gzipSync(JSON.stringify(request(span({ name: 'x'.repeat(400_000) }))), { level: 0 })
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const head = [
    'POST /v1/traces HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${org}/ingest`,
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(body.subarray(0, -1000))
  const gauge = server.metrics.registry.getSingleMetric('tracefold_ingest_in_flight_bytes')
  while (((await gauge?.get())?.values[0]?.value ?? 0) < bytes) await new Promise((resolve) => setImmediate(resolve))
  return socket
}

it('stalled gzip bodies of one organization do not keep the telemetry of another out', async () => {
  const server = await startOtlpServer({
    inFlightBytesMax: 2_000_000,
    bodySecondsMax: 3_600,
    bodyStallSecondsMax: 3_600,
    sink: () => ({ insert: async () => {} }),
  })
  onTestFinished(() => server.close())
  for (let sockets = 1; sockets <= 3; sockets++) await stall(server, 'stalled', sockets * 300_000)
  const large = request(span({ name: 'x'.repeat(300_000) }))
  expect((await send(server, large, { org: 'stalled' })).status).toBe(429)
  expect((await send(server, request(span()), { org: 'other' })).status).toBe(200)
})
