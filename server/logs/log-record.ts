import { hexOfSpanId, hexOfTraceId, type LogRecordRow, rfc3339OfNs } from '#sql'
import type { components } from '../../openapi/types.ts'
import { mapPaced } from '../background/pace.ts'
import { attributesOfPaths, createListReader, type ReadList, toAttribute } from '../telemetry/attribute-record.ts'

type LogRecord = components['schemas']['LogRecord']

/** Converts the rows of one response to log records of the API. */
export function toLogRecords(rows: readonly LogRecordRow[]): Promise<LogRecord[]> {
  const readList = createListReader()
  return mapPaced(rows, (row) => toLogRecord(row, readList))
}

function toLogRecord(row: LogRecordRow, readList: ReadList): LogRecord {
  const { key: _, ...body } = toAttribute('', row.body)
  return {
    id: row.id,
    time: rfc3339OfNs(BigInt(row.time_ns)),
    event_time: timeOf(row.event_time_ns),
    observed_time: timeOf(row.observed_time_ns),
    service: row.service,
    severity: row.severity_text,
    severity_number: row.severity_number,
    body,
    event_name: row.event_name,
    trace_id: row.trace_id === '0' ? null : hexOfTraceId(row.trace_id),
    span_id: row.span_id === '0' ? null : hexOfSpanId(row.span_id),
    flags: row.flags,
    scope: { name: row.scope_name, version: row.scope_version, attributes: readList(row.scope_attributes) },
    attributes: attributesOfPaths(row.attributes),
    dropped_attributes_count: row.dropped_attributes_count,
    resource_attributes: readList(row.resource_attributes),
  }
}

/** Converts a time. Returns null for zero, which represents an unknown time in OTLP. */
function timeOf(ns: string): string | null {
  return ns === '0' ? null : rfc3339OfNs(BigInt(ns))
}
