import type { ComparisonKind, PresenceKind } from '../operators.ts'

/** The source in which a key is read (docs/semantics.md, sections 2 and 7). */
export type AttributeSource = 'any' | OwnSource | 'resource' | 'intrinsic'

/** The source of a record's own attributes: those of a span, of a log record, or of the points of a series. */
export type OwnSource = 'span' | 'log' | 'point'

export interface Attribute {
  readonly source: AttributeSource
  readonly key: string
}

/** A positive test of a carried value. Every test is false for an absent attribute. */
export type Test = { readonly kind: PresenceKind } | { readonly kind: ComparisonKind; readonly value: string }

/**
 * A yes/no question about one span, log record or series. It is plain JSON, so that saved views and rules can store it.
 */
export interface Condition {
  readonly attribute: Attribute
  readonly test: Test
  /** Whether the condition is the negation of its test, as for `neq`, `not_contains` and `not_exists`. */
  readonly negated: boolean
}

/** Returns the condition that a negated one negates. Others are returned as they are. */
export function positiveForm(condition: Condition): Condition {
  return condition.negated ? { ...condition, negated: false } : condition
}
