import { randomOperand } from './random-operand.ts'
import type { Random } from './random-source.ts'
import type { RandomTraces } from './random-traces.ts'
import { randomText } from './random-values.ts'
import { type AttributeSource, intrinsicKeys, readAttribute, textOf } from './reference-attribute.ts'
import { holds } from './reference-condition.ts'
import type { MessageQuery, SpanRow } from './reference-messages.ts'
import { isNegative, negativeOperators, type Operator, positiveOperators } from './reference-operators.ts'
import type { Window } from './reference-population.ts'
import type { SpanModel } from './span-model.ts'

export interface RandomQuery extends MessageQuery, Window {
  readonly rows: readonly SpanRow[]
  /** The page size of the search. */
  readonly limit: number
}

/** Draws a valid query about the traces. Most of its rows are true for the same span in the window. */
export function randomQuery(random: Random, traces: RandomTraces): RandomQuery {
  const window = randomWindow(random, traces)
  const target = randomTarget(random, traces, window)
  const rowCount = Number(random.weighted({ 0: 4, 1: 32, 2: 34, 3: 18, 4: 8, 5: 3, 15: 1 }))
  const withChildren = random.chance(0.45)
  const rows = Array.from({ length: rowCount }, () => randomRowAbout(random, traces, target)).map((row) =>
    withChildren && mayIncludeDescendants(row) && random.chance(0.7) ? { ...row, includeDescendants: true } : row,
  )
  const status = random.weighted({ none: 70, error: 18, ok: 12 })
  return { rows, ...window, ...(status === 'none' ? {} : { status }), limit: random.pick([1, 2, 3, 50, 200]) }
}

/** Draws a span in the window if there is one, and prefers spans with attributes. */
function randomTarget(random: Random, traces: RandomTraces, window: Window): SpanModel {
  const inWindow = traces.rows.filter((row) => window.fromNs <= row.startNs && row.startNs < window.toNs)
  const candidates = random.sample(inWindow.length > 0 ? inWindow : traces.rows, 3)
  return candidates.reduce((left, right) => (right.attributes.length > left.attributes.length ? right : left))
}

/** Random rows are mostly false, so this takes the first of a few draws that holds for the target. */
function randomRowAbout(random: Random, traces: RandomTraces, target: SpanModel): SpanRow {
  const operator = random.pick(random.chance(0.75) ? positiveOperators : negativeOperators)
  const drawCount = random.chance(0.85) ? 6 : 1
  const draws = Array.from({ length: drawCount }, () => randomRow(random, traces, target, operator))
  return draws.find((row) => holds(row, target)) ?? (draws[0] as SpanRow)
}

/** Draws rows about different steps of one message: often each is true of a step, and no step makes all true. */
export function randomRowsApart(random: Random, traces: RandomTraces, window: Window): SpanRow[] {
  const { traceId } = randomTarget(random, traces, window)
  const trace = traces.rows.filter((row) => row.traceId === traceId)
  return random.sample(trace, 3).map((target) => randomRowAbout(random, traces, target))
}

function mayIncludeDescendants(row: SpanRow): boolean {
  return !isNegative(row) && row.attribute_source !== 'intrinsic'
}

function randomRow(random: Random, traces: RandomTraces, target: SpanModel, operator: Operator): SpanRow {
  const attribute_source = random.weighted({ any: 50, span: 22, resource: 10, intrinsic: 18 })
  const attribute_key = randomKey(random, traces, target, attribute_source)
  const carried = readAttribute(target, attribute_source, attribute_key)
  // A negative row that the target refutes finds nothing, so most negative rows are about something else.
  const aboutTarget = random.chance(isNegative({ operator }) ? 0.2 : 0.85)
  const text = carried === undefined || !aboutTarget ? randomText(random) : textOf(carried)
  const value = randomOperand(random, operator, text)
  return {
    ...(attribute_source === 'any' && random.chance(0.5) ? {} : { attribute_source }),
    attribute_key,
    operator,
    ...(value === undefined ? {} : { value }),
  }
}

function randomKey(random: Random, traces: RandomTraces, target: SpanModel, source: AttributeSource): string {
  if (source === 'intrinsic') return random.pick(intrinsicKeys)
  const carried = source === 'resource' ? target.resourceAttributes : target.attributes
  const key = random.chance(0.8) && carried.length > 0 ? random.pick(carried)[0] : random.pick(traces.keys)
  return random.chance(0.02) ? 'nowhere' : key
}

/**
 * Draws a window with all spans, one that often begins or ends exactly at a span, one of a nanosecond, or one without
 * spans.
 */
export function randomWindow(random: Random, traces: RandomTraces): Window {
  const starts = traces.rows.map((row) => row.startNs)
  const first = starts.reduce((left, right) => (left < right ? left : right))
  const last = starts.reduce((left, right) => (left > right ? left : right))
  if (random.chance(0.5)) return { fromNs: first, toNs: last + 1n }
  if (random.chance(0.02)) return { fromNs: last + 1n, toNs: last + 2n }
  if (random.chance(0.03)) return oneNanosecondFrom(random.pick(starts))
  const edge = (): bigint => random.pick(starts) + BigInt(random.below(3) - 1)
  const [left, right] = [random.chance(0.4) ? first - 1n : edge(), random.chance(0.4) ? last + 1n : edge()]
  if (left === right) return oneNanosecondFrom(left)
  return left < right ? { fromNs: left, toNs: right } : { fromNs: right, toNs: left }
}

function oneNanosecondFrom(fromNs: bigint): Window {
  return { fromNs, toNs: fromNs + 1n }
}
