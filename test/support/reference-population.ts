import { distinctSpans } from './reference-descendants.ts'
import type { SpanModel } from './span-model.ts'

/** A window in nanoseconds since 1970. It contains a span if `fromNs <= start < toNs`. */
export interface Window {
  readonly fromNs: bigint
  readonly toNs: bigint
}

/** Returns the population of an unrestricted caller out of all stored rows (docs/semantics.md, section 1). */
export function populationOf(stored: readonly SpanModel[], org: string, window: Window): SpanModel[] {
  return distinctSpans(stored.filter((row) => row.org === org)).filter(
    (span) => window.fromNs <= span.startNs && span.startNs < window.toNs,
  )
}

/** Sorts by start, then by span id. */
export function byStart(left: SpanModel, right: SpanModel): number {
  if (left.startNs !== right.startNs) return left.startNs < right.startNs ? -1 : 1
  return left.spanId < right.spanId ? -1 : Number(left.spanId > right.spanId)
}
