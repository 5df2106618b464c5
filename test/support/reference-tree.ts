import { groupBy, identityOf } from './reference-descendants.ts'
import { byStart } from './reference-population.ts'
import type { SpanModel } from './span-model.ts'

export interface PlacedSpan {
  readonly span: SpanModel
  /** The number of links between the span and the root of its tree. */
  readonly depth: number
  /** The parent in the tree; absent for a root. */
  readonly parent?: SpanModel
}

/**
 * Returns the spans of one trace in tree order: every span before the spans below it, roots and siblings by start. A
 * span whose parent is missing is a root. After all trees come the cycles, of which the first span counts as a root.
 */
export function treeOrder(spans: readonly SpanModel[]): PlacedSpan[] {
  const present = new Set(spans.map(identityOf))
  const isRoot = (span: SpanModel): boolean => !present.has(`${span.traceId}/${span.parentId}`)
  const childrenOf = groupBy(spans, (span) => `${span.traceId}/${span.parentId}`)
  const placed = new Map<SpanModel, PlacedSpan>()
  const placeBelow = (roots: readonly SpanModel[]) => {
    const toPlace = downwards(roots)
    for (let next = toPlace.pop(); next !== undefined; next = toPlace.pop()) {
      const { span } = next
      if (placed.has(span)) continue
      placed.set(span, next)
      toPlace.push(...downwards(childrenOf.get(identityOf(span)) ?? [], next))
    }
  }
  placeBelow(spans.filter(isRoot))
  const byId = new Map(spans.map((span) => [identityOf(span), span]))
  const parentOf = (span: SpanModel) => byId.get(`${span.traceId}/${span.parentId}`) as SpanModel
  const unplaced = spans.filter((span) => !placed.has(span))
  const isInCycle = (span: SpanModel): boolean => {
    let above = parentOf(span)
    for (let steps = 1; steps < unplaced.length && above !== span; steps++) above = parentOf(above)
    return above === span
  }
  for (const span of unplaced.filter(isInCycle).toSorted(byStart)) placeBelow([span])
  return [...placed.values()]
}

/** Sorts the latest first, because the last of the list is placed next. */
function downwards(siblings: readonly SpanModel[], parent?: PlacedSpan): PlacedSpan[] {
  const depth = parent === undefined ? 0 : parent.depth + 1
  return siblings
    .toSorted(byStart)
    .reverse()
    .map((span) => ({ span, depth, ...(parent === undefined ? {} : { parent: parent.span }) }))
}
