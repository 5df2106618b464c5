import type { TraceMeasure } from '../measures.ts'
import type { Condition } from './condition.ts'
import type { Slice } from './slice.ts'

/** The spans that one alert rule selects (docs/semantics.md, section 7), and the measure over them. */
export interface MeasuredSpans {
  readonly measure: TraceMeasure
  readonly conditions: readonly Condition[]
  /** Selects the spans of this service only. */
  readonly service?: string
  /** Selects the spans of this slice only. */
  readonly slice?: Slice
}

/** Evaluation times of one rule, in nanoseconds since 1970: `fromNs`, `fromNs + intervalNs`, … */
export interface AlertSeries {
  readonly fromNs: bigint
  readonly intervalNs: bigint
  readonly points: number
  /** The length of the window that ends at each evaluation time. */
  readonly windowNs: bigint
}
