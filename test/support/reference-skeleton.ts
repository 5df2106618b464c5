import type { Message } from './reference-messages.ts'
import { byStart } from './reference-population.ts'
import { toRfc3339 } from './reference-time.ts'
import { treeOrder } from './reference-tree.ts'
import { type SpanModel, spanKinds, spanStatuses } from './span-model.ts'

/**
 * Returns the skeleton of the spans of one trace, with its texts written out (docs/questions.md, section 18). `message`
 * is what a search finds of the trace with a filter, null if it finds nothing, and undefined without a filter.
 */
export function skeletonOf(spans: readonly SpanModel[], message: Pick<Message, 'matchedSteps'> | null | undefined) {
  const placed = treeOrder(spans)
  const first = spans.toSorted(byStart)[0] as SpanModel
  const positions = new Map(placed.map(({ span }, position) => [span, position]))
  return {
    trace_id: first.traceId,
    started_at: toRfc3339(first.startNs),
    span_count: spans.length,
    span_ids: placed.map(({ span }) => span.spanId),
    parents: placed.map(({ parent }) => (parent === undefined ? -1 : positions.get(parent))),
    depths: placed.map(({ depth }) => depth),
    services: placed.map(({ span }) => span.service),
    names: placed.map(({ span }) => span.name),
    start_offset_ns: placed.map(({ span }) => exact(span.startNs - first.startNs)),
    duration_ns: placed.map(({ span }) => exact(span.durationNs)),
    kinds: placed.map(({ span }) => spanKinds.indexOf(span.kind)),
    statuses: placed.map(({ span }) => spanStatuses.indexOf(span.status)),
    ...(message === undefined
      ? {}
      : { matched: placed.map(({ span }) => Number(message?.matchedSteps.includes(span) ?? false)) }),
  }
}

/** JSON numbers are exact up to 2^53; a larger integer is a string. */
function exact(ns: bigint): number | string {
  return ns <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(ns) : String(ns)
}

/** Returns the spans of a population that link to a span, newest first (docs/questions.md, section 18). */
export function linkedFrom(population: readonly SpanModel[], linked: Pick<SpanModel, 'traceId' | 'spanId'>) {
  return population
    .filter(({ links }) => links.some((link) => link.traceId === linked.traceId && link.spanId === linked.spanId))
    .toSorted((left, right) => {
      if (left.startNs !== right.startNs) return left.startNs > right.startNs ? -1 : 1
      return `${left.traceId}/${left.spanId}` > `${right.traceId}/${right.spanId}` ? -1 : 1
    })
    .map((span) => ({
      trace_id: span.traceId,
      span_id: span.spanId,
      service: span.service,
      name: span.name,
      started_at: toRfc3339(span.startNs),
    }))
}
