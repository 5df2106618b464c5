import { once } from 'node:events'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readBody, SenderGone } from '../../server/ingest/endpoint/request-body.ts'

const bytesMax = 2 ** 20

/** Reads a body of which each piece is part of a buffer of its own. */
async function read(pieces: readonly Buffer[], compression?: 'gzip'): Promise<readonly Buffer[]> {
  let reserved = 0
  const grow = (bytes: number) => {
    reserved += bytes
    return true
  }
  const stream = Readable.from(pieces)
  const body = { stream, compression, announcedBytes: undefined, isComplete: () => stream.readableEnded }
  const receive = { headersSecondsMax: 15, bodySecondsMax: 120, bodyStallSecondsMax: 10 }
  const memory = { grow, growAlways() {}, shrink() {}, release() {} }
  const read = await readBody(body, { bytesMax, memory, receive })
  expect(reserved).toBe(read.reduce((sum, { length }) => sum + length, 0))
  return read
}

/** Returns bytes that are all different within a range of 256, in pieces of a size. */
function inPieces(bytes: number, size: number): Buffer[] {
  const whole = Buffer.from(Array.from({ length: bytes }, (_, index) => index % 256))
  return Array.from({ length: Math.ceil(bytes / size) }, (_, n) => whole.subarray(n * size, (n + 1) * size))
}

it.each([1, 7, 1_000, 16_384])('a body that arrives in pieces of %i bytes is held in few buffers', async (size) => {
  const sent = inPieces(size * 1_000 > 900_000 ? 900_000 : size * 1_000, size)
  const kept = await read(sent)
  expect(Buffer.concat(kept).equals(Buffer.concat(sent))).toBe(true)
  expect(kept.length).toBeLessThan(100)
  const buffers = new Set(kept.map(({ buffer }) => buffer))
  const heldBytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)
  expect(heldBytes).toBeLessThan(2 * Buffer.concat(sent).length + 2 ** 17)
})

it.each([undefined, 'gzip'] as const)(
  'a body of the largest size is read, and one byte more not, in %s',
  async (gzip) => {
    const sent = (bytes: number) => [gzip ? gzipSync(Buffer.alloc(bytes)) : Buffer.alloc(bytes)]
    expect(Buffer.concat(await read(sent(bytesMax), gzip)).length).toBe(bytesMax)
    await expect(read(sent(bytesMax + 1), gzip)).rejects.toMatchObject({ code: 'payload_too_large' })
  },
)

it('small and large pieces keep their order', async () => {
  const sent = [
    ...inPieces(100, 1),
    ...inPieces(40_000, 20_000),
    ...inPieces(100_000, 999),
    ...inPieces(17_000, 17_000),
  ]
  expect(Buffer.concat(await read(sent)).equals(Buffer.concat(sent))).toBe(true)
})

it('a compressed body that arrives in single bytes is decompressed', async () => {
  const content = Buffer.concat(inPieces(100_000, 100_000))
  const sent = [...gzipSync(content)].map((byte) => Buffer.from([byte]))
  expect(Buffer.concat(await read(sent, 'gzip')).equals(content)).toBe(true)
})

it('gzip in several members is read whole, and a member after zeros is refused instead of ignored', async () => {
  const member = gzipSync(Buffer.from('content'))
  expect(Buffer.concat(await read([member, member], 'gzip')).toString()).toBe('contentcontent')
  const apart = [Buffer.concat([member, Buffer.alloc(9)]), member]
  await expect(read(apart, 'gzip')).rejects.toThrow('The body has bytes after the end of its gzip.')
})

it('a body whose sender left before it was read is given up at once', async () => {
  const stream = Readable.from([Buffer.alloc(1)])
  await once(stream.destroy(), 'close')
  const body = { stream, compression: undefined, announcedBytes: undefined, isComplete: () => false }
  const receive = { headersSecondsMax: 3_600, bodySecondsMax: 3_600, bodyStallSecondsMax: 3_600 }
  const memory = { grow: () => true, growAlways() {}, shrink() {}, release() {} }
  await expect(readBody(body, { bytesMax, memory, receive })).rejects.toThrow(SenderGone)
})
