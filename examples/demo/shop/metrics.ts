import { createDraw } from './draw.ts'
import type { ShopSpan } from './message.ts'
import { ofServices, toKeyValues } from './otlp.ts'
import type { Attributes } from './step.ts'

const minuteNs = 60_000_000_000n
const megabyte = 1_048_576
/** The upper bounds of the buckets of durations, in seconds. */
const explicitBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Each point is about one minute alone. */
const aggregationTemporality = 1

/** A metric of one service. Its points are those of OTLP/JSON. */
export interface ShopMetric {
  readonly service: string
  readonly name: string
  readonly description: string
  /** In UCUM. */
  readonly unit: string
  readonly kind: 'gauge' | 'histogram' | 'sum'
  readonly points: readonly object[]
}

/**
 * Returns what the services of some spans measure each minute: the durations of requests, the orders that were placed,
 * and their memory, which is drawn.
 */
export function metricsOf(spans: readonly ShopSpan[]): ShopMetric[] {
  const services = [...new Set(spans.map(({ step }) => step.service))]
  return services.flatMap((service, position) => {
    const own = spans.filter(({ step }) => step.service === service)
    const requests = own.filter(({ step }) => step.kind === 'server')
    const orders = requests.filter(({ step }) => 'order.id' in step.attributes && step.error === undefined)
    const metrics = [durationsOf(service, requests), placedOrders(service, orders), memoryOf(service, own, position)]
    return metrics.filter(({ points }) => points.length > 0)
  })
}

function durationsOf(service: string, requests: readonly ShopSpan[]): ShopMetric {
  return {
    service,
    name: 'http.server.request.duration',
    description: 'Duration of HTTP server requests.',
    unit: 's',
    kind: 'histogram',
    points: byMinute(requests, describeRequest, (own) => distributionOf(own.map(secondsOf))),
  }
}

function describeRequest(attributes: Attributes): Attributes {
  const { 'http.method': method = '', 'http.route': route = '', 'http.status_code': status = 0 } = attributes
  return { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status }
}

function placedOrders(service: string, orders: readonly ShopSpan[]): ShopMetric {
  const points = byMinute(
    orders,
    ({ tenant = '' }) => ({ tenant }),
    ({ length }) => ({ asInt: String(length) }),
  )
  const description = 'Orders that were paid and stored.'
  return { service, name: 'shop.orders.placed', description, unit: '{order}', kind: 'sum', points }
}

/** Memory grows until it is collected, every ten minutes or so. */
function memoryOf(service: string, spans: readonly ShopSpan[], seed: number): ShopMetric {
  const draw = createDraw(seed)
  const baseMegabytes = draw.integer(90, 400)
  const cycle = draw.integer(7, 13)
  const points = byMinute(
    spans,
    () => ({}),
    (_, minute) => ({
      asInt: String((baseMegabytes + 6 * Number(minute % BigInt(cycle)) + draw.integer(0, 4)) * megabyte),
    }),
  )
  return { service, name: 'process.memory.usage', description: 'Memory in use.', unit: 'By', kind: 'gauge', points }
}

/** Returns a point for each minute and set of attributes. Spans count for the minute in which they end. */
function byMinute(
  spans: readonly ShopSpan[],
  attributesOf: (attributes: Attributes) => Attributes,
  measure: (spans: readonly ShopSpan[], minute: bigint) => object,
): object[] {
  const groups = new Map<string, { minute: bigint; attributes: Attributes; spans: ShopSpan[] }>()
  for (const span of spans) {
    const minute = span.endNs / minuteNs
    const attributes = attributesOf(span.step.attributes)
    const key = JSON.stringify([String(minute), attributes])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { minute, attributes, spans: [span] })
    else group.spans.push(span)
  }
  return [...groups.values()].map(({ minute, attributes, spans: own }) => ({
    startTimeUnixNano: String(minute * minuteNs),
    // The last minute may not have passed yet.
    timeUnixNano: String(own.reduce((last, { endNs }) => (endNs > last ? endNs : last), 0n)),
    attributes: toKeyValues(attributes),
    ...measure(own, minute),
  }))
}

function secondsOf({ startNs, endNs }: ShopSpan): number {
  return Number(endNs - startNs) / 1e9
}

function distributionOf(values: readonly number[]): object {
  const bucketOf = (value: number) => explicitBounds.findIndex((bound) => value <= bound)
  const bucketCounts = Array.from({ length: explicitBounds.length + 1 }, () => 0)
  for (const value of values) {
    const bucket = bucketOf(value)
    const position = bucket < 0 ? explicitBounds.length : bucket
    bucketCounts[position] = (bucketCounts[position] ?? 0) + 1
  }
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    count: String(values.length),
    sum,
    min: Math.min(...values),
    max: Math.max(...values),
    explicitBounds,
    bucketCounts: bucketCounts.map(String),
  }
}

/** Returns an ExportMetricsServiceRequest in OTLP/JSON. */
export function toMetricsRequest(metrics: readonly ShopMetric[]): object {
  return {
    resourceMetrics: ofServices(metrics, ({ service }) => service).map(({ resource, scope, items }) => ({
      resource,
      scopeMetrics: [{ scope, metrics: items.map(toMetric) }],
    })),
  }
}

function toMetric({ name, description, unit, kind, points: dataPoints }: ShopMetric): object {
  const data = {
    gauge: { gauge: { dataPoints } },
    sum: { sum: { aggregationTemporality, isMonotonic: true, dataPoints } },
    histogram: { histogram: { aggregationTemporality, dataPoints } },
  }
  return { name, description, unit, ...data[kind] }
}
