import type { Condition } from './condition.ts'
import type { Slice } from './slice.ts'

export interface MessageRow {
  readonly condition: Condition
  readonly includesDescendants: boolean
}

export type MessageStatus = 'ok' | 'error'

/** A message search (docs/semantics.md, section 6). */
export interface MessageQuery {
  readonly rows: readonly MessageRow[]
  readonly slice?: Slice
  readonly status?: MessageStatus
}
