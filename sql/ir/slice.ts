import type { Condition } from './condition.ts'
import type { ServiceMatch } from './service-match.ts'

/** A service, and conditions joined with `and` (docs/semantics.md, section 5). */
export interface Rule {
  readonly service: ServiceMatch
  readonly conditions: readonly Condition[]
  readonly includesDescendants: boolean
}

/** The spans of an integration, defined by its rules. A slice without rules has no spans. */
export interface Slice {
  readonly mode: 'any' | 'all'
  readonly rules: readonly Rule[]
}
