import { distinctSpans } from './reference-descendants.ts'
import type { SpanModel } from './span-model.ts'

/** Nanoseconds since the epoch; a span is in it when `fromNs <= start < toNs`. */
export interface Window {
  readonly fromNs: bigint
  readonly toNs: bigint
}

/** The population of a query of a caller who sees the whole organization (semantics section 1), from all stored rows. */
export function populationOf(stored: readonly SpanModel[], org: string, window: Window): SpanModel[] {
  return distinctSpans(stored.filter((row) => row.org === org)).filter(
    (span) => window.fromNs <= span.startNs && span.startNs < window.toNs,
  )
}

/** Oldest first; spans that start together stand in the order of their ids. */
export function byStart(left: SpanModel, right: SpanModel): number {
  if (left.startNs !== right.startNs) return left.startNs < right.startNs ? -1 : 1
  return left.spanId < right.spanId ? -1 : Number(left.spanId > right.spanId)
}
