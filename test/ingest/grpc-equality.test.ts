import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { casesOf, fuzzSettings } from '../support/fuzz-settings.ts'
import { type SignalName, sendGrpc } from '../support/grpc-client.ts'
import { toOtlpLogs } from '../support/log-model.ts'
import { toOtlpMetrics } from '../support/metric-model.ts'
import { encodeExport, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'
import { randomLogs } from '../support/random-logs.ts'
import { randomMetrics } from '../support/random-metrics.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import { allRowsOf } from './all-rows.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

const { seed } = fuzzSettings
const rounds = casesOf('OTLP protocols')

const rowsOf = (signal: SignalName, org: string) => allRowsOf(server.clickhouse, signal, org)

const draws: Readonly<Record<SignalName, (random: Random) => object>> = {
  traces: (random) => toOtlpJson(randomTraces(random, { org: 'any', startNs: drawnStartNs }).rows),
  metrics: (random) => toOtlpMetrics(randomMetrics(random).series),
  logs: (random) => toOtlpLogs(randomLogs(random).records),
}

describe(`random telemetry, seed ${seed}, ${rounds} bodies of each signal`, () => {
  it.each(['traces', 'metrics', 'logs'] as const)(
    '%s store the same rows over OTLP/gRPC and OTLP/HTTP, in protobuf and in JSON',
    { timeout: 600_000 },
    async (signal) => {
      const random = seededRandom(seed)
      for (let round = 0; round < rounds; round++) {
        const json = draws[signal](random)
        const body = encodeExport(signal, fromOtlpJson(json))
        const gzip = random.chance(0.5)
        const overGrpc = await sendGrpc(server.grpcUrl, body, { signal, org: `grpc${round}`, gzip })
        const httpBody = random.chance(0.5) ? body : json
        const overHttp = await send(server, httpBody, { path: `/v1/${signal}`, org: `http${round}` })
        expect(overHttp.status).toBe(200)
        expect(overGrpc.code, `FUZZ_SEED=${seed}`).toBe(0)
        const stored = await rowsOf(signal, `grpc${round}`)
        expect(stored, `FUZZ_SEED=${seed}, round ${round}`).toEqual(await rowsOf(signal, `http${round}`))
        expect(stored.length).toBeGreaterThan(0)
      }
    },
  )
})

it('a summary without a sum has the sum 0, because protobuf does not tell them apart', async () => {
  const metrics = (sum: object) => {
    const summary = { dataPoints: [{ timeUnixNano: '1790000000000000001', ...sum }] }
    return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 's', summary }] }] }] }
  }
  await send(server, metrics({ sum: 0 }), { path: '/v1/metrics', org: 'zero' })
  await send(server, metrics({}), { path: '/v1/metrics', org: 'absent' })
  const stored = await rowsOf('metrics', 'absent')
  expect(stored).toEqual(await rowsOf('metrics', 'zero'))
  expect(stored.join()).toContain('["sum",0]')
})
