/** The parts of TraceQL that this server refuses, because it cannot answer them exactly (docs/grafana.md). */
interface Refusal {
  /** The name of the construct, as the subject of a sentence. */
  readonly construct: string
  /** A query that is refused for this reason. */
  readonly example: string
  /** What to ask instead, as a sentence. */
  readonly instead: string
}

export const refusals = {
  mixed_logic: {
    construct: '`&&` and `||` side by side',
    example: '{ name = "a" || name = "b" && status = error }',
    instead: 'Put the part that belongs together in parentheses.',
  },
  negation: {
    construct: 'the operator `!`',
    example: '{ !(name = "a") }',
    instead: 'Use `!=`, `!~` or `= nil`.',
  },
  arithmetic: {
    construct: 'arithmetic',
    example: '{ span.size > 10 * 1024 }',
    instead: 'Write the result of the calculation.',
  },
  two_fields: {
    construct: 'a comparison of two fields',
    example: '{ span.a = span.b }',
    instead: 'Compare each field with a value.',
  },
  value_first: {
    construct: 'a value before its field',
    example: '{ 500 <= span.http.status_code }',
    instead: 'Write the field first.',
  },
  text_order: {
    construct: 'an order of texts',
    example: '{ span.version >= "2" }',
    instead: 'Compare with a number, or use `=~`.',
  },
  duration_of_attribute: {
    construct: 'a duration as the value of an attribute',
    example: '{ span.wait > 5s }',
    instead: 'Write the number that the attribute holds.',
  },
  trace_field_in_or: {
    construct: 'a field of the trace within `||`',
    example: '{ trace:duration > 1s || status = error }',
    instead: 'Write `{ trace:duration > 1s } || { status = error }`.',
  },
  span_ids: {
    construct: 'the id of a trace, a span or a parent',
    example: '{ span:id = "a1b2c3d4e5f60718" }',
    instead: 'Open the trace by its id.',
  },
  tree_fields: {
    construct: 'the position of a span in its trace',
    example: '{ span:childCount = 0 }',
    instead: 'Use a structural operator, such as `{ } !< { }` for spans without children.',
  },
  parent_scope: {
    construct: 'the scope `parent`',
    example: '{ parent.name = "a" }',
    instead: 'Write `{ name = "a" } > { }`.',
  },
  events_and_links: {
    construct: 'events and links',
    example: '{ event:name = "exception" }',
    instead: 'Search by an attribute of the span, such as `status = error`.',
  },
  instrumentation: {
    construct: 'attributes and the version of the instrumentation scope',
    example: '{ instrumentation:version = "1.0.0" }',
    instead: 'Use `instrumentation:name`.',
  },
  siblings: {
    construct: 'the sibling operators `~`, `!~` and `&~`',
    example: '{ name = "a" } ~ { name = "b" }',
    instead: 'Write `{ name = "a" } && { name = "b" }` and compare their parents in the trace.',
  },
  second_filter: {
    construct: 'a second filter in a pipeline',
    example: '{ status = error } | { name = "a" }',
    instead: 'Join the conditions with `&&` in one pair of braces.',
  },
  aggregates: {
    construct: 'the aggregates `avg`, `max`, `min` and `sum`',
    example: '{ status = error } | avg(duration) > 1s',
    instead: 'Use `count()`, or `POST /api/v1/messages/breakdown`.',
  },
  grouping: {
    construct: '`by` and `coalesce`',
    example: '{ status = error } | by(resource.service.name)',
    instead: 'Use `POST /api/v1/messages/breakdown`.',
  },
  metrics: {
    construct: 'metrics functions',
    example: '{ status = error } | rate()',
    instead: 'Use `POST /api/v1/messages/histogram`.',
  },
  hints: {
    construct: 'hints other than `most_recent=true`',
    example: '{ status = error } with (sample=true)',
    instead: 'Leave the hint out. The newest traces are always returned first.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

export type RefusedConstruct = keyof typeof refusals
