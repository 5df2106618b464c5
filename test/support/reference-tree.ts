import { groupBy, identityOf } from './reference-descendants.ts'
import { byStart } from './reference-population.ts'
import type { SpanModel } from './span-model.ts'

export interface PlacedSpan {
  readonly span: SpanModel
  /** The number of links between the span and the root of its tree. */
  readonly depth: number
}

/**
 * Returns the spans of one trace in tree order: every span before the spans below it, roots and siblings by start. A
 * span whose parent is missing is a root. The spans of a cycle are below no root and are left out.
 */
export function treeOrder(spans: readonly SpanModel[]): PlacedSpan[] {
  const present = new Set(spans.map(identityOf))
  const isRoot = (span: SpanModel): boolean => !present.has(`${span.traceId}/${span.parentId}`)
  const childrenOf = groupBy(spans, (span) => `${span.traceId}/${span.parentId}`)
  const placed: PlacedSpan[] = []
  const toPlace = downwards(spans.filter(isRoot), 0)
  for (let next = toPlace.pop(); next !== undefined; next = toPlace.pop()) {
    placed.push(next)
    toPlace.push(...downwards(childrenOf.get(identityOf(next.span)) ?? [], next.depth + 1))
  }
  return placed
}

/** Sorts the latest first, because the last of the list is placed next. */
function downwards(siblings: readonly SpanModel[], depth: number): PlacedSpan[] {
  return siblings
    .toSorted(byStart)
    .reverse()
    .map((span) => ({ span, depth }))
}
