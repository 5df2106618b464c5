import type { MessageQuery } from './message-query.ts'
import type { TimeWindow } from './scope.ts'

/** Two sides of messages to find and compare (docs/questions.md, section 14). */
export interface Comparison {
  readonly a: ComparedSide
  /** All messages that `query` finds and `a` does not if `isRest`; then `query` and window contain those of `a`. */
  readonly b: ComparedSide & { readonly isRest: boolean }
}

export interface ComparedSide {
  readonly query: MessageQuery
  readonly window: TimeWindow
}

export type SideName = 'a' | 'b'

/**
 * The table of messages that a query gets: a row of RowBinary for each message of a side, which is 1 or 2 for the first
 * or second.
 */
export const comparedTable = {
  name: 'compared_messages',
  structure: 'side UInt8, trace_id UInt128',
  rowBytes: 17,
} as const

/** Where the steps of the messages of two sides are. Which messages these are, the query gets as `comparedTable`. */
export interface FoundSides {
  readonly a: FoundSide
  readonly b: FoundSide
}

export interface FoundSide {
  readonly window: TimeWindow
  /**
   * No step of the messages starts before this time. Which steps are visible still depends on the whole window: a step
   * may be below one that is not, and that started earlier.
   */
  readonly fromNs: bigint
  /** The traces of the messages, as decimal texts of UInt128, if they are few. */
  readonly traceIds?: readonly string[]
}

/** Reports whether the windows of both sides are the same. */
export function haveOneWindow(a: Pick<FoundSide, 'window'>, b: Pick<FoundSide, 'window'>): boolean {
  return a.window.fromNs === b.window.fromNs && a.window.toNs === b.window.toNs
}
