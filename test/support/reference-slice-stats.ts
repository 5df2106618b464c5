import { groupBy, identityOf } from './reference-descendants.ts'
import type { SpanModel } from './span-model.ts'

export interface SliceStats {
  readonly trace_count: number
  readonly error_trace_count: number
  readonly span_count: number
  readonly error_span_count: number
  /** Sorted by code units. */
  readonly services: readonly string[]
}

/** Counts the stats of an integration over its slice. */
export function statsOf(slice: ReadonlySet<SpanModel>): SliceStats {
  const spans = [...slice]
  const errors = spans.filter((span) => span.status === 'error')
  return {
    trace_count: new Set(spans.map((span) => span.traceId)).size,
    error_trace_count: new Set(errors.map((span) => span.traceId)).size,
    span_count: spans.length,
    error_span_count: errors.length,
    services: [...new Set(spans.map((span) => span.service))].sort(),
  }
}

/** An edge of the flow graph. `durationsNs` is ascending, so that percentiles can be read from it. */
export interface FlowEdge {
  readonly from: string
  readonly to: string
  readonly callCount: number
  readonly errorCount: number
  readonly durationsNs: readonly bigint[]
}

/** Returns edges from the service of a span's nearest ancestor in the slice to its own, if they differ, by name. */
export function flowEdges(slice: ReadonlySet<SpanModel>, population: readonly SpanModel[]): FlowEdge[] {
  return spansByCaller(slice, population).filter(({ from }) => from !== '')
}

/**
 * Returns all spans of the slice by their service and that of their nearest ancestor in the slice, which is empty if it
 * is the same or does not exist.
 */
export function spansByCaller(slice: ReadonlySet<SpanModel>, population: readonly SpanModel[]): FlowEdge[] {
  const byIdentity = new Map(population.map((span) => [identityOf(span), span]))
  const calls = [...slice].map((span) => {
    const from = nearestInSlice(span, slice, byIdentity)?.service
    return { from: from === undefined || from === span.service ? '' : from, span }
  })
  const edges = [...groupBy(calls, ({ from, span }) => JSON.stringify([from, span.service]))]
  return edges
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([names, ofEdge]) => ({
      from: JSON.parse(names)[0],
      to: JSON.parse(names)[1],
      callCount: ofEdge.length,
      errorCount: ofEdge.filter(({ span }) => span.status === 'error').length,
      durationsNs: ofEdge.map(({ span }) => span.durationNs).sort((left, right) => Number(left - right)),
    }))
}

function nearestInSlice(
  span: SpanModel,
  slice: ReadonlySet<SpanModel>,
  byIdentity: ReadonlyMap<string, SpanModel>,
): SpanModel | undefined {
  const seen = new Set([span])
  for (let above = parentOf(span, byIdentity); above !== undefined; above = parentOf(above, byIdentity)) {
    if (seen.has(above)) return undefined
    if (slice.has(above)) return above
    seen.add(above)
  }
  return undefined
}

function parentOf(span: SpanModel, byIdentity: ReadonlyMap<string, SpanModel>): SpanModel | undefined {
  return byIdentity.get(`${span.traceId}/${span.parentId}`)
}
