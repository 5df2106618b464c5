import type { Slice } from './slice.ts'

/** `[fromNs, toNs)` in nanoseconds since 1970. */
export interface TimeWindow {
  readonly fromNs: bigint
  readonly toNs: bigint
}

/** What a query may see at all (semantics, section 1). */
export interface Scope {
  readonly org: string
  readonly window: TimeWindow
  /** Of a restricted caller: the slices granted to it, and it sees their union. Left out: all of the organization. */
  readonly granted?: readonly Slice[]
  /** Only spans stored up to this moment, in microseconds since 1970: later pages see what the first one saw. */
  readonly storedByMicros?: bigint
}
