/** An attribute value in the form of an OTLP/JSON `AnyValue`; `{}` is an unset value. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  /** A signed 64-bit integer in decimal. */
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  /** Base64, standard alphabet, padded. */
  | { readonly bytesValue: string }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }
  | { readonly kvlistValue: { readonly values: readonly { readonly key: string; readonly value: OtlpValue }[] } }
  | { readonly [kind: string]: never }

export type Attributes = readonly (readonly [key: string, value: OtlpValue])[]

/** In the order of OTLP's numbers: unspecified is 0, consumer is 5. */
export const spanKinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
export type SpanKind = (typeof spanKinds)[number]

/** In the order of OTLP's numbers: unset is 0, error is 2. */
export const spanStatuses = ['unset', 'ok', 'error'] as const
export type SpanStatus = (typeof spanStatuses)[number]

export interface SpanEvent {
  readonly name: string
  readonly timeNs: bigint
  readonly attributes: Attributes
}

export interface SpanLink {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Attributes
}

/** A stored row of a span. A span that was delivered twice has two rows with the same ids. */
export interface SpanModel {
  readonly org: string
  /** 32 lower-case hex digits. */
  readonly traceId: string
  /** 16 lower-case hex digits. */
  readonly spanId: string
  /** 16 lower-case hex digits, or empty for a span without a parent. */
  readonly parentId: string
  /** The text of the resource attribute `service.name`, and `unknown_service` if that is absent or empty. */
  readonly service: string
  readonly name: string
  readonly kind: SpanKind
  readonly status: SpanStatus
  readonly statusMessage: string
  /** Nanoseconds since the Unix epoch. */
  readonly startNs: bigint
  readonly durationNs: bigint
  readonly scopeName: string
  readonly scopeVersion: string
  readonly traceState: string
  readonly attributes: Attributes
  readonly resourceAttributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
}

/** The defaults of a span. */
const spanDefaults: Omit<SpanModel, 'traceId' | 'spanId'> = {
  org: 'acme',
  parentId: '',
  service: 'shop',
  name: 'step',
  kind: 'internal',
  status: 'unset',
  statusMessage: '',
  startNs: 0n,
  durationNs: 1_000_000n,
  scopeName: '',
  scopeVersion: '',
  traceState: '',
  attributes: [],
  resourceAttributes: [],
  events: [],
  links: [],
}

/** Completes a span with defaults, and adds `service.name` to its resource if it is missing. */
export function makeSpan(given: Partial<SpanModel> & { readonly traceId: string; readonly spanId: string }): SpanModel {
  const span = { ...spanDefaults, ...given }
  const others = span.resourceAttributes.filter(([key]) => key !== 'service.name')
  return { ...span, resourceAttributes: [['service.name', { stringValue: span.service }], ...others] }
}

/** Returns the value of a key in a list of attributes: the last one if the key repeats, undefined if it is absent. */
export function carriedValue(attributes: Attributes, key: string): OtlpValue | undefined {
  return attributes.findLast(([carried]) => carried === key)?.[1]
}

interface ScopeSpans {
  readonly scope: object
  readonly spans: unknown[]
}

/** Returns an OTLP/JSON ExportTraceServiceRequest with the spans in order. Adjacent spans share resource and scope. */
export function toOtlpJson(spans: readonly SpanModel[]): { resourceSpans: object[] } {
  const resourceSpans: { readonly resource: object; readonly scopeSpans: ScopeSpans[] }[] = []
  const isLast = (last: object | undefined, own: object) => JSON.stringify(last) === JSON.stringify(own)
  for (const span of spans) {
    const resource = { attributes: toOtlpAttributes(span.resourceAttributes) }
    if (!isLast(resourceSpans.at(-1)?.resource, resource)) resourceSpans.push({ resource, scopeSpans: [] })
    const scopeSpans = resourceSpans.at(-1)?.scopeSpans ?? []
    const scope = { name: span.scopeName, version: span.scopeVersion }
    if (!isLast(scopeSpans.at(-1)?.scope, scope)) scopeSpans.push({ scope, spans: [] })
    scopeSpans.at(-1)?.spans.push(toOtlpSpan(span))
  }
  return { resourceSpans }
}

function toOtlpSpan(span: SpanModel): unknown {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentId,
    traceState: span.traceState,
    name: span.name,
    kind: spanKinds.indexOf(span.kind),
    startTimeUnixNano: String(span.startNs),
    endTimeUnixNano: String(span.startNs + span.durationNs),
    attributes: toOtlpAttributes(span.attributes),
    status: { code: spanStatuses.indexOf(span.status), message: span.statusMessage },
    events: span.events.map(({ name, timeNs, attributes }) => ({
      name,
      timeUnixNano: String(timeNs),
      attributes: toOtlpAttributes(attributes),
    })),
    links: span.links.map((link) => ({ ...link, attributes: toOtlpAttributes(link.attributes) })),
  }
}

export function toOtlpAttributes(attributes: Attributes): unknown[] {
  return attributes.map(([key, value]) => ({ key, value: toOtlpValue(value) }))
}

/** The JSON mapping of proto3 encodes NaN and the infinities as strings. */
export function toOtlpValue(value: OtlpValue): unknown {
  if ('doubleValue' in value && !Number.isFinite(value.doubleValue)) return { doubleValue: String(value.doubleValue) }
  if ('arrayValue' in value) return { arrayValue: { values: (value.arrayValue?.values ?? []).map(toOtlpValue) } }
  if (!('kvlistValue' in value)) return value
  const entries = value.kvlistValue?.values ?? []
  return { kvlistValue: { values: entries.map((entry) => ({ key: entry.key, value: toOtlpValue(entry.value) })) } }
}
