import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { collectDiagnostics, openSdk } from './opentelemetry-sdk.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

describe.each(['json', 'protobuf', 'grpc'] as const)('the OpenTelemetry SDK sending %s', (encoding) => {
  const org = `sdk-${encoding}`
  let diagnostics: unknown[][]
  let ids: { traceId: string; spanId: string }
  const atMs = Date.now() - 5_000

  /** A request that calls a database and logs a failure there, with metrics of both. */
  beforeAll(async () => {
    diagnostics = collectDiagnostics()
    const sdk = openSdk({
      url: encoding === 'grpc' ? app.grpcUrl : app.url,
      token: await app.token({ org, role: 'ingest' }),
      encoding,
    })
    const root = sdk.tracer.startSpan('GET /cart', {
      kind: SpanKind.SERVER,
      startTime: atMs,
      attributes: { 'http.route': '/cart', retries: 3, ratio: 0.5, cached: false, tags: ['a', 'b'] },
    })
    const context = trace.setSpan(ROOT_CONTEXT, root)
    const query = sdk.tracer.startSpan('SELECT', { kind: SpanKind.CLIENT, startTime: atMs + 1 }, context)
    query.addEvent('retry', { attempt: 2 }, atMs + 2)
    query.setStatus({ code: SpanStatusCode.ERROR, message: 'deadlock' })
    ids = query.spanContext()
    sdk.logger.emit({
      timestamp: atMs + 3,
      severityNumber: SeverityNumber.ERROR,
      severityText: 'ERROR',
      eventName: 'db.failed',
      body: { reason: 'deadlock', rows: 7, nested: [true, 1.5, null] },
      attributes: { tenant: 't-1', bytes: new Uint8Array([1, 2]) },
      context: trace.setSpan(ROOT_CONTEXT, query),
    })
    sdk.meter.createCounter('requests', { unit: '1', description: 'how many' }).add(5, { route: '/cart' })
    sdk.meter.createHistogram('latency', { unit: 'ms' }).record(12.5, { route: '/cart' })
    sdk.meter.createUpDownCounter('queue').add(-2)
    sdk.meter.createObservableGauge('load').addCallback((observed) => observed.observe(0.25))
    query.end(atMs + 4)
    root.end(atMs + 10)
    await sdk.end()
  })

  it('reports no warnings', () => {
    expect(diagnostics).toEqual([])
  })

  it('sends spans that are returned completely', async () => {
    const client = await app.client({ org, role: 'viewer' })
    const params = { path: { trace_id: ids.traceId } }
    const { data } = await client.GET('/api/v1/messages/{trace_id}', { params })
    expect(data?.spans).toMatchObject([
      {
        name: 'GET /cart',
        service: 'sdk-shop',
        kind: 'server',
        status: 'unset',
        duration_ns: '10000000',
        started_at: expect.stringContaining(new Date(atMs).toISOString().slice(0, 19)),
        scope: { name: 'sdk-test', version: '0.1' },
        attributes: [
          { key: 'cached', type: 'bool', value: false },
          { key: 'http.route', type: 'string', value: '/cart' },
          { key: 'ratio', type: 'double', value: 0.5 },
          { key: 'retries', type: 'int', value: 3 },
          { key: 'tags', type: 'array', value: ['a', 'b'] },
        ],
        resource_attributes: [
          { key: 'service.name', type: 'string', value: 'sdk-shop' },
          { key: 'service.version', type: 'string', value: '1.2.3' },
        ],
      },
      {
        name: 'SELECT',
        kind: 'client',
        status: 'error',
        status_message: 'deadlock',
        depth: 1,
        span_id: ids.spanId,
        events: [{ name: 'retry', attributes: [{ key: 'attempt', type: 'int', value: 2 }] }],
      },
    ])
  })

  it('sends log records that are returned completely and refer to their span', async () => {
    const client = await app.client({ org, role: 'viewer' })
    const conditions = [{ attribute_source: 'log', attribute_key: 'tenant', operator: 'eq', value: 't-1' }] as const
    const { data } = await client.POST('/api/v1/logs/search', { body: { conditions: [...conditions] } })
    expect(data?.items).toMatchObject([
      {
        service: 'sdk-shop',
        severity: 'ERROR',
        severity_number: 17,
        event_name: 'db.failed',

        trace_id: ids.traceId,
        span_id: ids.spanId,
        flags: 1,
        body: { type: 'kvlist', value: { reason: 'deadlock', rows: 7, nested: [true, 1.5, null] } },
        attributes: [
          { key: 'bytes', type: 'bytes', value: 'AQI=' },
          { key: 'tenant', type: 'string', value: 't-1' },
        ],
        scope: { name: 'sdk-test', version: '0.1' },
      },
    ])
  })
})

describe('the diagnostics of the tests above', () => {
  it('show that the SDK fails when it is refused', async () => {
    const sdk = openSdk({ url: app.url, token: await app.token({ role: 'viewer' }), encoding: 'json' })
    sdk.tracer.startSpan('refused').end()
    await expect(sdk.end()).rejects.toThrow()
  })

  it('show that the SDK warns of a partial success', async () => {
    const receiver = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no room"}}')
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const diagnostics = collectDiagnostics()
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const sdk = openSdk({ url, token: 'x', encoding: 'json' })
    sdk.tracer.startSpan('rejected').end()
    await sdk.end()
    receiver.close()
    expect(JSON.stringify(diagnostics)).toContain('no room')
  })
})
