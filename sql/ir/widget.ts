import type { Attribute } from './condition.ts'
import type { ClassificationRule, IoPair } from './facet.ts'
import type { TimeWindow } from './scope.ts'

/**
 * A number computed from spans. `rate` is per second of the covered time, and `error_rate` is from 0 to 1. `p50`, `p95`
 * and `p99` are durations in milliseconds by nearest rank: the smallest that 50, 95 or 99 % of all durations do not
 * exceed.
 */
export type WidgetMeasure = 'count' | 'rate' | 'error_count' | 'error_rate' | 'p50' | 'p95' | 'p99'

/**
 * Groups spans by the text of the first of these attributes that they carry. Spans without any of them form one more
 * group.
 */
export interface WidgetGrouping {
  readonly attributes: readonly Attribute[]
  /** `status_class` converts 204 to `2xx`. A text other than three digits from 100 to 599 counts as absent. */
  readonly reading: 'text' | 'status_class'
}

/** Selects spans of a service: all, those of the kind Internal, or those with a pair of `io.kind` and `io.role`. */
export type WidgetSpans =
  | { readonly kind: 'all' }
  | { readonly kind: 'internal' }
  | { readonly kind: 'pair'; readonly pair: IoPair }

/** The data of a widget about one service. */
export interface WidgetQuery {
  readonly service: string
  readonly spans: WidgetSpans
  /** The classification rules of the service, which determine the pairs of spans. */
  readonly rules: readonly ClassificationRule[]
  readonly measures: readonly WidgetMeasure[]
  readonly groupings: readonly WidgetGrouping[]
  /** Whether each group says which attributes its names were read from. */
  readonly withReads?: boolean
  /**
   * The maximum number of groups to show: those with the most spans, ties by name. All others are combined into one
   * more group.
   */
  readonly groupsMax: number
}

/** The time range of a widget. The first and the last bucket may extend beyond the window. */
export interface WidgetTime {
  readonly window: TimeWindow
  /**
   * The length of a time bucket. Buckets begin at multiples of it since 1970. If it is absent, the whole window is one
   * bucket.
   */
  readonly bucketNs?: bigint
}
