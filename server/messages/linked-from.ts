/** Reads the links to a span, which are stored with the spans that they come from. */
import {
  hexOfSpanId,
  hexOfTraceId,
  type LinkingSpanRow,
  linkingSpans,
  nsOfRfc3339,
  rfc3339OfNs,
  type TimeWindow,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import { raise } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'

type LinkedFrom = components['schemas']['LinkedFrom']

/** The number of linking spans that an answer lists. */
const linkingSpansMax = 100

const aroundNs = 24n * 3_600_000_000_000n

/** Returns the window in which links to a span are sought if the request names none: 24 hours before and after it. */
export function windowAround(startedAt: string): TimeWindow {
  const startNs = nsOfRfc3339(startedAt) ?? raise(new Error('A span has no valid start.'))
  const fromNs = startNs > aroundNs ? startNs - aroundNs : 0n
  return { fromNs, toNs: startNs + aroundNs }
}

/** Reads the visible spans of the window that link to a span, newest first, and counts them. */
export async function readLinkedFrom(
  telemetry: ScopedTelemetry,
  { hexTraceId, hexSpanId }: { readonly hexTraceId: string; readonly hexSpanId: string },
): Promise<LinkedFrom> {
  const { window } = telemetry.scope
  const query = linkingSpans(hexTraceId, hexSpanId, linkingSpansMax)
  const rows = await readInScope<LinkingSpanRow>(telemetry, query, 'links to a span')
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
