import type { ShopSpan } from './message.ts'
import { type AttributeValue, spanKinds } from './step.ts'

/** Versions and languages of the shop's services, as their SDKs would report them. */
const resources: Readonly<Record<string, { version: string; language: string }>> = {
  frontend: { version: '4.12.0', language: 'nodejs' },
  checkout: { version: '2.8.1', language: 'go' },
  cart: { version: '1.19.0', language: 'dotnet' },
  catalog: { version: '3.3.4', language: 'go' },
  inventory: { version: '2.0.7', language: 'java' },
  payment: { version: '5.1.0', language: 'java' },
  shipping: { version: '1.4.2', language: 'rust' },
  email: { version: '1.0.9', language: 'ruby' },
  recommendation: { version: '0.9.3', language: 'python' },
  loyalty: { version: '7.0.2', language: 'php' },
  'fraud-worker': { version: '0.4.0', language: 'python' },
  'stock-import': { version: '1.1.0', language: 'python' },
}

/** Returns an ExportTraceServiceRequest in OTLP/JSON with one ResourceSpans for each service. */
export function toExportRequest(spans: readonly ShopSpan[]): object {
  return {
    resourceSpans: ofServices(spans, ({ step }) => step.service).map(({ resource, scope, items }) => ({
      resource,
      scopeSpans: [{ scope, spans: items.map(toSpan) }],
    })),
  }
}

interface OfService<Item> {
  readonly resource: object
  readonly scope: object
  readonly items: readonly Item[]
}

/** Groups records by the service that sends them, and describes its resource and scope in OTLP/JSON. */
export function ofServices<Item>(items: readonly Item[], serviceOf: (item: Item) => string): OfService<Item>[] {
  const byService = new Map<string, Item[]>()
  for (const item of items) {
    const service = serviceOf(item)
    const own = byService.get(service)
    if (own === undefined) byService.set(service, [item])
    else own.push(item)
  }
  return [...byService].map(([service, own]) => ({ ...describeService(service), items: own }))
}

function describeService(service: string): Omit<OfService<never>, 'items'> {
  const { version = '0.0.0', language = 'cpp' } = resources[service] ?? {}
  const attributes = {
    'service.name': service,
    'service.namespace': 'shop',
    'service.version': version,
    'deployment.environment': 'demo',
    'telemetry.sdk.language': language,
  }
  return { resource: { attributes: toKeyValues(attributes) }, scope: { name: `shop.${service}`, version } }
}

function toSpan({ traceId, spanId, parentSpanId, startNs, endNs, step }: ShopSpan): object {
  const exception = { 'exception.type': 'ShopError', 'exception.message': step.error ?? '' }
  return {
    traceId,
    spanId,
    ...(parentSpanId === '' ? {} : { parentSpanId }),
    name: step.name,
    kind: spanKinds[step.kind],
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(endNs),
    attributes: toKeyValues(step.attributes),
    ...(step.error === undefined
      ? {}
      : {
          status: { code: 2, message: step.error },
          events: [{ name: 'exception', timeUnixNano: String(endNs), attributes: toKeyValues(exception) }],
        }),
  }
}

/** Returns attributes in OTLP/JSON. */
export function toKeyValues(attributes: Readonly<Record<string, AttributeValue>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toAnyValue(value) }))
}

function toAnyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { arrayValue: { values: value.map(toAnyValue) } }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
