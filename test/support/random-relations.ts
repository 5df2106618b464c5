import { type RandomSearch, randomSearch } from './random-filter.ts'
import { randomOperand } from './random-operand.ts'
import type { Random } from './random-source.ts'
import type { RandomTraces } from './random-traces.ts'
import { randomText } from './random-values.ts'
import { intrinsicKeys, readAttribute, textOf } from './reference-attribute.ts'
import type { Condition } from './reference-condition.ts'
import { operators } from './reference-operators.ts'
import type { Window } from './reference-population.ts'
import { type Relation, relationKinds, stepsOfRelation, stepsWith } from './reference-relations.ts'
import type { SpanModel } from './span-model.ts'

/** Draws a search with relations. Most have few rows, so that the relations decide. */
export function randomSearchWithRelations(random: Random, traces: RandomTraces): RandomSearch {
  const query = randomSearch(random, traces)
  const rows = random.chance(0.6) ? [] : query.rows.slice(0, 2)
  return { ...query, rows, relations: randomRelations(random, traces, query) }
}

/** Draws one to five relations. Both ends of most of them are steps of one trace in the window. */
export function randomRelations(random: Random, traces: RandomTraces, window: Window): Relation[] {
  const inWindow = traces.rows.filter((row) => window.fromNs <= row.startNs && row.startNs < window.toNs)
  const candidates = inWindow.length === 0 ? traces.rows : inWindow
  const { traceId } = random.pick(candidates)
  const trace = candidates.filter((row) => row.traceId === traceId)
  const count = Number(random.weighted({ 1: 60, 2: 25, 3: 10, 5: 5 }))
  return Array.from({ length: count }, () => randomRelationIn(random, traces, trace))
}

/** Random steps are mostly unrelated, so this takes the first of a few draws that holds for some step of the trace. */
function randomRelationIn(random: Random, traces: RandomTraces, trace: readonly SpanModel[]): Relation {
  const drawCount = random.chance(0.8) ? 4 : 1
  const draws = Array.from({ length: drawCount }, () => randomRelation(random, traces, trace))
  return draws.find((relation) => stepsOfRelation(relation, trace).length > 0) ?? (draws[0] as Relation)
}

function randomRelation(random: Random, traces: RandomTraces, trace: readonly SpanModel[]): Relation {
  const kind = random.pick(relationKinds)
  const [from, to] = [random.pick(trace), random.pick(trace)]
  const ends = { kind, from: randomStep(random, traces, from), to: randomStep(random, traces, to) }
  if (!kind.endsWith('followed_by') || random.chance(0.5)) return ends
  // The time between two steps as it is, and one more or less, decides whether they are related.
  const apartMs = Number((to.startNs - from.startNs) / 1_000_000n) + random.below(3) - 1
  return { ...ends, within_ms: random.chance(0.7) ? Math.max(0, apartMs) : random.pick([0, 1, 3_155_760_000_000]) }
}

/** Draws up to two conditions, most of them true of a step. */
function randomStep(random: Random, traces: RandomTraces, step: SpanModel): Condition[] {
  const count = Number(random.weighted({ 0: 10, 1: 60, 2: 30 }))
  return Array.from({ length: count }, () => {
    const drawn = Array.from({ length: 4 }, () => randomCondition(random, traces, step))
    return drawn.find((condition) => stepsWith([condition], [step]).length === 1) ?? (drawn[0] as Condition)
  })
}

function randomCondition(random: Random, traces: RandomTraces, step: SpanModel): Condition {
  const attribute_source = random.weighted({ any: 30, span: 20, resource: 10, intrinsic: 40 })
  const carried = attribute_source === 'resource' ? step.resourceAttributes : step.attributes
  const own = carried.length > 0 && random.chance(0.8) ? random.pick(carried)[0] : random.pick(traces.keys)
  const attribute_key = attribute_source === 'intrinsic' ? random.pick(intrinsicKeys) : own
  const operator = random.pick(operators)
  const value = readAttribute(step, attribute_source, attribute_key)
  const operand = randomOperand(random, operator, value === undefined ? randomText(random) : textOf(value))
  return { attribute_source, attribute_key, operator, ...(operand === undefined ? {} : { value: operand }) }
}
