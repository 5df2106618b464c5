import type { SpanModel } from './span-model.ts'

/** One span per (trace id, span id): of rows that were stored twice, the one stored first. The input is in stored order. */
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

/** Groups in order of first appearance, members in order of appearance. */
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
 * The spans of the population that are reached from an anchor by one or more steps from parent to child (semantics
 * section 4). `population` holds every span once. The answer keeps the population's own objects, so it can be
 * intersected with other sets of them. An anchor is in it only when it lies below an anchor.
 */
export function descendants(anchors: Iterable<SpanModel>, population: readonly SpanModel[]): Set<SpanModel> {
  const childrenOf = groupBy(
    population.filter((span) => span.parentId !== ''),
    (span) => `${span.traceId}/${span.parentId}`,
  )
  const reached = new Set<SpanModel>()
  // A list instead of recursion: a chain may be 10,000 deep. A span already reached is not walked again, which ends cycles.
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
