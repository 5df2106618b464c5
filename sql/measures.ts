/**
 * The measures of trace alert rules (docs/semantics.md, section 7). A new one may need an entry of `spanAggregates`;
 * CONTRIBUTING.md lists what else it needs.
 */
import { list, type Sql, sql } from './fragment.ts'
import { p95Level } from './percentile.ts'

interface MeasureEntry {
  /** The measure as the subject of a sentence: `the <words> of service "checkout"`. */
  readonly words: string
  /** The value of a window in which the rule selects no span. Null means no data. */
  readonly withoutSpans: number | null
  /** Whether the memory of one value grows with the number of spans. */
  readonly growsWithSpans: boolean
  /** The value as a number, or NULL if there is no data. */
  readonly compile: (aggregates: CompiledAggregates) => Sql
}

export const traceMeasureTable = {
  span_count: {
    words: 'number of spans',
    withoutSpans: 0,
    growsWithSpans: false,
    compile: ({ spans }) => spans,
  },
  error_count: {
    words: 'number of failed spans',
    withoutSpans: 0,
    growsWithSpans: false,
    compile: ({ errors }) => errors,
  },
  error_rate: {
    words: 'share of failed spans among the spans',
    withoutSpans: null,
    growsWithSpans: false,
    compile: ({ errors, spans }) => sql`${errors} / nullIf(${spans}, 0)`,
  },
  p95_ms: {
    words: '95th percentile duration in milliseconds of the spans',
    withoutSpans: null,
    growsWithSpans: true,
    compile: ({ p95Ns, spans }) => sql`if(${spans} = 0, NULL, ${p95Ns} / 1000000)`,
  },
  message_count: {
    words: 'number of messages with spans',
    withoutSpans: 0,
    growsWithSpans: true,
    compile: ({ messages }) => messages,
  },
} as const satisfies Readonly<Record<string, MeasureEntry>>

export type TraceMeasure = keyof typeof traceMeasureTable

export const traceMeasures = Object.keys(traceMeasureTable) as readonly TraceMeasure[]

interface SpanAggregate {
  readonly function: Sql
  /** The level of a percentile, in parentheses. */
  readonly level?: Sql
  /** The aggregated column. */
  readonly column?: Sql
  /** Aggregates only spans that satisfy this condition. */
  readonly where?: Sql
  /** The column of a subquery that contains the partial state. */
  readonly state: Sql
}

const spanAggregates = {
  spans: { function: sql`count`, state: sql`span_count` },
  errors: { function: sql`count`, where: sql`status = 2`, state: sql`error_count` },
  messages: { function: sql`uniqExact`, column: sql`trace_id`, state: sql`message_count` },
  p95Ns: { function: sql`quantileExact`, level: sql`(${p95Level})`, column: sql`duration_ns`, state: sql`durations` },
} as const satisfies Readonly<Record<string, SpanAggregate>>

type AggregateName = keyof typeof spanAggregates

/** Every aggregate as an expression for one query. */
export type CompiledAggregates = Readonly<Record<AggregateName, Sql>>

/** The columns of spans that the aggregates read. */
export const aggregatedColumns: Sql = sql`status, duration_ns, trace_id`

/** Aggregates the spans for which the column `selected` is true. */
export function aggregatesOf(selected: Sql): CompiledAggregates {
  return eachAggregate(({ function: name, level = sql``, column, where }) => {
    const condition = where === undefined ? selected : sql`${selected} AND ${where}`
    return sql`${name}If${level}(${list([...optional(column), condition])})`
  })
}

/** Partial states of all aggregates, as the columns of a subquery that `mergedAggregates` reads. */
export const aggregateStates: Sql = list(
  Object.values(
    eachAggregate(({ function: name, level = sql``, column, where, state }) => {
      const suffix = where === undefined ? sql`State` : sql`IfState`
      return sql`${name}${suffix}${level}(${list([...optional(column), ...optional(where)])}) AS ${state}`
    }),
  ),
)

/** Aggregates the partial states of `aggregateStates`. */
export const mergedAggregates: CompiledAggregates = eachAggregate(({ function: name, level = sql``, where, state }) => {
  const suffix = where === undefined ? sql`Merge` : sql`IfMerge`
  return sql`${name}${suffix}${level}(${state})`
})

function eachAggregate(compile: (aggregate: SpanAggregate) => Sql): CompiledAggregates {
  const compiled = Object.entries(spanAggregates).map(([name, aggregate]) => [name, compile(aggregate)])
  return Object.fromEntries(compiled) as CompiledAggregates
}

function optional(part: Sql | undefined): readonly Sql[] {
  return part === undefined ? [] : [part]
}
