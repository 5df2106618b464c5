/** Builds minimal OTLP/JSON requests for tests. */

export type OtlpSpan = Readonly<Record<string, unknown>>

let spansMade = 0

/** Returns a valid span with a unique id. `given` replaces members; undefined omits one. */
export function span(given: OtlpSpan = {}): OtlpSpan {
  spansMade++
  return {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: spansMade.toString(16).padStart(16, '0'),
    name: 'step',
    kind: 1,
    startTimeUnixNano: '1790000000000000000',
    endTimeUnixNano: '1790000000001000000',
    ...given,
  }
}

export function request(...spans: OtlpSpan[]): { resourceSpans: object[] } {
  return requestOf({ 'service.name': { stringValue: 'shop' } }, spans)
}

export function requestOf(resource: Readonly<Record<string, unknown>>, spans: readonly OtlpSpan[]) {
  return { resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans: [{ spans }] }] }
}

/** Converts `{ key: AnyValue }` to a list of OTLP attributes. */
export function attributes(values: Readonly<Record<string, unknown>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}
