import {
  byCodePoint,
  type MessageCountsRow,
  type RuleCountsRow,
  ruleCounts,
  rulesPerGroup,
  type Slice,
  type SliceStatsRow,
  sliceCalls,
  sliceStats,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { FacetReader } from '../facets/facet-reader.ts'
import { effectiveSlugs } from '../facets/service-facets.ts'
import { raise } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'
import { msOfNs } from '../telemetry/time-units.ts'

export type SliceCounts = Pick<
  components['schemas']['IntegrationStats'],
  'trace_count' | 'error_trace_count' | 'span_count' | 'error_span_count'
>

/** The spans of a service that another service calls, or none, which has the empty name. */
interface CallRow {
  readonly from_service: string
  readonly to_service: string
  readonly span_count: string
  readonly error_count: string
  readonly p50_ns: string
  readonly p95_ns: string
}

/** Reads the counts of each rule alone, in one query. */
export async function readRuleCounts(telemetry: ScopedTelemetry, slice: Slice): Promise<SliceCounts[]> {
  if (slice.rules.length === 0) return []
  const rows = await readInScope<RuleCountsRow>(telemetry, ruleCounts(slice), 'rule counts')
  const groups = new Map(rows.map((row) => [Number(row.rule_group), row]))
  return slice.rules.map((_, index) => {
    const group = groups.get(Math.floor(index / rulesPerGroup))
    const count = (counts: readonly string[] | undefined) => counts?.[index % rulesPerGroup] ?? '0'
    return toSliceCounts({
      message_count: count(group?.message_counts),
      error_message_count: count(group?.error_message_counts),
      matched_step_count: count(group?.matched_step_counts),
      error_step_count: count(group?.error_step_counts),
    })
  })
}

function toSliceCounts(counts: MessageCountsRow): SliceCounts {
  return {
    trace_count: Number(counts.message_count),
    error_trace_count: Number(counts.error_message_count),
    span_count: Number(counts.matched_step_count),
    error_span_count: Number(counts.error_step_count),
  }
}

/** Reads the counts and the services of a slice. */
export async function readStats(
  telemetry: ScopedTelemetry,
  slice: Slice,
): Promise<components['schemas']['IntegrationStats']> {
  const [row] = await readInScope<SliceStatsRow>(telemetry, sliceStats(slice), 'slice stats')
  const stats = row ?? raise(new Error('The stats of a slice have no row.'))
  return { ...toSliceCounts(stats), services: [...stats.services] }
}

/**
 * Reads the services of a slice and the calls between them, in one query. A call is a span whose nearest ancestor in
 * the slice belongs to another service. The facets of a node come from all visible spans of its service.
 */
export async function readFlowGraph(
  telemetry: ScopedTelemetry,
  slice: Slice,
  facetsOf: FacetReader['facetsOf'],
): Promise<components['schemas']['FlowGraph']> {
  const rows = await readInScope<CallRow>(telemetry, sliceCalls(slice), 'slice calls')
  const counts = new Map<string, { span_count: number; error_count: number }>()
  for (const row of rows) {
    const { span_count, error_count } = counts.get(row.to_service) ?? { span_count: 0, error_count: 0 }
    counts.set(row.to_service, {
      span_count: span_count + Number(row.span_count),
      error_count: error_count + Number(row.error_count),
    })
  }
  const services = [...counts].sort(([left], [right]) => byCodePoint(left, right))
  const facets = await facetsOf(telemetry, [...counts.keys()])
  const nodes = services.map(([service, ofService]) => ({
    service,
    ...ofService,
    facets: effectiveSlugs(facets.get(service)),
  }))
  const calls = rows.filter(({ from_service }) => from_service !== '')
  return { nodes, edges: calls.map(toEdge) }
}

function toEdge(call: CallRow): components['schemas']['FlowEdge'] {
  return {
    from: call.from_service,
    to: call.to_service,
    call_count: Number(call.span_count),
    error_count: Number(call.error_count),
    p50_ms: msOfNs(call.p50_ns),
    p95_ms: msOfNs(call.p95_ns),
  }
}
