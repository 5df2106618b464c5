/** Reads the links to a span, which are stored with the spans that they come from. */
import {
  hexOfSpanId,
  hexOfTraceId,
  type LinkedSpan,
  type LinkingSpanRow,
  linkingSpans,
  linkingTraces,
  nsOfRfc3339,
  rfc3339OfNs,
  type TimeWindow,
} from '#sql'
import type { components } from '../../../openapi/types.ts'
import { raise } from '../../problem/problem.ts'
import { readInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'

type LinkedFrom = components['schemas']['LinkedFrom']

/** The number of linking spans that an answer lists. */
const linkingSpansMax = 100

/** With links in more traces, every span of the window is read. */
const linkingTracesMax = 1_000

const aroundNs = 24n * 3_600_000_000_000n

/** Returns the window for links to a span if the request names none: 24 hours before and after the span. */
export function windowAround(startedAt: string): TimeWindow {
  const startNs = nsOfRfc3339(startedAt) ?? raise(new Error('A span has no valid start.'))
  const fromNs = startNs > aroundNs ? startNs - aroundNs : 0n
  return { fromNs, toNs: startNs + aroundNs }
}

/** Reads the visible spans of the window that link to a span, newest first, and counts them. */
export async function readLinkedFrom(telemetry: ScopedTelemetry, linked: LinkedSpan): Promise<LinkedFrom> {
  const { window } = telemetry.scope
  const rows = await readLinkingSpans(telemetry, linked)
  return {
    from: rfc3339OfNs(window.fromNs),
    to: rfc3339OfNs(window.toNs),
    span_count: Number(rows[0]?.span_count ?? 0),
    spans: rows.map((row) => ({
      trace_id: hexOfTraceId(row.trace_id),
      span_id: hexOfSpanId(row.span_id),
      service: row.service,
      name: row.name,
      started_at: rfc3339OfNs(BigInt(row.start_ns)),
    })),
  }
}

/** Most spans have no links. An index tells which traces have links to a span, and only these traces are read. */
async function readLinkingSpans(telemetry: ScopedTelemetry, linked: LinkedSpan): Promise<readonly LinkingSpanRow[]> {
  const found = await readInScope<{ trace_id: string }>(
    telemetry,
    linkingTraces(linked, linkingTracesMax + 1),
    'traces with links to a span',
  )
  if (found.length === 0) return []
  const traces = found.length > linkingTracesMax ? {} : { traceIds: found.map(({ trace_id }) => trace_id) }
  return readInScope(telemetry, linkingSpans(linked, linkingSpansMax, traces), 'links to a span')
}
