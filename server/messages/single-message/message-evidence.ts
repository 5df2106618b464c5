/** The spans of one message with the tests of a query, from which its explanation is computed. */
import { type ExplainedSpanRow, explainedSpans, hasBit, isStepRow, type MessageQuery, type Relation } from '#sql'
import { Pace } from '../../background/pace.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import { blocksInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import { nsOfMs } from '../../telemetry/time-units.ts'

/** A span of the explained message. */
export interface Step extends ExplainedSpanRow {
  readonly startNs: bigint
}

/** The visible spans of the message in the window, oldest first, each once, and those that the query selects. */
export interface Evidence {
  readonly steps: readonly Step[]
  /** The steps of the integration's slice, or all of them. */
  readonly scope: readonly Step[]
  /** The steps that make every positive row true, within the scope. */
  readonly anchors: readonly Step[]
  /** For each relation the steps that satisfy it. */
  readonly related: readonly (readonly Step[])[]
  readonly matched: readonly Step[]
  /** Returns the steps below some steps. */
  below(anchors: readonly Step[]): ReadonlySet<Step>
}

/** Reads the spans of a message and decides which of its steps the query selects. */
export async function readEvidence(
  telemetry: ScopedTelemetry,
  query: MessageQuery,
  traceId: string,
): Promise<Evidence> {
  const steps = await readSteps(telemetry, query, traceId)
  const below = createWalk(steps)
  const scope = steps.filter((step) => step.is_in_scope === 1)
  const positive = positiveRows(query)
  const anchors = scope.filter((step) => positive.every((row) => hasBit(step.row_bits, row)))
  const relations = query.relations ?? []
  const related = relations.map((relation, index) => stepsOfRelation(steps, below, relation, index))
  const includesDescendants = query.rows.some((row) => isStepRow(row) && row.includesDescendants)
  const matched = new Set([
    ...(relations.length === 0 || positive.length > 0 ? anchors : []),
    ...(includesDescendants ? below(anchors) : []),
    ...related.flat(),
  ])
  return { steps, scope, anchors, related, matched: steps.filter((step) => matched.has(step)), below }
}

/** Returns the positions of the positive rows among the rows about steps. */
export function positiveRows({ rows }: MessageQuery): number[] {
  return rows.filter(isStepRow).flatMap(({ condition }, position) => (condition.negated ? [] : [position]))
}

async function readSteps(telemetry: ScopedTelemetry, query: MessageQuery, traceId: string): Promise<Step[]> {
  const pace = new Pace()
  const byId = new Map<string, Step>()
  const blocks = blocksInScope<ExplainedSpanRow>(telemetry, explainedSpans(query, traceId), 'message explanation')
  for await (const rows of blocks) {
    // A span whose rows storage has not merged, because their starts lie far apart, keeps its first row.
    for (const row of rows) if (!byId.has(row.span_id)) byId.set(row.span_id, { ...row, startNs: BigInt(row.start_ns) })
    await pace.rest()
  }
  return [...byId.values()]
}

/** Creates a function that returns the steps below others. A step is visited once, which ends cycles. */
function createWalk(steps: readonly Step[]): (anchors: readonly Step[]) => Set<Step> {
  const childrenOf = groupedBy(steps, (step) => step.parent_id)
  return (anchors) => {
    const reached = new Set<Step>()
    const pending = [...anchors]
    for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
      for (const child of childrenOf.get(step.span_id) ?? []) {
        if (reached.has(child)) continue
        reached.add(child)
        pending.push(child)
      }
    }
    return reached
  }
}

/** Returns the steps that are the `from`, or the `to`, of the relation at a position. */
export function endsOf(steps: readonly Step[], index: number, end: 'from' | 'to'): Step[] {
  const bit = 2 * index + (end === 'from' ? 0 : 1)
  return steps.filter(({ ends }) => ((ends >>> bit) & 1) === 1)
}

function stepsOfRelation(
  steps: readonly Step[],
  below: Evidence['below'],
  relation: Relation,
  index: number,
): readonly Step[] {
  const to = endsOf(steps, index, 'to')
  const hasCounterpart = {
    followed_by: () => followedBy(to, relation.withinMs),
    contains: () => isAmong(ancestorsOf(steps, to)),
    called_by: () => isAmong(below(to)),
  }[relation.link]()
  return endsOf(steps, index, 'from').filter((step) => hasCounterpart(step) !== relation.negated)
}

function isAmong(steps: ReadonlySet<Step>): (step: Step) => boolean {
  return (step) => steps.has(step)
}

/** Creates a test of a step: another of `to`, which are sorted by start, starts at its start or later, but in time. */
function followedBy(to: readonly Step[], withinMs: number | undefined): (step: Step) => boolean {
  const limitNs = withinMs === undefined ? undefined : nsOfMs(withinMs)
  return (step) => {
    let [low, high] = [0, to.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((to[middle] as Step).startNs < step.startNs) low = middle + 1
      else high = middle
    }
    const next = to[low] === step ? to[low + 1] : to[low]
    return next !== undefined && (limitNs === undefined || next.startNs - step.startNs <= limitNs)
  }
}

function ancestorsOf(steps: readonly Step[], below: readonly Step[]): Set<Step> {
  const byId = new Map(steps.map((step) => [step.span_id, step]))
  const reached = new Set<Step>()
  for (const step of below) {
    let above = byId.get(step.parent_id)
    while (above !== undefined && !reached.has(above)) {
      reached.add(above)
      above = byId.get(above.parent_id)
    }
  }
  return reached
}
