/** Where a key is read (semantics, sections 2 and 7). */
export type AttributeSource = 'any' | OwnSource | 'resource' | 'intrinsic'

/** The attributes of the record itself: of one span, one log record, or the points of one series. */
export type OwnSource = 'span' | 'log' | 'point'

export interface Attribute {
  readonly source: AttributeSource
  readonly key: string
}

export type ComparisonKind = 'eq' | 'contains' | 'starts_with' | 'ends_with' | 'matches' | OrderKind

export type OrderKind = 'gt' | 'gte' | 'lt' | 'lte'

/** A positive question about a carried value: an absent attribute makes every one of them false. */
export type Test = { readonly kind: 'exists' } | { readonly kind: ComparisonKind; readonly value: string }

/** A yes/no question about one span, log record or series. Plain JSON, so a saved view or a rule stores it unchanged. */
export interface Condition {
  readonly attribute: Attribute
  readonly test: Test
  /** `neq`, `not_contains`, `not_exists`: plain NOT of the test. */
  readonly negated: boolean
}

export function positiveForm(condition: Condition): Condition {
  return condition.negated ? { ...condition, negated: false } : condition
}
