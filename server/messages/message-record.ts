import { hexOfSpanId, hexOfTraceId, rfc3339OfNs } from '#sql'
import type { components } from '../../openapi/types.ts'

/** A row of `messageDetails`. */
export interface StoredMessage {
  readonly trace_id: string
  readonly started_ns: string
  readonly ended_ns: string
  readonly root: readonly [service: string, name: string]
  readonly services: readonly string[]
  readonly span_count: string
  readonly error_count: string
  readonly matched_step_count: string
  readonly error_step_count: string
  readonly matched_step_ids: readonly string[]
}

export interface MessageRecord {
  readonly startedNs: bigint
  /** Decimal text of the UInt128. */
  readonly traceId: string
  readonly message: components['schemas']['Message']
}

export function toMessageRecord(row: StoredMessage): MessageRecord {
  const startedNs = BigInt(row.started_ns)
  const message = {
    trace_id: hexOfTraceId(row.trace_id),
    started_at: rfc3339OfNs(startedNs),
    duration_ns: (BigInt(row.ended_ns) - startedNs).toString(),
    status: Number(row.error_step_count) > 0 ? ('error' as const) : ('ok' as const),
    root: { service: row.root[0], name: row.root[1] },
    services: row.services.toSorted(),
    span_count: Number(row.span_count),
    error_count: Number(row.error_count),
    matched_step_count: Number(row.matched_step_count),
    matched_step_ids: row.matched_step_ids.map(hexOfSpanId),
  }
  return { startedNs, traceId: row.trace_id, message }
}

/** The order of a search: by start, then by trace id, both descending. */
export function newestFirst(left: MessageRecord, right: MessageRecord): number {
  if (left.startedNs !== right.startedNs) return left.startedNs > right.startedNs ? -1 : 1
  return left.message.trace_id > right.message.trace_id ? -1 : 1
}
