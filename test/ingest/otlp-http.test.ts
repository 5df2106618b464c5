import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problem } from '../../server/problem/problem.ts'
import { request, span } from '../support/otlp-json.ts'
import { decodeBadRequest, decodeStatus, encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { countRows, type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer({ bodyBytesMax: 100_000 })
})
afterAll(() => server.close())

const body = encodeTraces(fromOtlpJson(request(span())))
const token = { Authorization: 'Bearer acme/ingest' }

describe('the media type', () => {
  it('of a response is that of the request', async () => {
    for (const sent of [body, request(span())]) {
      const { headers } = await send(server, sent)
      expect(headers.get('Content-Type')).toBe(Buffer.isBuffer(sent) ? 'application/x-protobuf' : 'application/json')
    }
  })

  it('may have parameters and any case', async () => {
    const answer = await send(server, request(span()), {
      headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('application/json')
  })

  it.each(['text/plain', 'application/x-protobuf2', 'application/grpc', 'json', ''])(
    '%j is answered 415, with a Status in JSON',
    async (type) => {
      const answer = await send(server, body, { headers: { 'Content-Type': type } })
      expect(answer.status).toBe(415)
      expect(answer.message).toEqual({ code: 3, message: expect.stringContaining('application/x-protobuf') })
    },
  )
})

describe('an empty request', () => {
  it.each([
    ['of no bytes in protobuf', Buffer.alloc(0), {}],
    ['of no bytes in gzip', Buffer.alloc(0), { gzip: true }],
    ['of no bytes that are called gzip', Buffer.alloc(0), { headers: { 'Content-Encoding': 'gzip' } }],
    ['of no bytes in JSON', Buffer.alloc(0), { headers: { 'Content-Type': 'application/json' } }],
    ['of no members', {}, {}],
    ['of no resources', { resourceSpans: [] }, {}],
    ['of null', { resourceSpans: null }, {}],
    ['of an empty resource', { resourceSpans: [{}] }, {}],
    ['of an empty scope', { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans: [] }] }] }, {}],
  ])('%s succeeds', async (_, sent, options) => {
    const { status, message } = await send(server, sent, options)
    expect({ status, message }).toEqual({ status: 200, message: {} })
  })
})

describe('a body', () => {
  it('may be compressed with gzip, in several members', async () => {
    const members = Buffer.concat([gzipSync(body.subarray(0, 20)), gzipSync(body.subarray(20))])
    const answer = await send(server, members, { org: 'gzip', headers: { 'Content-Encoding': 'GZIP' } })
    expect(answer.status).toBe(200)
    expect(await countRows(server.clickhouse, 'gzip')).toBe(1)
  })

  it.each(['br', 'zstd', 'gzip, gzip'])('with the content encoding %j gets 415', async (encoding) => {
    const answer = await send(server, body, { headers: { 'Content-Encoding': encoding } })
    expect(answer.status).toBe(415)
    expect(answer.headers.get('Accept-Encoding')).toBe('gzip, deflate')
  })

  it('with invalid or truncated gzip gets 400', async () => {
    for (const bytes of [body, gzipSync(body).subarray(0, -9)]) {
      const answer = await send(server, bytes, { headers: { 'Content-Encoding': 'gzip' } })
      expect(answer).toMatchObject({ status: 400, message: { code: 3, message: 'The body is not valid gzip.' } })
    }
  })

  it('over the limit gets 413, with and without Content-Length', async () => {
    const long = encodeTraces(fromOtlpJson(request(span({ name: 'x'.repeat(100_000) }))))
    expect((await send(server, long)).status).toBe(413)
    const chunked = await fetch(`${server.url}/v1/traces`, {
      method: 'POST',
      headers: { ...token, 'Content-Type': 'application/x-protobuf' },
      body: new Blob([new Uint8Array(long)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
    expect(decodeStatus(Buffer.from(await chunked.arrayBuffer()))).toMatchObject({ code: 3 })
  })

  it('over the limit after decompression gets 413', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20))
    expect(bomb.length).toBeLessThan(100_000)
    expect((await send(server, bomb, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(413)
  })

  it('of endless empty gzip members gets 413', async () => {
    const members = Buffer.concat(Array(6000).fill(gzipSync('')))
    expect((await send(server, members, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(413)
  })

  it('with invalid protobuf gets 400 with a Status', async () => {
    const { status, message } = await send(server, Buffer.from('resource_spans'))
    expect(status).toBe(400)
    expect(message).toMatchObject({ code: 3, message: expect.stringMatching(/protobuf/) })
  })

  it('truncated at any position gets 400, or 200 if the rest is valid', async () => {
    const statuses = new Set<number>()
    for (let length = 1; length < body.length; length++)
      statuses.add((await send(server, body.subarray(0, length))).status)
    expect(statuses).toEqual(new Set([400]))
  })

  it('with invalid JSON gets 400', async () => {
    const headers = { 'Content-Type': 'application/json' }
    for (const text of ['{', 'null', '[]', '"a"', '{"resourceSpans":[}']) {
      expect(await send(server, Buffer.from(text), { headers })).toMatchObject({ status: 400, message: { code: 3 } })
    }
  })

  it('whose sender disconnects early is discarded', async () => {
    const before = await countRows(server.clickhouse)
    await new Promise<void>((resolve) => {
      const headers = { ...token, 'Content-Type': 'application/x-protobuf', 'Content-Length': String(body.length) }
      const sending = httpRequest(`${server.url}/v1/traces`, { method: 'POST', headers })
      sending.on('error', () => resolve())
      sending.write(body.subarray(0, 10), () => setImmediate(() => sending.destroy(new Error('gone'))))
    })
    expect((await send(server, {})).status).toBe(200)
    expect(await countRows(server.clickhouse)).toBe(before)
    expect(server.errors).toEqual([])
  })
})

describe('a body that is not what the endpoint expects', () => {
  it('gets 400 with the endpoint of its telemetry', async () => {
    const atLogs = (sent: Buffer, type: string) =>
      fetch(`${server.url}/v1/logs`, {
        method: 'POST',
        headers: { ...token, 'Content-Type': type },
        body: new Uint8Array(sent),
      })
    const message = 'The body contains spans, which are received at /v1/traces (gRPC: TraceService).'
    const json = await atLogs(Buffer.from(JSON.stringify(request(span()))), 'application/json')
    expect([json.status, await json.json()]).toMatchObject([400, { code: 3, message }])
    const protobuf = await atLogs(body, 'application/x-protobuf')
    expect([protobuf.status, decodeStatus(Buffer.from(await protobuf.arrayBuffer()))]).toMatchObject([400, { message }])
  })

  it('is accepted with a note if it has nothing that OTLP defines', async () => {
    const errorMessage = '"resource_spans" is ignored; OTLP has resourceSpans.'
    const { status, message } = await send(server, { resource_spans: [] })
    expect({ status, message }).toEqual({
      status: 200,
      message: { partialSuccess: { rejectedSpans: '0', errorMessage } },
    })
  })

  it('gets 415 with the media type that it has', async () => {
    const answer = await send(server, Buffer.from('{}'), { headers: { 'Content-Type': 'text/plain' } })
    expect(answer).toMatchObject({
      status: 415,
      message: { message: 'Content-Type must be application/x-protobuf or application/json, not "text/plain".' },
    })
  })
})

describe('authorization', () => {
  it('is checked before the body: 401 with a challenge and a Status in the encoding of the request', async () => {
    const response = await fetch(`${server.url}/v1/traces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-protobuf' },
      body: Buffer.alloc(1_000_000),
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
    expect(decodeStatus(Buffer.from(await response.arrayBuffer()))).toEqual({ code: 16, message: 'Send a token.' })
  })

  it.each(['ingest', 'contributor', 'admin'] as const)('accepts the role %s', async (role) => {
    expect((await send(server, body, { role })).status).toBe(200)
  })

  it.each(['restricted', 'viewer'] as const)('rejects the role %s with 403', async (role) => {
    expect(await send(server, request(span()), { role })).toMatchObject({ status: 403, message: { code: 7 } })
  })
})

describe('the method', () => {
  it.each(['GET', 'PUT', 'DELETE'])('%s gets 405 with the allowed method', async (method) => {
    const response = await fetch(`${server.url}/v1/traces`, { method, headers: token })
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('POST')
    expect(await response.json()).toMatchObject({ code: 12 })
  })
})

describe('an error that points into the body', () => {
  const faulty = { resourceSpans: [{ scopeSpans: [{ spans: [{ kind: 'SPAN_KIND_SERVER' }] }] }] }
  const field = '/resourceSpans/0/scopeSpans/0/spans/0/kind'
  const description = `${field} must be an integer (OTLP does not allow an enum's name).`

  it('has a BadRequest among its details in JSON', async () => {
    expect((await send(server, faulty)).message).toEqual({
      code: 3,
      message: description,
      details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description }] }],
    })
  })

  it('has a BadRequest among its details in protobuf', async () => {
    const { message } = await send(server, Buffer.from([0xff]))
    const [detail] = message.details as { typeUrl: string; value: Buffer }[]
    expect(detail?.typeUrl).toBe('type.googleapis.com/google.rpc.BadRequest')
    expect(decodeBadRequest(detail?.value ?? Buffer.alloc(0))).toEqual({
      fieldViolations: [{ description: 'A protobuf message is truncated.' }],
    })
  })
})

describe('telemetry that cannot be stored', () => {
  const cases = [
    ['ClickHouse cannot be reached', problem('unavailable', 'Starting.', { retryAfterSeconds: 7 }), 503, '7', 0],
    ['ClickHouse has too much to do', problem('too_many_requests', 'Busy.'), 429, '1', 0],
    ['ClickHouse takes too long', problem('query_timeout', 'Slow.'), 503, '2', 0],
    ['ClickHouse has too little memory', problem('query_too_large', 'Large.'), 503, '2', 1],
    ['ClickHouse refuses the rows', new Error('Code: 60'), 503, '2', 1],
  ] as const

  it.each(cases)(
    'because %s gets a status that makes the sender retry',
    async (_, error, status, retryAfter, logged) => {
      const failing = await startOtlpServer({ sink: () => ({ insert: () => Promise.reject(error) }) })
      try {
        const answer = await send(failing, request(span()))
        expect(answer.status).toBe(status)
        expect(answer.headers.get('Retry-After')).toBe(retryAfter)
        expect(answer.message.message).not.toContain('Code')
        expect(failing.errors.length).toBe(logged)
      } finally {
        await failing.close()
      }
    },
  )
})

describe('telemetry in flight', () => {
  it('is limited: further requests get 429 with Retry-After until others complete', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const inFlightBytesMax = 10_000
    const busy = await startOtlpServer({ inFlightBytesMax, sink: () => ({ insert: () => held }) })
    try {
      const large = request(span({ name: 'x'.repeat(20_000) }))
      const first = send(busy, large)
      const inFlight = () => busy.metrics.registry.getSingleMetric('tracefold_ingest_in_flight_bytes')?.get()
      while (((await inFlight())?.values[0]?.value ?? 0) < inFlightBytesMax)
        await new Promise((resolve) => setImmediate(resolve))
      const second = await send(busy, request(span()))
      expect(second).toMatchObject({ status: 429, message: { code: 8 } })
      expect(second.headers.get('Retry-After')).toBe('1')
      release()
      expect((await first).status).toBe(200)
      expect((await send(busy, large)).status).toBe(200)
    } finally {
      release()
      await busy.close()
    }
  })
})

describe('metrics', () => {
  it('count accepted and rejected records and received bytes', async () => {
    const counted = await startOtlpServer()
    try {
      await send(counted, request(span(), span(), span({ traceId: '' })))
      await send(counted, Buffer.from([0xff]))
      const text = await counted.metrics.registry.metrics()
      expect(text).toContain('tracefold_ingest_accepted_total{signal="traces"} 2')
      expect(text).toContain('tracefold_ingest_rejected_total{signal="traces"} 1')
      expect(text).toContain('tracefold_ingest_batch_items_sum{signal="traces"} 3')
      expect(text).toContain('tracefold_ingest_duration_seconds_count{signal="traces",outcome="stored"} 1')
      expect(text).toContain('tracefold_ingest_duration_seconds_count{signal="traces",outcome="refused"} 1')
      expect(text).toContain('tracefold_ingest_in_flight_bytes 0')
    } finally {
      await counted.close()
    }
  })
})
