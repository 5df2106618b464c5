import type { Attribute, Condition, Test } from './condition.ts'
import type { FieldRow } from './message-field.ts'

/** The types of values that a typed comparison tells apart. An int and a double are both numbers. */
export type ValueKind = 'string' | 'number' | 'boolean'

/** A yes/no question about one span. */
export type SpanExpression =
  | { readonly kind: 'condition'; readonly condition: Condition }
  /** The span carries the attribute with any value but an unset one. */
  | { readonly kind: 'is_set'; readonly attribute: Attribute }
  /** The value of the attribute, or one of its elements if it is an array, has the type and makes all tests true. */
  | {
      readonly kind: 'some_value'
      readonly attribute: Attribute
      readonly type: ValueKind
      readonly tests: readonly Test[]
    }
  | { readonly kind: 'not'; readonly of: SpanExpression }
  /** Without parts, true. */
  | { readonly kind: 'all'; readonly of: readonly SpanExpression[] }
  /** Without parts, false. */
  | { readonly kind: 'any'; readonly of: readonly SpanExpression[] }

/** The links of the tree along which a structural operator looks from its left side to its right side. */
export type StructuralLink = 'descendant' | 'ancestor' | 'child' | 'parent'

/** A selection of spans of one trace (docs/grafana.md). */
export type Spanset = SpansetFilter | SpansetUnion | StructuralSpanset | CountedSpanset

/** The spans for which an expression is true, if the trace satisfies all fields. A field of a root requires a root. */
export interface SpansetFilter {
  readonly kind: 'filter'
  readonly spans: SpanExpression
  readonly fields: readonly FieldRow[]
}

/** The spans of both sides. For `and`, only if both sides have some. */
export interface SpansetUnion {
  readonly kind: 'and' | 'or'
  readonly left: Spanset
  readonly right: Spanset
}

/**
 * The spans of the right side that are, for `right`, and are not, for `not`, linked to a span of the left side; for
 * `both`, also the spans of the left side to which one of them is linked.
 */
export interface StructuralSpanset {
  readonly kind: 'structure'
  readonly link: StructuralLink
  readonly keeps: 'right' | 'not' | 'both'
  readonly left: Spanset
  readonly right: Spanset
}

/** All spans of a selection if their number makes all tests true, otherwise none. */
export interface CountedSpanset {
  readonly kind: 'count'
  readonly of: Spanset
  readonly tests: readonly { readonly test: Test; readonly negated: boolean }[]
}

/** Returns the filters of a spanset from left to right. */
export function filtersOf(spanset: Spanset): SpansetFilter[] {
  switch (spanset.kind) {
    case 'filter':
      return [spanset]
    case 'count':
      return filtersOf(spanset.of)
    default:
      return [...filtersOf(spanset.left), ...filtersOf(spanset.right)]
  }
}
