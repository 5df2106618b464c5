import { type Condition, holds } from './reference-condition.ts'
import { descendants, groupBy, identityOf } from './reference-descendants.ts'
import type { SpanModel } from './span-model.ts'

/** A relation between spans of a trace, as TraceQL writes it. Its result is the spans of the right side. */
export type Relation = '>>' | '>' | '<<' | '<' | '~' | '!<'

/** Returns the spans for which `right` holds that have this relation to some span for which `left` holds. */
export function related(
  left: Predicate,
  relation: Relation,
  right: Predicate,
  spans: readonly SpanModel[],
): SpanModel[] {
  const candidates = spans.filter(right)
  const others = spans.filter(left)
  const parentOf = parentLookup(spans)
  if (relation === '>>') return intersect(candidates, descendants(others, spans))
  if (relation === '>') return candidates.filter((span) => others.includes(parentOf(span) as SpanModel))
  if (relation === '<<') return candidates.filter((span) => others.some((other) => isAncestor(span, other, parentOf)))
  if (relation === '<') return candidates.filter((span) => others.some((other) => parentOf(other) === span))
  if (relation === '!<') return candidates.filter((span) => !others.some((other) => parentOf(other) === span))
  return candidates.filter((span) =>
    others.some((other) => other !== span && other.traceId === span.traceId && isSibling(span, other)),
  )
}

export type Predicate = (span: SpanModel) => boolean

export function predicateOf(condition: Condition): Predicate {
  return (span) => holds(condition, span)
}

function intersect(spans: readonly SpanModel[], set: ReadonlySet<SpanModel>): SpanModel[] {
  return spans.filter((span) => set.has(span))
}

function isSibling(left: SpanModel, right: SpanModel): boolean {
  return left.parentId !== '' && left.parentId === right.parentId
}

function isAncestor(above: SpanModel, span: SpanModel, parentOf: ParentOf): boolean {
  for (let at = parentOf(span); at !== undefined; at = parentOf(at)) if (at === above) return true
  return false
}

type ParentOf = (span: SpanModel) => SpanModel | undefined

/** The data sets have no cycles, so a walk up needs no guard. */
function parentLookup(spans: readonly SpanModel[]): ParentOf {
  const byIdentity = new Map(spans.map((span) => [identityOf(span), span]))
  return (span) => byIdentity.get(`${span.traceId}/${span.parentId}`)
}

/** Counts properties of a data set that need no query. */
export function structureOf(spans: readonly SpanModel[]) {
  const parentOf = parentLookup(spans)
  const withChild = new Set(spans.map(parentOf))
  const depthOf = (span: SpanModel): number => {
    let depth = 1
    for (let at = parentOf(span); at !== undefined; at = parentOf(at)) depth += 1
    return depth
  }
  const traces = [...groupBy(spans, (span) => span.traceId).values()]
  return {
    spans: spans.length,
    traces: traces.length,
    roots: spans.filter((span) => span.parentId === '').length,
    orphans: spans.filter((span) => span.parentId !== '' && parentOf(span) === undefined).length,
    leaves: spans.filter((span) => !withChild.has(span)).length,
    errors: spans.filter((span) => span.status === 'error').length,
    spans_per_service: tally(spans.map((span) => span.service)),
    max_depth_histogram: tally(traces.map((trace) => String(Math.max(...trace.map(depthOf))))),
  }
}

function tally(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...groupBy(names, (name) => name)].map(([name, items]) => [name, items.length]))
}
