import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problem } from '../../server/problem/problem.ts'
import { exportPaths, openGrpcClient, sendGrpc, sendOver } from '../support/grpc-client.ts'
import { request, span } from '../support/otlp-json.ts'
import { encodeExport, encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { countRows, type OtlpServer, type OtlpServerOptions, startOtlpServer } from '../support/otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer({ bodyBytesMax: 100_000 })
})
afterAll(() => server.close())

const body = encodeTraces(fromOtlpJson(request(span())))
const large = encodeTraces(fromOtlpJson(request(span({ name: 'x'.repeat(20_000) }))))

/** Runs a test against a server of its own. */
async function withServer(options: OtlpServerOptions, test: (own: OtlpServer) => Promise<void>): Promise<void> {
  const own = await startOtlpServer(options)
  try {
    await test(own)
  } finally {
    await own.close()
  }
}

describe('an export', () => {
  it('of every signal is stored and acknowledged', async () => {
    const time = '1790000000000000000'
    const metrics = [{ name: 'load', gauge: { dataPoints: [{ timeUnixNano: time, asDouble: 0.5 }] } }]
    const bodies = {
      traces: body,
      metrics: encodeExport('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }),
      logs: encodeExport('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: time }] }] }] }),
    }
    for (const signal of ['traces', 'metrics', 'logs'] as const)
      expect(await sendGrpc(server.grpcUrl, bodies[signal], { signal, org: 'signals' })).toMatchObject({
        code: 0,
        response: {},
      })
    for (const table of ['spans', 'metric_points', 'log_records']) {
      const query = { text: `SELECT count() AS rows FROM ${table} WHERE org = {p0:String}`, params: { p0: 'signals' } }
      const { rows } = await server.clickhouse.read(query, { for: 'system', label: 'rows' })
      expect(rows).toEqual([{ rows: '1' }])
    }
  })

  it('may be compressed with gzip', async () => {
    expect((await sendGrpc(server.grpcUrl, large, { org: 'gzip', gzip: true })).code).toBe(0)
    expect(await countRows(server.clickhouse, 'gzip')).toBe(1)
  })

  it('may be empty, with and without compression', async () => {
    for (const gzip of [false, true])
      expect(await sendGrpc(server.grpcUrl, Buffer.alloc(0), { gzip })).toMatchObject({ code: 0, response: {} })
  })

  it('of many megabytes is stored, also next to others on one connection', async () => {
    await withServer({}, async (own) => {
      const client = openGrpcClient(own.grpcUrl)
      const bodies = Array.from({ length: 30 }, () =>
        encodeTraces(
          fromOtlpJson(request(span({ attributes: [{ key: 'k', value: { stringValue: 'v'.repeat(2 ** 20) } }] }))),
        ),
      )
      const answers = await Promise.all(bodies.map((each) => sendOver(client, each)))
      client.close()
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([0]))
      expect(await countRows(own.clickhouse)).toBe(30)
    })
  })

  it('with rejected records is a partial success', async () => {
    const mixed = encodeTraces(fromOtlpJson(request(span(), span({ traceId: '' }))))
    const { code, response } = await sendGrpc(server.grpcUrl, mixed, { org: 'partial' })
    expect({ code, response }).toEqual({
      code: 0,
      response: { partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('trace id') } },
    })
  })

  it('that is sent again, over either protocol, is stored once', async () => {
    for (const gzip of [false, true]) await sendGrpc(server.grpcUrl, body, { org: 'again', gzip })
    const headers = { Authorization: 'Bearer again/ingest', 'Content-Type': 'application/x-protobuf' }
    await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body: new Uint8Array(body) })
    expect(await countRows(server.clickhouse, 'again')).toBe(1)
  })
})

describe('a refusal', () => {
  it('of a missing credential is UNAUTHENTICATED, before the body is read', async () => {
    const answer = await sendGrpc(server.grpcUrl, Buffer.alloc(5_000_000), { authorization: '' })
    expect(answer).toMatchObject({ code: 16, message: 'Send a token.', details: {} })
  })

  it.each(['restricted', 'viewer'] as const)('of the role %s is PERMISSION_DENIED', async (role) => {
    expect(await sendGrpc(server.grpcUrl, body, { role })).toMatchObject({
      code: 7,
      message: expect.stringContaining(role),
    })
  })

  it('of an unknown method is UNIMPLEMENTED, and names the methods', async () => {
    const message = expect.stringContaining('Send to /opentelemetry.proto.collector.trace.v1.TraceService/Export, ')
    for (const path of ['/opentelemetry.proto.collector.trace.v1.TraceService/Import', '/x', '/__proto__/constructor'])
      expect(await sendGrpc(server.grpcUrl, body, { path })).toMatchObject({ code: 12, message })
  })

  it('of a body over the limit is INVALID_ARGUMENT, which is not sent again', async () => {
    const long = Buffer.alloc(100_001)
    const bomb = Buffer.alloc(50 * 2 ** 20)
    for (const answer of [await sendGrpc(server.grpcUrl, long), await sendGrpc(server.grpcUrl, bomb, { gzip: true })]) {
      expect(answer).toMatchObject({ code: 3, message: expect.stringContaining('must not exceed 100000 bytes') })
      expect(answer.details).not.toHaveProperty('RetryInfo')
    }
  })

  it('of malformed protobuf is INVALID_ARGUMENT with a BadRequest', async () => {
    expect(await sendGrpc(server.grpcUrl, Buffer.from([0xff]))).toMatchObject({
      code: 3,
      message: 'A protobuf message is truncated.',
      details: { BadRequest: { fieldViolations: [{ description: 'A protobuf message is truncated.' }] } },
    })
  })

  it('in a quota is RESOURCE_EXHAUSTED with the time to wait', async () => {
    const quotas = {
      async admitTelemetry() {
        throw problem('quota_exceeded', 'Your organization exceeds its quota: 100% ü.', { retryAfterSeconds: 7 })
      },
    }
    await withServer({ quotas }, async (own) => {
      expect(await sendGrpc(own.grpcUrl, body)).toEqual({
        code: 8,
        message: 'Your organization exceeds its quota: 100% ü.',
        response: undefined,
        details: { RetryInfo: { retryDelay: { seconds: '7' } } },
      })
    })
  })

  const failures = [
    ['ClickHouse cannot be reached', problem('unavailable', 'Starting.', { retryAfterSeconds: 7 }), '7', 0],
    ['ClickHouse has too much to do', problem('too_many_requests', 'Busy.'), '1', 0],
    ['ClickHouse takes too long', problem('query_timeout', 'Slow.'), '2', 0],
    ['ClickHouse refuses the rows', new Error('Code: 60'), '2', 1],
  ] as const

  it.each(failures)('because %s is UNAVAILABLE with the time to wait', async (_, error, seconds, logged) => {
    await withServer({ sink: () => ({ insert: () => Promise.reject(error) }) }, async (own) => {
      const { code, message, details } = await sendGrpc(own.grpcUrl, body)
      expect({ code, details }).toEqual({ code: 14, details: { RetryInfo: { retryDelay: { seconds } } } })
      expect(message).not.toContain('Code')
      expect(own.errors.length).toBe(logged)
    })
  })

  it('for lack of memory is UNAVAILABLE until others complete, whatever their protocol', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const inFlightBytesMax = 10_000
    await withServer({ inFlightBytesMax, sink: () => ({ insert: () => held }) }, async (own) => {
      const first = sendGrpc(own.grpcUrl, large)
      const inFlight = () => own.metrics.registry.getSingleMetric('tracefold_ingest_in_flight_bytes')?.get()
      while (((await inFlight())?.values[0]?.value ?? 0) < inFlightBytesMax)
        await new Promise((resolve) => setImmediate(resolve))
      const second = await sendGrpc(own.grpcUrl, body)
      expect(second).toMatchObject({ code: 14, details: { RetryInfo: { retryDelay: { seconds: '1' } } } })
      const headers = { Authorization: 'Bearer acme/ingest', 'Content-Type': 'application/x-protobuf' }
      const overHttp = await fetch(`${own.url}/v1/traces`, { method: 'POST', headers, body: new Uint8Array(body) })
      expect(overHttp.status).toBe(429)
      release()
      expect((await first).code).toBe(0)
      expect((await sendGrpc(own.grpcUrl, large)).code).toBe(0)
    })
  })
})

describe('metrics', () => {
  it('count requests by signal and code', async () => {
    await withServer({}, async (own) => {
      await sendGrpc(own.grpcUrl, body)
      await sendGrpc(own.grpcUrl, Buffer.from([0xff]))
      await sendGrpc(own.grpcUrl, body, { path: '/other' })
      const text = await own.metrics.registry.metrics()
      expect(text).toContain('tracefold_ingest_accepted_total{signal="traces"} 1')
      for (const [signal, code] of [
        ['traces', 0],
        ['traces', 3],
        ['unknown', 12],
      ])
        expect(text).toContain(`tracefold_grpc_request_duration_seconds_count{signal="${signal}",code="${code}"} 1`)
    })
  })
})

describe('the end of the server', () => {
  it('waits for running requests and refuses new ones', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let inserting = () => {}
    const insert = new Promise<void>((resolve) => {
      inserting = resolve
    })
    const sink = () => ({
      insert() {
        inserting()
        return held
      },
    })
    await withServer({ sink }, async (own) => {
      const client = openGrpcClient(own.grpcUrl)
      const running = sendOver(client, body)
      await insert
      const drained = own.drainGrpc(30)
      expect((await sendGrpc(own.grpcUrl, body)).code).toBe(14)
      release()
      expect((await running).code).toBe(0)
      expect(await drained).toBe(0)
      client.close()
    })
  })

  it('closes idle connections at once, and cuts others at the deadline', async () => {
    const sink = () => ({ insert: () => new Promise<void>(() => {}) })
    await withServer({ sink }, async (own) => {
      const idle = openGrpcClient(own.grpcUrl)
      expect((await sendOver(idle, Buffer.alloc(0), { path: exportPaths.logs })).code).toBe(0)
      const stuck = sendGrpc(own.grpcUrl, body)
      const inFlight = () => own.metrics.registry.getSingleMetric('tracefold_ingest_in_flight_bytes')?.get()
      while ((await inFlight())?.values[0]?.value === 0) await new Promise((resolve) => setImmediate(resolve))
      expect(await own.drainGrpc(3)).toBe(1)
      expect((await stuck).code).not.toBe(0)
      idle.close()
    })
  })
})
