import { type Condition, holds } from './reference-condition.ts'
import { type Integration, slice } from './reference-integration.ts'
import { populationOf } from './reference-population.ts'
import type { SpanModel } from './span-model.ts'

export type TraceMeasure = 'span_count' | 'error_count' | 'error_rate' | 'p95_ms' | 'message_count'

export const traceMeasures: readonly TraceMeasure[] = [
  'span_count',
  'error_count',
  'error_rate',
  'p95_ms',
  'message_count',
]

/** What an alert rule about spans measures, in the words of the wire (semantics section 7). */
export interface MeasuredRule {
  readonly measure: TraceMeasure
  readonly conditions: readonly Condition[]
  readonly service?: string
  readonly integration?: Integration
  readonly windowNs: bigint
}

/** The value of a rule at a moment, over the spans of the window that ends there; null is no data. */
export function ruleValue(rule: MeasuredRule, stored: readonly SpanModel[], org: string, atNs: bigint): number | null {
  const population = populationOf(stored, org, { fromNs: atNs - rule.windowNs, toNs: atNs })
  const inSlice = rule.integration === undefined ? new Set(population) : slice(rule.integration, population)
  const spans = population.filter(
    (span) =>
      inSlice.has(span) &&
      (rule.service === undefined || span.service === rule.service) &&
      rule.conditions.every((condition) => holds(condition, span)),
  )
  return measured(rule.measure, spans)
}

function measured(measure: TraceMeasure, spans: readonly SpanModel[]): number | null {
  const errors = spans.filter((span) => span.status === 'error').length
  switch (measure) {
    case 'span_count':
      return spans.length
    case 'error_count':
      return errors
    case 'message_count':
      return new Set(spans.map((span) => span.traceId)).size
    case 'error_rate':
      return spans.length === 0 ? null : errors / spans.length
    case 'p95_ms':
      return percentileMs(spans, 95)
  }
}

/** By nearest rank: the smallest duration that at least so many percent of the durations do not exceed. */
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
 * What a rule that was ok notifies when it finds these values, by looking back from every moment: it fires when the
 * threshold was passed by every value for so long, and is resolved by the next value that does not pass it; no data ends
 * a run of passes and no alert.
 */
export function notified(
  { comparator, threshold, forMs }: { readonly comparator: string; readonly threshold: number; readonly forMs: number },
  evaluated: readonly Evaluated[],
): { readonly atMs: number; readonly state: 'firing' | 'resolved' }[] {
  const isPassed = ({ value }: Evaluated) => value !== null && passes[comparator]?.(value, threshold) === true
  const told: { atMs: number; state: 'firing' | 'resolved' }[] = []
  evaluated.forEach((now, index) => {
    const isFiring = told.at(-1)?.state === 'firing'
    if (isFiring && now.value !== null && !isPassed(now)) told.push({ atMs: now.atMs, state: 'resolved' })
    if (isFiring || !isPassed(now)) return
    const runBegins = evaluated.slice(0, index).findLastIndex((earlier) => !isPassed(earlier)) + 1
    if (now.atMs - (evaluated[runBegins]?.atMs ?? now.atMs) >= forMs) told.push({ atMs: now.atMs, state: 'firing' })
  })
  return told
}
