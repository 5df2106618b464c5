import type { ClickHouse } from '../../server/clickhouse/client.ts'
import {
  parseMatchers,
  renderInScope,
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
import { flowEdges, statsOf } from './reference-slice-stats.ts'
import type { SpanModel } from './span-model.ts'

type Texts = Readonly<Record<string, string>>

/** The rows that an integration's stats, services and calls are read from. Their values are texts. */
export interface SliceRows {
  readonly stats: Texts | undefined
  readonly services: readonly Texts[]
  readonly calls: readonly Texts[]
}

/** Parses an integration into what the compiler takes. */
export function toSlice({ rule_match, matchers }: Integration): Slice {
  return sliceOf(rule_match, parseMatchers(matchers))
}

/** Runs a query on the real engine and returns its rows with text values. */
export async function readTexts(clickhouse: ClickHouse, query: Sql, scope: Scope): Promise<Texts[]> {
  const { rows } = await clickhouse.read<object>(renderInScope(query, scope), { label: 'test' })
  return rows.map(textsOf)
}

export async function readSliceRows(
  clickhouse: ClickHouse,
  integration: Integration,
  scope: Scope,
): Promise<SliceRows> {
  const of = toSlice(integration)
  const [counts, services, calls] = await Promise.all([
    readTexts(clickhouse, sliceCounts(of), scope),
    readTexts(clickhouse, sliceServices(of), scope),
    readTexts(clickhouse, sliceCalls(of), scope),
  ])
  return { stats: counts[0], services, calls }
}

/** Computes the rows by the reference implementation, with the columns of the queries. */
export function sliceRowsOf(integration: Integration, population: readonly SpanModel[]): SliceRows {
  const spans = slice(integration, population)
  const { trace_count, error_trace_count, span_count, error_span_count, services } = statsOf(spans)
  return {
    stats: textsOf({
      message_count: trace_count,
      error_message_count: error_trace_count,
      matched_step_count: span_count,
      error_step_count: error_span_count,
    }),
    services: services.toSorted(byCodePoints).map((service) => serviceRow(service, spans)),
    calls: callRows(spans, population),
  }
}

function serviceRow(service: string, spans: ReadonlySet<SpanModel>): Texts {
  const own = [...spans].filter((span) => span.service === service)
  const errors = own.filter((span) => span.status === 'error')
  return textsOf({ service, span_count: own.length, error_count: errors.length })
}

function callRows(spans: ReadonlySet<SpanModel>, population: readonly SpanModel[]): Texts[] {
  return flowEdges(spans, population)
    .toSorted((left, right) => byCodePoints(left.from, right.from) || byCodePoints(left.to, right.to))
    .map(({ from, to, callCount, errorCount, durationsNs }) =>
      textsOf({
        from_service: from,
        to_service: to,
        call_count: callCount,
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
