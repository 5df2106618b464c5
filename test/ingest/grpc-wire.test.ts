import { once } from 'node:events'
import { constants } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { casesOf, fuzzSettings } from '../support/fuzz-settings.ts'
import { exportPaths, sendGrpc } from '../support/grpc-client.ts'
import { request, span } from '../support/otlp-json.ts'
import { encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { countRows, type OtlpServer, startOtlpServer } from '../support/otlp-server.ts'
import { seededRandom } from '../support/random-source.ts'
import {
  endOf,
  frame,
  frameTypes,
  openSession,
  openSocket,
  openStream,
  preface,
  prefixed,
  untilClosed,
} from './http2-wire.ts'

const body = encodeTraces(fromOtlpJson(request(span())))
const noHeaders = frame(frameTypes.settings, 0, 0)

const { seed } = fuzzSettings
const rounds = casesOf('HTTP/2 frames')

/** Waits for slow clients for longer than any test takes. */
let server: OtlpServer
/** Closes what stalls after a second. */
let impatient: OtlpServer
beforeAll(async () => {
  const start = (secondsMax: number) =>
    startOtlpServer({
      bodyBytesMax: 100_000,
      bodySecondsMax: 3_600,
      headersSecondsMax: secondsMax,
      bodyStallSecondsMax: secondsMax,
      responseStallSecondsMax: secondsMax,
    })
  server = await start(3_600)
  impatient = await start(1)
})
afterAll(async () => {
  await impatient.close()
  await server.close()
})

function session(of = server) {
  const opened = openSession(of.grpcUrl)
  onTestFinished(() => opened.destroy())
  return opened
}

async function answerTo(sent: Uint8Array, headers: Record<string, string> = {}) {
  const stream = openStream(session(), headers)
  stream.end(sent)
  return (await endOf(stream)).headers
}

/** The server still serves others. */
async function expectAlive(of = server): Promise<void> {
  expect((await sendGrpc(of.grpcUrl, body)).code).toBe(0)
  expect(of.errors).toEqual([])
}

describe('a request', () => {
  it('that is not compressed gets a message, and its status in the trailers', async () => {
    for (const headers of [{}, { 'grpc-encoding': 'gzip' }])
      expect(await answerTo(prefixed(body), headers)).toMatchObject({
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': '0',
      })
  })

  it('may arrive byte by byte', async () => {
    const stream = openStream(session())
    for (const byte of prefixed(body)) stream.write(Buffer.of(byte))
    stream.end()
    expect((await endOf(stream)).headers['grpc-status']).toBe('0')
  })

  it('with an unsupported compression is UNIMPLEMENTED, and the supported ones are listed', async () => {
    for (const encoding of ['br', 'zstd', 'gzip, gzip'])
      expect(await answerTo(prefixed(body, { flag: 1 }), { 'grpc-encoding': encoding })).toMatchObject({
        'grpc-status': '12',
        'grpc-accept-encoding': 'identity,gzip,deflate',
      })
  })

  it.each([
    ['another media type', { 'content-type': 'application/json' }, 415],
    ['JSON messages', { 'content-type': 'application/grpc+json' }, 415],
    ['another method', { ':method': 'PUT' }, 405],
  ])('with %s gets an HTTP status', async (_, headers, status) => {
    expect(await answerTo(Buffer.alloc(0), headers)).toMatchObject({ ':status': status })
  })

  it.each([
    ['no message', Buffer.alloc(0)],
    ['half a prefix', Buffer.from([0, 0, 0])],
    ['an unknown flag', prefixed(body, { flag: 2 })],
    ['a compression that is not announced', prefixed(gzipSync(body), { flag: 1 })],
    ['less than its length', prefixed(body, { length: body.length + 1 })],
    ['more than its length', prefixed(body, { length: body.length - 1 })],
    ['two messages', Buffer.concat([prefixed(body), prefixed(body)])],
  ])('with %s is INVALID_ARGUMENT', async (_, sent) => {
    expect(await answerTo(sent)).toMatchObject({ 'grpc-status': '3' })
  })

  it('with truncated gzip is INVALID_ARGUMENT', async () => {
    const cut = gzipSync(body).subarray(0, -9)
    expect(await answerTo(prefixed(cut, { flag: 1 }), { 'grpc-encoding': 'gzip' })).toMatchObject({
      'grpc-status': '3',
    })
  })

  it('that announces too much is refused before it has arrived', async () => {
    const stream = openStream(session())
    stream.write(prefixed(Buffer.alloc(0), { length: 2 ** 32 - 1 }))
    expect(await endOf(stream)).toMatchObject({
      headers: { 'grpc-status': '3', 'grpc-message': expect.stringContaining('100000 bytes') },
      reset: constants.NGHTTP2_NO_ERROR,
    })
  })

  it('without a credential is refused before it has arrived', async () => {
    const stream = openStream(session(), { authorization: '' })
    stream.write(prefixed(Buffer.alloc(0), { length: 1_000 }))
    expect(await endOf(stream)).toMatchObject({
      headers: { 'grpc-status': '16' },
      reset: constants.NGHTTP2_NO_ERROR,
    })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a part of the prefix', Buffer.alloc(2)],
    ['a part of its message', prefixed(body, { length: 5_000 })],
  ])('that stops after %s is UNAVAILABLE, and others on the connection continue', async (_, sent) => {
    const shared = session(impatient)
    const stalled = openStream(shared)
    stalled.write(sent)
    const ended = endOf(stalled)
    const other = openStream(shared)
    other.end(prefixed(body))
    expect((await endOf(other)).headers['grpc-status']).toBe('0')
    expect((await ended).headers).toMatchObject({
      'grpc-status': '14',
      'grpc-status-details-bin': expect.any(String),
    })
    expect(shared.destroyed).toBe(false)
  })
})

describe('a connection', () => {
  it.each([
    ['sends nothing', []],
    ['sends a part of the preface', [preface.subarray(0, 2)]],
    ['sends the preface only', [preface, noHeaders]],
    ['never ends its headers', [preface, noHeaders, frame(frameTypes.headers, 0, 1, Buffer.from([0x83]))]],
  ])('that %s is closed in time', async (_, sent) => {
    await untilClosed(await openSocket(impatient.grpcUrl, ...sent))
  })

  it('that only pings is closed in time', async () => {
    const socket = await openSocket(impatient.grpcUrl, preface, noHeaders)
    const pings = setInterval(() => socket.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8))), 20)
    await untilClosed(socket)
    clearInterval(pings)
  })

  it('with metadata over the limit loses that request only', async () => {
    const shared = session()
    const first = openStream(shared)
    first.end(prefixed(body))
    // The client has accepted the settings of the server by then.
    await endOf(first)
    const huge = openStream(shared, { 'x-huge': 'x'.repeat(20_000) })
    huge.end(prefixed(body))
    const many = openStream(shared, Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'y'])))
    many.end(prefixed(body))
    for (const refused of [await endOf(huge), await endOf(many)]) {
      expect(refused.headers).not.toHaveProperty('grpc-status', '0')
      expect(refused.reset).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    }
    await expectAlive()
  })

  it('whose headers never end in size is closed', async () => {
    const socket = await openSocket(server.grpcUrl, preface, noHeaders, frame(frameTypes.headers, 0, 1))
    const closed = untilClosed(socket)
    const flood = frame(frameTypes.continuation, 0, 1, Buffer.alloc(16_000, 0x83))
    const send = () => {
      while (!socket.destroyed && socket.write(flood));
    }
    socket.on('drain', send)
    send()
    await closed
    await expectAlive()
  })

  it('that opens and resets streams without a pause is closed', async () => {
    const attacker = session()
    let opened = 0
    while (!attacker.destroyed && opened < 20_000) {
      for (let each = 0; each < 50 && !attacker.destroyed; each++, opened++) {
        const stream = openStream(attacker)
        stream.write(prefixed(body))
        stream.close(constants.NGHTTP2_CANCEL)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(attacker.destroyed).toBe(true)
    await expectAlive()
  })

  it('may have a hundred streams at once, and no more', async () => {
    const busy = session()
    await once(busy, 'remoteSettings')
    expect(busy.remoteSettings.maxConcurrentStreams).toBe(100)
    const streams = Array.from({ length: 150 }, () => openStream(busy))
    for (const stream of streams) stream.end(prefixed(body))
    const ends = await Promise.all(streams.map(endOf))
    expect(new Set(ends.map(({ headers }) => headers['grpc-status']))).toEqual(new Set(['0']))
  })

  it('that does not read its response has the stream closed', async () => {
    const deaf = session(impatient)
    deaf.settings({ initialWindowSize: 0 })
    const stream = openStream(deaf)
    stream.end(prefixed(body))
    expect(await endOf(stream)).toMatchObject({ headers: { ':status': 200 }, reset: constants.NGHTTP2_CANCEL })
    await expectAlive(impatient)
  })
})

describe('a client of another protocol', () => {
  it('that speaks HTTP/1 gets a response that names the right port', async () => {
    for (const path of ['/v1/traces', '/api/v1/me']) {
      const answer = await fetch(server.grpcUrl + path, { method: 'POST', body: Buffer.alloc(500_000) })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ errors: [{ code: 'wrong_port', message: 'hint: http1-to-grpc' }] })
    }
    expect(server.hints.logged).toContain('http1-to-grpc')
  })

  it('that speaks TLS is disconnected and logged', async () => {
    await expect(fetch(server.grpcUrl.replace('http:', 'https:'))).rejects.toThrow()
    expect(server.hints.logged).toContain('tls-to-plain')
  })
})

describe(`damaged frames, seed ${seed}`, () => {
  const headers = Buffer.concat(
    [
      [':method', 'POST'],
      [':scheme', 'http'],
      [':authority', '127.0.0.1'],
      [':path', exportPaths.traces],
      ['content-type', 'application/grpc'],
      ['authorization', 'Bearer fuzz/ingest'],
    ].map(([name = '', value = '']) =>
      Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), Buffer.of(value.length), Buffer.from(value)]),
    ),
  )
  const requestFrames = [
    noHeaders,
    frame(frameTypes.headers, 4, 1, headers),
    frame(frameTypes.data, 0, 1, prefixed(body).subarray(0, 20)),
    frame(frameTypes.data, 1, 1, prefixed(body).subarray(20)),
  ]

  it('are the request that they were before', async () => {
    const socket = await openSocket(server.grpcUrl, preface, ...requestFrames)
    while ((await countRows(server.clickhouse, 'fuzz')) === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await countRows(server.clickhouse, 'fuzz')).toBe(1)
    socket.destroy()
  })

  it('never harm the server', { timeout: 600_000 }, async () => {
    const random = seededRandom(seed)
    for (let sent = 0; sent < rounds; sent += 30) {
      const sockets = Array.from({ length: 30 }, async () => {
        const bytes = Buffer.concat(requestFrames)
        for (let changes = 1 + random.below(4); changes > 0; changes--)
          bytes[random.below(bytes.length)] = random.below(256)
        const socket = await openSocket(server.grpcUrl, preface, bytes)
        return socket.end()
      })
      const opened = await Promise.all(sockets)
      await expectAlive()
      for (const socket of opened) socket.destroy()
    }
    await expectAlive()
  })
})
