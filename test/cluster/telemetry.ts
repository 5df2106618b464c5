/** Telemetry that every query of test/compile/every-query.ts finds something in, the same for everybody who stores it. */
import type { TestApp } from '../support/app.ts'
import { type LogModel, makeLog, toOtlpLogs } from '../support/log-model.ts'
import { makePoint, makeSeries, toOtlpMetrics } from '../support/metric-model.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'

const secondNs = 1_000_000_000n
const startNs = BigInt(Date.parse('2026-03-01T12:00:00Z')) * 1_000_000n
export const telemetryWindow = { fromNs: startNs - 600n * secondNs, toNs: startNs + 600n * secondNs }

const traceCount = 120
const services = ['web', 'bank', 'mail'] as const

/** Stores all that the seed says; throws unless every record was accepted. */
export async function storeTelemetry(app: TestApp, org: string, seed: number): Promise<void> {
  const authorization = `Bearer ${await app.token({ org, role: 'ingest' })}`
  const headers = { authorization, 'content-type': 'application/json' }
  for (const [path, body] of drawTelemetry(org, seed)) {
    const response = await app.send(path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.text()
    if (answer !== '{}') throw new Error(`${path}: ${response.status} ${answer}`)
  }
}

/** Bodies by path, in the order in which they are to be sent: the last of spans sends some of the others again, changed. */
export function drawTelemetry(org: string, seed: number): readonly (readonly [path: string, body: object])[] {
  const random = seededRandom(seed)
  const spans = Array.from({ length: traceCount }, (_, index) => drawTrace(random, org, index)).flat()
  const late = spans.filter(() => random.below(10) === 0).map((span) => ({ ...span, name: 'late' }))
  return [
    ['/v1/traces', toOtlpJson(spans)],
    ['/v1/traces', toOtlpJson(late)],
    ['/v1/metrics', toOtlpMetrics(Array.from({ length: 20 }, (_, index) => drawSeries(random, index)))],
    ['/v1/logs', toOtlpLogs(Array.from({ length: 200 }, (_, index) => drawLog(random, index)))],
  ]
}

/** One trace in ten is what every query looks for, whatever the seed; the others are as they come. */
function drawTrace(random: Random, org: string, index: number): SpanModel[] {
  const traceId = hex(index + 1, 32)
  const isLookedFor = index % 10 === 0
  return Array.from({ length: (isLookedFor ? services.length : 1) + random.below(8) }, (_, place) =>
    makeSpan({
      ...{ org, traceId, spanId: hex(index * 100 + place + 1, 16), name: `step ${place}` },
      parentId: place === 0 ? '' : hex(index * 100 + random.below(place) + 1, 16),
      service: (isLookedFor ? services[place] : undefined) ?? random.pick(services),
      status: random.pick(['unset', 'error']),
      kind: random.pick(['server', 'client', 'internal']),
      startNs: startNs + BigInt(index * 7 + place) * secondNs,
      durationNs: BigInt(random.below(1_000_000)),
      attributes: [
        ['tenant', { stringValue: isLookedFor ? 't-1' : `t-${1 + random.below(3)}` }],
        ['http.route', { stringValue: `/${random.below(4)}` }],
      ],
    }),
  )
}

function drawSeries(random: Random, index: number) {
  return makeSeries({
    ...{ metric: 'a', kind: 'sum', temporality: 'cumulative', monotonic: true, service: random.pick(services) },
    attributes: [['tenant', { stringValue: `t-${index}` }]],
    points: Array.from({ length: 5 }, (_, place) =>
      makePoint({
        ...{ timeNs: startNs + BigInt(place * 60 + index) * secondNs, startNs: startNs - secondNs },
        value: BigInt(place * 1_000 + index),
      }),
    ),
  })
}

/** One in three is of no trace; moments are distinct, as the order of others depends on the ids that they are given. */
function drawLog(random: Random, index: number): LogModel {
  return makeLog({
    ...{ timeNs: startNs + BigInt(index) * secondNs, service: random.pick(services), body: { stringValue: 'done' } },
    traceId: random.below(3) === 0 ? '' : hex(1 + random.below(4), 32),
    attributes: [['tenant', { stringValue: `t-${random.below(3)}` }]],
  })
}

function hex(value: number, digits: 16 | 32): string {
  return value.toString(16).padStart(digits, '0')
}
