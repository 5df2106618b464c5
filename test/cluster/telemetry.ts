/** Telemetry in which every query of test/compile/every-query.ts finds something, equal for every store. */
import { linkedSpan } from '../compile/every-query.ts'
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

interface StoringOptions {
  /** The number of requests that each body is divided into, each with a part of its resources. */
  readonly piecesOfBody?: number
}

/** Stores the telemetry of a seed. @throws Error unless every record was accepted */
export async function storeTelemetry(
  app: TestApp,
  org: string,
  seed: number,
  { piecesOfBody = 1 }: StoringOptions = {},
): Promise<void> {
  const bodies = drawTelemetry(org, seed).flatMap(([path, body]) =>
    piecesOf(body, piecesOfBody).map((piece) => [path, piece] as const),
  )
  for (const [path, body] of bodies) {
    const response = await app.send(path, { json: body, whom: { org, role: 'ingest' } })
    const answer = await response.text()
    if (answer !== '{}') throw new Error(`${path}: ${response.status} ${answer}`)
  }
}

/** Divides a body, which has one list of resources with their records. */
function piecesOf(body: object, count: number): object[] {
  return Object.entries(body).flatMap(([name, resources]: [string, readonly unknown[]]) =>
    Array.from({ length: count }, (_, piece) => ({ [name]: resources.filter((_, at) => at % count === piece) })),
  )
}

/** Returns bodies by path, in the order to send them. The second one of spans changes some spans of the first. */
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

/** Draws a trace. With every seed, one trace in ten matches every query. */
function drawTrace(random: Random, org: string, index: number): SpanModel[] {
  const traceId = hex(index + 1, 32)
  const isLookedFor = index % 10 === 0
  return Array.from({ length: (isLookedFor ? services.length : 1) + random.below(8) }, (_, position) =>
    makeSpan({
      org,
      traceId,
      spanId: hex(index * 100 + position + 1, 16),
      name: `step ${position}`,
      parentId: position === 0 ? '' : hex(index * 100 + random.below(position) + 1, 16),
      service: (isLookedFor ? services[position] : undefined) ?? random.pick(services),
      status: random.pick(['unset', 'error']),
      kind: random.pick(['server', 'client', 'internal']),
      startNs: startNs + BigInt(index * 7 + position) * secondNs,
      durationNs: BigInt(random.below(1_000_000)),
      attributes: [
        ['tenant', { stringValue: isLookedFor ? 't-1' : `t-${1 + random.below(3)}` }],
        ['http.route', { stringValue: `/${random.below(4)}` }],
      ],
      links: isLookedFor ? [{ traceId: linkedSpan.hexTraceId, spanId: linkedSpan.hexSpanId, attributes: [] }] : [],
    }),
  )
}

function drawSeries(random: Random, index: number) {
  return makeSeries({
    metric: 'a',
    kind: 'sum',
    temporality: 'cumulative',
    monotonic: true,
    service: random.pick(services),
    attributes: [['tenant', { stringValue: `t-${index}` }]],
    points: Array.from({ length: 5 }, (_, position) =>
      makePoint({
        timeNs: startNs + BigInt(position * 60 + index) * secondNs,
        startNs: startNs - secondNs,
        value: BigInt(position * 1_000 + index),
      }),
    ),
  })
}

/**
 * Draws a log record, one in three without a trace. Times are distinct, because equal times are ordered by assigned
 * ids.
 */
function drawLog(random: Random, index: number): LogModel {
  return makeLog({
    timeNs: startNs + BigInt(index) * secondNs,
    service: random.pick(services),
    body: { stringValue: 'done' },
    traceId: random.below(3) === 0 ? '' : hex(1 + random.below(4), 32),
    attributes: [['tenant', { stringValue: `t-${random.below(3)}` }]],
  })
}

function hex(value: number, digits: 16 | 32): string {
  return value.toString(16).padStart(digits, '0')
}
