import type { Condition } from './condition.ts'
import type { Slice } from './slice.ts'

/** What an alert rule says of the spans that it selects. */
export const traceMeasures = ['span_count', 'error_count', 'error_rate', 'p95_ms', 'message_count'] as const

export type TraceMeasure = (typeof traceMeasures)[number]

/** The spans that one alert rule selects (semantics, section 7), and what is measured of them. */
export interface MeasuredSpans {
  readonly measure: TraceMeasure
  readonly conditions: readonly Condition[]
  /** Only spans of this service. */
  readonly service?: string
  /** Only spans of this slice. */
  readonly slice?: Slice
}

/** Moments at which a rule is evaluated in hindsight: `fromNs`, `fromNs + stepNs`, … */
export interface AlertSeries {
  readonly fromNs: bigint
  readonly stepNs: bigint
  readonly points: number
  /** At each moment, the spans of so long before it. */
  readonly windowNs: bigint
}
