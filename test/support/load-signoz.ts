import { makeSpan, type SpanModel, spanKinds } from './span-model.ts'
import { drawnStartNs } from './trace-text.ts'

export interface SigNozCase {
  /** `A => B`, `A -> B`, `A && B`, `A || B` or `A NOT B`. */
  readonly expression: string
  readonly A: string
  readonly B: string
  readonly returnSpansFrom: string
  readonly expected_span_names: readonly string[]
}

interface SigNozSpan {
  readonly name: string
  readonly service: string
  readonly parent: string | null
  readonly kind: string
  readonly duration_s: number
  readonly attributes: Readonly<Record<string, string>>
}

interface SigNozFile {
  readonly traces: Readonly<Record<string, readonly SigNozSpan[]>>
  readonly cases: readonly SigNozCase[]
}

/** Reads the four traces of SigNoz's trace operator tests and their cases. Generates ids, because the file has none. */
export function loadSigNoz(text: string, org: string): { spans: SpanModel[]; cases: readonly SigNozCase[] } {
  const file: SigNozFile = JSON.parse(text)
  const spans = Object.values(file.traces).flatMap((trace, position) =>
    trace.map((span, index) => toSpan(span, index, trace, position, org)),
  )
  return { spans, cases: file.cases }
}

function toSpan(
  span: SigNozSpan,
  index: number,
  trace: readonly SigNozSpan[],
  position: number,
  org: string,
): SpanModel {
  const idOf = (place: number): string => `51${String(place + 1).padStart(14, '0')}`
  const parent = trace.findIndex((other) => other.name === span.parent)
  return makeSpan({
    org,
    traceId: `5166${String(position + 1).padStart(28, '0')}`,
    spanId: idOf(index),
    parentId: parent === -1 ? '' : idOf(parent),
    service: span.service,
    name: span.name,
    kind: spanKinds.find((kind) => kind === span.kind.toLowerCase()) ?? 'unspecified',
    startNs: drawnStartNs + BigInt(position) * 60_000_000_000n + BigInt(index) * 100_000_000n,
    durationNs: BigInt(span.duration_s) * 1_000_000_000n,
    attributes: Object.entries(span.attributes).map(([key, value]) => [key, { stringValue: value }] as const),
  })
}
