import { type Bounds, type TraceServiceRow, type TraceSpanRow, traceIdOfHex, traceServices, traceSpans } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { KeyAttributes, KeyAttributesOf } from '../facets/key-attributes.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/read-in-scope.ts'
import { toSpans } from './message-detail.ts'

/** The spans of a trace that the scope lets see, as the API shows them; none when there is no such trace. */
export async function readSpans(
  telemetry: ScopedTelemetry,
  hexTraceId: string,
  keyAttributesOf: KeyAttributesOf,
): Promise<components['schemas']['Span'][]> {
  const traceId = traceIdOfHex(hexTraceId)
  // What is known of its services takes as long as the spans do, so neither waits for the other.
  const [rows, keyAttributes] = await Promise.all([
    readInScope<TraceSpanRow>(telemetry, traceSpans(traceId), 'message'),
    readKeyAttributes(telemetry, traceId, keyAttributesOf),
  ])
  return toSpans(rows, keyAttributes)
}

async function readKeyAttributes(
  telemetry: ScopedTelemetry,
  traceId: string,
  keyAttributesOf: KeyAttributesOf,
): Promise<KeyAttributes> {
  const rows = await readInScope<TraceServiceRow>(telemetry, traceServices(traceId), 'services of a message')
  const { scope, signal } = telemetry
  const bounds = { traceIds: [traceId], ...boundsOf(rows) }
  const spanCountMax = rows.reduce((most, row) => Math.max(most, Number(row.span_count)), 0)
  const services = rows.map(({ service }) => service)
  return keyAttributesOf({ scope, signal, bounds, spanCountMax }, services)
}

/** The time in which the spans of a trace start. */
function boundsOf(rows: readonly TraceServiceRow[]): Bounds {
  const first = rows.map((row) => BigInt(row.first_start_ns))
  const last = rows.map((row) => BigInt(row.last_start_ns))
  const fromNs = first.reduce((least, ns) => (ns < least ? ns : least), first[0] ?? 0n)
  const toNs = last.reduce((most, ns) => (ns > most ? ns : most), last[0] ?? 0n)
  return { fromNs, toNs: toNs + 1n }
}
