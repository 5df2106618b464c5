import { textOf } from './reference-attribute.ts'
import { type Attributes, makeSpan, type OtlpValue, type SpanModel, spanKinds, spanStatuses } from './span-model.ts'

interface OtlpAttribute {
  readonly key: string
  readonly value?: OtlpValue
}

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind?: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status?: { readonly code?: number; readonly message?: string }
  readonly attributes?: readonly OtlpAttribute[]
  readonly events?: readonly {
    readonly name: string
    readonly timeUnixNano: string
    readonly attributes?: readonly OtlpAttribute[]
  }[]
}

interface OtlpRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly OtlpAttribute[] }
    readonly scopeSpans?: readonly {
      readonly scope?: { readonly name?: string }
      readonly spans?: readonly OtlpSpan[]
    }[]
  }[]
}

/** Reads the spans of one OTLP/JSON ExportTraceServiceRequest, or of several, one per line. */
export function loadOtlp(text: string, org: string): SpanModel[] {
  const requests = text.startsWith('{\n') ? [text] : text.split('\n').filter((line) => line.trim() !== '')
  return requests.flatMap((request) => spansOf(JSON.parse(request), org))
}

function spansOf(request: OtlpRequest, org: string): SpanModel[] {
  return (request.resourceSpans ?? []).flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ scope, spans = [] }) =>
      spans.map((span) => toSpan(span, attributesOf(resource?.attributes), scope?.name ?? '', org)),
    ),
  )
}

function toSpan(span: OtlpSpan, resourceAttributes: Attributes, scopeName: string, org: string): SpanModel {
  const service = resourceAttributes.find(([key]) => key === 'service.name')?.[1]
  return makeSpan({
    org,
    traceId: span.traceId.toLowerCase(),
    spanId: span.spanId.toLowerCase(),
    parentId: (span.parentSpanId ?? '').toLowerCase(),
    service: service === undefined ? '' : textOf(service),
    name: span.name,
    kind: spanKinds[span.kind ?? 0] ?? 'unspecified',
    status: spanStatuses[span.status?.code ?? 0] ?? 'unset',
    statusMessage: span.status?.message ?? '',
    startNs: BigInt(span.startTimeUnixNano),
    durationNs: BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano),
    scopeName,
    traceState: span.traceState ?? '',
    attributes: attributesOf(span.attributes),
    resourceAttributes,
    events: (span.events ?? []).map(({ name, timeUnixNano, attributes }) => ({
      name,
      timeNs: BigInt(timeUnixNano),
      attributes: attributesOf(attributes),
    })),
  })
}

function attributesOf(attributes: readonly OtlpAttribute[] = []): Attributes {
  return attributes.map(({ key, value }) => [key, value ?? {}] as const)
}
