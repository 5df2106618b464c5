import { createHash } from 'node:crypto'

export type SoakSignal = 'traces' | 'logs' | 'metrics'

export interface SoakBody {
  readonly path: string
  readonly items: number
  readonly request: object
}

export interface BodyOrder {
  readonly org: string
  /** The number of the body among those of the organization and the signal. It makes all ids unique. */
  readonly number: number
  readonly items: number
  readonly at: Date
  readonly failed?: boolean
}

const spansPerTrace = 10
const nsPerMs = 1_000_000n

/** Makes a body whose items no other body contains. */
export const makeBody: Readonly<Record<SoakSignal, (order: BodyOrder) => SoakBody>> = {
  traces: (order) => ({ path: '/v1/traces', items: order.items, request: { resourceSpans: [spansOf(order)] } }),
  logs: (order) => ({ path: '/v1/logs', items: order.items, request: { resourceLogs: [logsOf(order)] } }),
  metrics: (order) => ({ path: '/v1/metrics', items: order.items, request: { resourceMetrics: [pointsOf(order)] } }),
}

function spansOf({ org, number, items, at, failed = false }: BodyOrder) {
  const startNs = nanoseconds(at) - BigInt(items) * nsPerMs
  const spans = Array.from({ length: items }, (_, index) => {
    const trace = digest(`${org} ${number} ${Math.floor(index / spansPerTrace)}`)
    const start = startNs + BigInt(index) * nsPerMs
    const parent = index % spansPerTrace === 0 ? {} : { parentSpanId: spanId(index - 1) }
    return {
      traceId: trace.slice(0, 32),
      spanId: spanId(index),
      ...parent,
      name: `step ${index % 40}`,
      kind: 1 + (index % 5),
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + nsPerMs),
      status: { code: failed ? 2 : 0 },
      attributes: [
        text('customer.id', `customer-${(number * 7 + index) % 10_000}`),
        text('http.route', `/api/${index % 30}`),
        text('host.name', `host-${index % 12}`),
        { key: 'http.response.status_code', value: { intValue: String(index % 17 === 0 ? 500 : 200) } },
        { key: 'cart.total', value: { doubleValue: (number % 1_000) / 7 } },
      ],
    }
  })
  return { resource: resourceOf(number), scopeSpans: [{ scope: { name: 'soak' }, spans }] }
}

function logsOf({ org, number, items, at }: BodyOrder) {
  const logRecords = Array.from({ length: items }, (_, index) => ({
    timeUnixNano: String(nanoseconds(at) + BigInt(index)),
    severityNumber: 9 + (index % 3) * 4,
    body: { stringValue: `${org} ${number} ${index}` },
    attributes: [text('host.name', `host-${index % 12}`)],
  }))
  return { resource: resourceOf(number), scopeLogs: [{ scope: { name: 'soak' }, logRecords }] }
}

/** Each body has one point of every series. The times of two bodies differ by at least the number of the body. */
function pointsOf({ number, items, at }: BodyOrder) {
  const dataPoints = Array.from({ length: items }, (_, index) => ({
    timeUnixNano: String(nanoseconds(at) + BigInt(number % 1_000_000)),
    asDouble: (number * 13 + index) % 997,
    attributes: [text('host.name', `host-${index}`)],
  }))
  const metrics = [{ name: 'queue.length', unit: '1', gauge: { dataPoints } }]
  return { resource: resourceOf(0), scopeMetrics: [{ scope: { name: 'soak' }, metrics }] }
}

function resourceOf(number: number) {
  return { attributes: [text('service.name', `service-${number % 8}`)] }
}

function text(key: string, value: string) {
  return { key, value: { stringValue: value } }
}

function digest(of: string): string {
  return createHash('sha256').update(of).digest('hex')
}

function spanId(index: number): string {
  return (index + 1).toString(16).padStart(16, '0')
}

function nanoseconds(at: Date): bigint {
  return BigInt(at.getTime()) * nsPerMs
}
