import type { ClickHouse } from '../../server/clickhouse/client.ts'
import {
  parseMatchers,
  renderInScope,
  ruleCounts,
  type Scope,
  type Slice,
  type Sql,
  sliceCalls,
  sliceCounts,
  sliceOf,
  sliceServices,
} from '../../sql/index.ts'
import { byCodePoints } from './reference-completion.ts'
import { type Integration, slice } from './reference-integration.ts'
import { spansByCaller, statsOf } from './reference-slice-stats.ts'
import type { SpanModel } from './span-model.ts'

type Texts = Readonly<Record<string, string>>

/** The rows that an integration's stats, services and calls are read from. Their values are texts. */
export interface SliceRows {
  readonly stats: Texts | undefined
  readonly services: readonly Texts[]
  readonly calls: readonly Texts[]
  /** The counts of each rule without descendants that some span satisfies, by the number of the rule. */
  readonly rules: Readonly<Record<string, Texts>>
}

/** Parses an integration into what the compiler takes. */
export function toSlice({ rule_match, matchers }: Integration): Slice {
  return sliceOf(rule_match, parseMatchers(matchers))
}

/** Runs a query on the real engine and returns its rows with text values. */
export async function readTexts(clickhouse: ClickHouse, query: Sql, scope: Scope): Promise<Texts[]> {
  const { rows } = await clickhouse.read<object>(renderInScope(query, scope), { for: 'system', label: 'test' })
  return rows.map(textsOf)
}

export async function readSliceRows(
  clickhouse: ClickHouse,
  integration: Integration,
  scope: Scope,
): Promise<SliceRows> {
  const of = toSlice(integration)
  const plain = of.rules.filter((rule) => !rule.includesDescendants)
  const [counts, services, calls, rules] = await Promise.all([
    readTexts(clickhouse, sliceCounts(of), scope),
    readTexts(clickhouse, sliceServices(of), scope),
    readTexts(clickhouse, sliceCalls(of), scope),
    plain.length === 0 ? [] : readTexts(clickhouse, ruleCounts(plain), scope),
  ])
  const byRule = Object.fromEntries(rules.map(({ rule, ...row }) => [rule, row]))
  return { stats: counts[0], services, calls, rules: byRule }
}

/** Computes the rows by the reference implementation, with the columns of the queries. */
export function sliceRowsOf(integration: Integration, population: readonly SpanModel[]): SliceRows {
  const spans = slice(integration, population)
  const { services } = statsOf(spans)
  return {
    stats: countsOf(spans),
    rules: ruleRowsOf(integration, population),
    services: services.toSorted(byCodePoints).map((service) => ({ service })),
    calls: callRows(spans, population),
  }
}

function countsOf(spans: ReadonlySet<SpanModel>): Texts {
  const { trace_count, error_trace_count, span_count, error_span_count } = statsOf(spans)
  return textsOf({
    message_count: trace_count,
    error_message_count: error_trace_count,
    matched_step_count: span_count,
    error_step_count: error_span_count,
  })
}

function ruleRowsOf({ matchers }: Integration, population: readonly SpanModel[]): SliceRows['rules'] {
  const groups = [...new Set(matchers.map(({ match_group }) => match_group))].map((group) =>
    matchers.filter(({ match_group }) => match_group === group),
  )
  const plain = groups.filter((group) => !group.some((matcher) => matcher.include_descendants === true))
  const found = plain.map((group) => slice({ rule_match: 'any', matchers: group }, population))
  const rows = found.flatMap((spans, index) => (spans.size === 0 ? [] : [[`${index + 1}`, countsOf(spans)] as const]))
  return Object.fromEntries(rows)
}

/** One row for the spans of each service that another service calls, and one for those that none calls. */
function callRows(spans: ReadonlySet<SpanModel>, population: readonly SpanModel[]): Texts[] {
  return spansByCaller(spans, population)
    .toSorted((left, right) => byCodePoints(left.from, right.from) || byCodePoints(left.to, right.to))
    .map(({ from, to, callCount, errorCount, durationsNs }) =>
      textsOf({
        from_service: from,
        to_service: to,
        span_count: callCount,
        error_count: errorCount,
        p50_ns: nearestRank(durationsNs, 50),
        p95_ns: nearestRank(durationsNs, 95),
      }),
    )
}

function nearestRank(ascending: readonly bigint[], percent: number): bigint {
  return ascending[Math.ceil((ascending.length * percent) / 100) - 1] ?? 0n
}

export function textsOf(row: object): Texts {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))
}
