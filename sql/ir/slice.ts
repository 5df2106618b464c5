import type { Condition } from './condition.ts'

export interface ServiceMatch {
  /** `pattern`: a glob over the whole name, `*` any run, `?` one character. */
  readonly kind: 'exact' | 'pattern'
  readonly text: string
}

/** A service and conditions joined with `and` (semantics, section 5). */
export interface Rule {
  readonly service: ServiceMatch
  readonly conditions: readonly Condition[]
  readonly includesDescendants: boolean
}

/** The spans of an integration, in terms of its rules. No rules: no spans. */
export interface Slice {
  readonly mode: 'any' | 'all'
  readonly rules: readonly Rule[]
}
