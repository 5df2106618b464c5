import type { ClickHouse } from '../../server/clickhouse/client.ts'
import {
  parseMatchers,
  renderInScope,
  ruleCounts,
  rulesPerGroup,
  type Scope,
  type Slice,
  type Sql,
  sliceCalls,
  sliceOf,
  sliceStats,
} from '../../sql/index.ts'
import { type Integration, slice } from './reference-integration.ts'
import { byCodePoints } from './reference-order.ts'
import { spansByCaller, statsOf } from './reference-slice-stats.ts'
import type { SpanModel } from './span-model.ts'

type Texts = Readonly<Record<string, string>>

/** The rows that an integration's stats and calls, and the counts of its rules, are read from. Values are texts. */
export interface SliceRows {
  readonly stats: Texts | undefined
  readonly calls: readonly Texts[]
  /** The counts of each rule alone that some span satisfies, by the number of the rule. */
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
  const [stats, calls, rules] = await Promise.all([
    readTexts(clickhouse, sliceStats(of), scope),
    readTexts(clickhouse, sliceCalls(of), scope),
    of.rules.length === 0 ? [] : readTexts(clickhouse, ruleCounts(of), scope),
  ])
  return { stats: stats[0], calls, rules: byRule(rules) }
}

/** Returns the counts of each rule that some span satisfies, from the lists of the groups. */
export function byRule(groups: readonly Texts[]): SliceRows['rules'] {
  const rows = groups.flatMap(({ rule_group, ...lists }) => {
    const first = Number(rule_group) * rulesPerGroup
    const counts = Object.entries(lists).map(([name, list]) => [name.slice(0, -1), list.split(',')] as const)
    return Array.from({ length: rulesPerGroup }, (_, rule) => {
      const row = Object.fromEntries(counts.map(([name, list]) => [name, list[rule] || '0']))
      return [`${first + rule + 1}`, row] as const
    })
  })
  return Object.fromEntries(rows.filter(([, row]) => row.message_count !== '0'))
}

/** Computes the rows by the reference implementation, with the columns of the queries. */
export function sliceRowsOf(integration: Integration, population: readonly SpanModel[]): SliceRows {
  const spans = slice(integration, population)
  const { services } = statsOf(spans)
  return {
    stats: { ...countsOf(spans), services: services.toSorted(byCodePoints).join() },
    rules: ruleRowsOf(integration, population),
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

/** A condition that no span satisfies, because every span has a name. */
const never = { attribute_source: 'intrinsic', attribute_key: 'name', operator: 'not_exists' } as const

/** A rule alone has the members of the whole integration, which matchers that no span satisfies contribute. */
function ruleRowsOf({ matchers }: Integration, population: readonly SpanModel[]): SliceRows['rules'] {
  const members = matchers.map(({ service, service_match }, index) => ({
    ...never,
    match_group: `member ${index}`,
    service,
    service_match,
  }))
  const groups = [...new Set(matchers.map(({ match_group }) => match_group))].map((group) =>
    matchers.filter(({ match_group }) => match_group === group),
  )
  const found = groups.map((group) => slice({ rule_match: 'any', matchers: [...group, ...members] }, population))
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
