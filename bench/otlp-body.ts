import type { Random } from '../test/support/random-source.ts'

export interface BodyShape {
  readonly spans: number
  readonly spansPerTrace: number
  readonly attributesPerSpan: number
}

const keys = ['http.request.method', 'http.route', 'url.full', 'server.address', 'server.port', 'user_agent.original']

/** Returns an ExportTraceServiceRequest of one service in OTLP/JSON. */
export function randomBody(random: Random, { spans: count, spansPerTrace, attributesPerSpan }: BodyShape) {
  const traceIds = Array.from({ length: Math.ceil(count / spansPerTrace) }, () => hex(random, 32))
  const spans = Array.from({ length: count }, (_, i) => ({
    traceId: traceIds[Math.floor(i / spansPerTrace)] ?? '',
    spanId: hex(random, 16),
    parentSpanId: hex(random, 16),
    name: `GET /api/${i % 40}/{id}`,
    kind: 1 + random.below(5),
    startTimeUnixNano: String(1_790_000_000_000_000_000n + BigInt(i) * 1_000_001n),
    endTimeUnixNano: String(1_790_000_000_000_000_000n + BigInt(i) * 1_000_001n + 2_500_000n),
    status: { code: i % 20 === 0 ? 2 : 0 },
    attributes: Array.from({ length: attributesPerSpan }, (_, index) => attribute(random, index)),
  }))
  const service = { key: 'service.name', value: { stringValue: `service-${random.below(25)}` } }
  const resource = { attributes: [service, ...Array.from({ length: 8 }, (_, index) => attribute(random, index + 30))] }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'http', version: '1.2' }, spans }] }] }
}

function attribute(random: Random, index: number) {
  const key = keys[index] ?? `app.module_${index % 7}.attribute_${index}`
  const kind = random.weighted({ text: 14, int: 4, bool: 1, double: 1 })
  if (kind === 'int') return { key, value: { intValue: String(random.below(1_000_000)) } }
  if (kind === 'bool') return { key, value: { boolValue: random.chance(0.5) } }
  if (kind === 'double') return { key, value: { doubleValue: random.below(1000) / 7 } }
  return { key, value: { stringValue: `${hex(random, 4 + random.below(24))}-${index}` } }
}

function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.below(16).toString(16)).join('')
}
