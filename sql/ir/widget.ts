import type { Attribute } from './condition.ts'
import type { ClassificationRule, IoPair } from './facet.ts'
import type { TimeWindow } from './scope.ts'

/**
 * One number over some spans. `rate` is per second of the time that is covered, `error_rate` from 0 to 1, percentiles are
 * durations in milliseconds by nearest rank: the smallest one that at least so many percent of the durations do not exceed.
 */
export type WidgetMeasure = 'count' | 'rate' | 'error_count' | 'error_rate' | 'p50' | 'p95' | 'p99'

/** Groups spans by the text of the first of these attributes that they carry. Spans that carry none are a group of their own. */
export interface WidgetGrouping {
  readonly attributes: readonly Attribute[]
  /** `status_class`: `2xx` for 204; a text other than three digits from 100 to 599 counts as not carried. */
  readonly reading: 'text' | 'status_class'
}

/** Which spans of a service a widget is about. */
export type WidgetSpans =
  | { readonly kind: 'all' }
  | { readonly kind: 'internal' }
  | { readonly kind: 'pair'; readonly pair: IoPair }

/** What a widget measures of one service. */
export interface WidgetQuery {
  readonly service: string
  readonly spans: WidgetSpans
  /** The service's classification rules, which count for `pair`. */
  readonly rules: readonly ClassificationRule[]
  readonly measures: readonly WidgetMeasure[]
  readonly groupings: readonly WidgetGrouping[]
  /** Groups with the most spans that are shown, ties by name; all others together are one more. */
  readonly groupsMax: number
}

/** The time that a widget covers: steps begin at multiples of `bucketNs` since 1970, the first and last may be cut by the window. */
export interface WidgetTime {
  readonly window: TimeWindow
  /** Left out: the whole window at once. */
  readonly bucketNs?: bigint
}
