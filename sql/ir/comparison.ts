import type { MessageQuery } from './message-query.ts'
import type { TimeWindow } from './scope.ts'

/** Two sides of messages to compare (docs/questions.md, section 14). */
export interface Comparison {
  readonly a: ComparedSide
  /** All messages that `query` finds and `a` does not if `isRest`; then `query` and window contain those of `a`. */
  readonly b: ComparedSide & { readonly isRest: boolean }
}

export interface ComparedSide {
  readonly query: MessageQuery
  readonly window: TimeWindow
  /** The oldest message to compare. If absent, all messages of the side are compared. */
  readonly oldest?: ComparedPosition
  /**
   * The traces with spans both in `window` and before it, if `window` begins later than requested, at the oldest
   * message to compare. They are no messages to compare, whatever `query` finds of them in the window.
   */
  readonly begunEarlier?: readonly string[]
  /** The messages that `query` finds, as decimal texts of UInt128, if they are few. Nothing then searches for them. */
  readonly traceIds?: readonly string[]
}

/** The position of a message in the order of a search. */
export interface ComparedPosition {
  readonly startedNs: bigint
  /** Decimal text of the UInt128. */
  readonly traceId: string
}

export type SideName = 'a' | 'b'

/** Reports whether the windows of both sides are the same. */
export function haveOneWindow(a: ComparedSide, b: ComparedSide): boolean {
  return a.window.fromNs === b.window.fromNs && a.window.toNs === b.window.toNs
}
