import type { TraceMeasure } from '../../sql/index.ts'
import { type Condition, holds } from './reference-condition.ts'
import { type Integration, slice } from './reference-integration.ts'
import { type MessageQuery, searchMessages } from './reference-messages.ts'
import { populationOf } from './reference-population.ts'
import type { SpanModel } from './span-model.ts'

/** A trace alert rule as the API takes it (docs/semantics.md, section 7). */
export interface MeasuredRule {
  readonly measure: TraceMeasure
  readonly conditions: readonly Condition[]
  readonly service?: string
  readonly integration?: Integration
  /** The filter of a rule that counts messages, which has no conditions. */
  readonly filter?: Pick<MessageQuery, 'rows' | 'relations'>
  readonly windowNs: bigint
}

/** Returns the value of a rule over the window that ends at `atNs`. Null is no data. */
export function ruleValue(rule: MeasuredRule, stored: readonly SpanModel[], org: string, atNs: bigint): number | null {
  const population = populationOf(stored, org, { fromNs: atNs - rule.windowNs, toNs: atNs })
  if (rule.filter !== undefined) {
    const within = rule.integration === undefined ? {} : { integration: rule.integration }
    return searchMessages(population, { ...rule.filter, ...within }).length
  }
  const inSlice = rule.integration === undefined ? new Set(population) : slice(rule.integration, population)
  const spans = population.filter(
    (span) =>
      inSlice.has(span) &&
      (rule.service === undefined || span.service === rule.service) &&
      rule.conditions.every((condition) => holds(condition, span)),
  )
  return valueOfMeasure[rule.measure](spans)
}

/** Does not compile until it has every measure of `sql/measures.ts`. */
const valueOfMeasure: Readonly<Record<TraceMeasure, (spans: readonly SpanModel[]) => number | null>> = {
  span_count: (spans) => spans.length,
  error_count: (spans) => errorsAmong(spans),
  error_rate: (spans) => (spans.length === 0 ? null : errorsAmong(spans) / spans.length),
  p95_ms: (spans) => percentileMs(spans, 95),
  message_count: (spans) => new Set(spans.map((span) => span.traceId)).size,
}

export const traceMeasures = Object.keys(valueOfMeasure) as readonly TraceMeasure[]

function errorsAmong(spans: readonly SpanModel[]): number {
  return spans.filter((span) => span.status === 'error').length
}

/** Returns the percentile by nearest rank: the smallest duration that `percent` % of the durations do not exceed. */
function percentileMs(spans: readonly SpanModel[], percent: number): number | null {
  const ascending = spans.map((span) => span.durationNs).sort((left, right) => (left < right ? -1 : 1))
  const found = ascending[Math.ceil((ascending.length * percent) / 100) - 1]
  return found === undefined ? null : Number(found) / 1_000_000
}

const passes: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  gt: (value, threshold) => value > threshold,
  gte: (value, threshold) => value >= threshold,
  lt: (value, threshold) => value < threshold,
  lte: (value, threshold) => value <= threshold,
  eq: (value, threshold) => value === threshold,
  neq: (value, threshold) => value !== threshold,
}

export const comparators = Object.keys(passes)

export interface Evaluated {
  readonly atMs: number
  readonly value: number | null
}

/**
 * Returns what a rule notifies when it starts as ok and finds these values. Looks back from each evaluation: the rule
 * fires once every value of the last `forMs` milliseconds has passed the threshold, and is resolved by the next value
 * that does not pass it. No data interrupts such a run, but resolves no alert.
 */
export function notified(
  { comparator, threshold, forMs }: { readonly comparator: string; readonly threshold: number; readonly forMs: number },
  evaluated: readonly Evaluated[],
): { readonly atMs: number; readonly state: 'firing' | 'resolved' }[] {
  const isPassed = ({ value }: Evaluated) => value !== null && passes[comparator]?.(value, threshold) === true
  const notifications: { atMs: number; state: 'firing' | 'resolved' }[] = []
  evaluated.forEach((now, index) => {
    const isFiring = notifications.at(-1)?.state === 'firing'
    if (isFiring && now.value !== null && !isPassed(now)) notifications.push({ atMs: now.atMs, state: 'resolved' })
    if (isFiring || !isPassed(now)) return
    const runBegins = evaluated.slice(0, index).findLastIndex((earlier) => !isPassed(earlier)) + 1
    const runMs = now.atMs - (evaluated[runBegins]?.atMs ?? now.atMs)
    if (runMs >= forMs) notifications.push({ atMs: now.atMs, state: 'firing' })
  })
  return notifications
}
