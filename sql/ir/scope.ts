import type { Slice } from './slice.ts'

/** The time range `[fromNs, toNs)`, in nanoseconds since 1970. */
export interface TimeWindow {
  readonly fromNs: bigint
  readonly toNs: bigint
}

/** The telemetry that a query can see (docs/semantics.md, section 1). */
export interface Scope {
  readonly org: string
  readonly window: TimeWindow
  /** The slices granted to a restricted caller, who sees their union. If absent, the caller sees all spans. */
  readonly granted?: readonly Slice[]
  /**
   * Restricts a query to spans stored up to this time, in microseconds since 1970, so that all pages see the same
   * spans.
   */
  readonly storedByMicros?: bigint
  /** False if it is known that no span of the organization was sent again with another start. */
  readonly mayRepeat?: boolean
}
