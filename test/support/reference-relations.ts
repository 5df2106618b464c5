import { type Condition, holds } from './reference-condition.ts'
import { descendants } from './reference-descendants.ts'
import type { SpanModel } from './span-model.ts'

export const relationKinds = [
  'followed_by',
  'not_followed_by',
  'contains',
  'not_contains',
  'called_by',
  'not_called_by',
] as const

/** A relation, as it is sent. */
export interface Relation {
  readonly kind: (typeof relationKinds)[number]
  readonly from: readonly Condition[]
  readonly to: readonly Condition[]
  readonly within_ms?: number
}

/**
 * Returns the steps of a trace that satisfy a relation (docs/questions.md, section 16). `trace` holds the spans of the
 * population in one trace, each once.
 */
export function stepsOfRelation(relation: Relation, trace: readonly SpanModel[]): SpanModel[] {
  const { kind } = relation
  const from = stepsWith(relation.from, trace)
  const to = stepsWith(relation.to, trace)
  const hasCounterpart = counterpartTest(relation, to, trace)
  return from.filter((step) => hasCounterpart(step) !== kind.startsWith('not_'))
}

/** Returns the steps that make all conditions true. */
export function stepsWith(conditions: readonly Condition[], trace: readonly SpanModel[]): SpanModel[] {
  return trace.filter((span) => conditions.every((condition) => holds(condition, span)))
}

function counterpartTest(
  { kind, within_ms }: Relation,
  to: readonly SpanModel[],
  trace: readonly SpanModel[],
): (step: SpanModel) => boolean {
  if (kind === 'called_by' || kind === 'not_called_by') {
    const below = descendants(to, trace)
    return (step) => below.has(step)
  }
  if (kind === 'contains' || kind === 'not_contains') {
    const ancestors = ancestorsOf(to, trace)
    return (step) => ancestors.has(step)
  }
  const limitNs = within_ms === undefined ? undefined : BigInt(within_ms) * 1_000_000n
  return (step) =>
    to.some(
      (other) =>
        other !== step &&
        step.startNs <= other.startNs &&
        (limitNs === undefined || other.startNs - step.startNs <= limitNs),
    )
}

/** Returns the spans that have one of the steps among their descendants: all that lie above one of them. */
function ancestorsOf(steps: readonly SpanModel[], trace: readonly SpanModel[]): Set<SpanModel> {
  const byId = new Map(trace.map((span) => [span.spanId, span]))
  const reached = new Set<SpanModel>()
  for (const step of steps) {
    for (let above = byId.get(step.parentId); above !== undefined && !reached.has(above); ) {
      reached.add(above)
      above = byId.get(above.parentId)
    }
  }
  return reached
}
