import type { ServiceError } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Endpoint } from '../../server/clickhouse/endpoint.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { openGrpcClient } from '../support/grpc-client.ts'

const engine = { endpoint: undefined as Endpoint | undefined }
let app: TestApp
beforeAll(async () => {
  const source = { state: 'starting' as const, endpoint: () => engine.endpoint }
  app = await startApp({ overrides: { sources: [source] }, beforeReady: true })
})
afterAll(() => app.close())

/** Encodes a HealthCheckRequest by hand. */
function asking(service: string): Buffer {
  const name = Buffer.from(service)
  return name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, name.length]), name])
}

/** Returns the bytes of the response, or the code of the error. */
async function check(request: Buffer, { method = 'Check', gzip = false } = {}): Promise<number[] | number> {
  const client = openGrpcClient(app.grpcUrl, { gzip })
  const asIs = (bytes: Buffer) => bytes
  const found = await new Promise<number[] | number>((resolve) => {
    const answered = (error: ServiceError | null, response?: Buffer) => resolve(error?.code ?? [...(response ?? [])])
    client.makeUnaryRequest(`/grpc.health.v1.Health/${method}`, asIs, asIs, request, answered)
  })
  client.close()
  return found
}

const [serving, notServing] = [
  [8, 1],
  [8, 2],
]

it('a health check follows the readiness of the server, without a credential', async () => {
  expect(await check(asking(''))).toEqual(notServing)
  engine.endpoint = inject('engine')
  await app.app.ready
  await expect.poll(() => check(asking(''))).toEqual(serving)
  for (const signal of ['trace', 'metrics', 'logs'] as const) {
    const name = { trace: 'Trace', metrics: 'Metrics', logs: 'Logs' }[signal]
    const service = `opentelemetry.proto.collector.${signal}.v1.${name}Service`
    expect(await check(asking(service), { gzip: true }), service).toEqual(serving)
  }
  const withUnknownField = Buffer.concat([Buffer.from([0x10, 7]), asking('')])
  expect(await check(withUnknownField)).toEqual(serving)
})

it('an unknown service is NOT_FOUND, an invalid request INVALID_ARGUMENT, and Watch UNIMPLEMENTED', async () => {
  expect(await check(asking('shop.Orders'))).toBe(5)
  expect(await check(Buffer.from([0x0a, 9, 0x78]))).toBe(3)
  expect(await check(Buffer.alloc(1_000_000))).toBe(3)
  expect(await check(asking(''), { method: 'Watch' })).toBe(12)
})

it('health checks are not logged', async () => {
  const requests = app.logLines().filter(({ msg }) => msg === 'gRPC request completed')
  expect(requests.map(({ grpc }) => grpc)).toEqual([{ path: 'unknown', code: '12' }])
})
