import type { SpanModel } from './span-model.ts'

/** Returns one row for each trace id and span id: the one stored first. The input is in stored order. */
export function distinctSpans(stored: readonly SpanModel[]): SpanModel[] {
  const firstStored = new Map<string, SpanModel>()
  for (const row of stored) if (!firstStored.has(identityOf(row))) firstStored.set(identityOf(row), row)
  return [...firstStored.values()]
}

export function identityOf(span: SpanModel): string {
  return `${span.traceId}/${span.spanId}`
}

export function groupByTrace(spans: Iterable<SpanModel>): Map<string, SpanModel[]> {
  return groupBy(spans, (span) => span.traceId)
}

/** Groups items. Groups are in order of their first item, items in order of appearance. */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/**
 * Returns the spans of the population that one or more links from parent to child reach from an anchor
 * (docs/semantics.md, section 4). `population` holds every span once. The result holds the population's own objects, so
 * that it can be intersected with other sets. An anchor is in the result only if it is below an anchor.
 */
export function descendants(anchors: Iterable<SpanModel>, population: readonly SpanModel[]): Set<SpanModel> {
  const childrenOf = groupBy(
    population.filter((span) => span.parentId !== ''),
    (span) => `${span.traceId}/${span.parentId}`,
  )
  const reached = new Set<SpanModel>()
  // A chain may be 10,000 deep, so this uses a list instead of recursion. A span is walked once, which ends cycles.
  const toWalk = [...anchors]
  for (let span = toWalk.pop(); span !== undefined; span = toWalk.pop()) {
    for (const child of childrenOf.get(identityOf(span)) ?? []) {
      if (reached.has(child)) continue
      reached.add(child)
      toWalk.push(child)
    }
  }
  return reached
}
