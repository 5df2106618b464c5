/** Columns of a trace over all of its spans in scope, whether or not they match a query. */
import { type Sql, sql } from '../fragment.ts'

interface TraceColumnEntry {
  readonly aggregate: Sql
  readonly name: Sql
}

const entries = {
  started_ns: { aggregate: sql`toUnixTimestamp64Nano(min(start))`, name: sql`started_ns` },
  last_started_ns: { aggregate: sql`toUnixTimestamp64Nano(max(start))`, name: sql`last_started_ns` },
  ended_ns: { aggregate: sql`max(toUInt64(toUnixTimestamp64Nano(start)) + duration_ns)`, name: sql`ended_ns` },
  root: { aggregate: sql`argMin((service, name), (parent_id != 0, start, span_id))`, name: sql`root` },
  is_rooted: { aggregate: sql`max(parent_id = 0)`, name: sql`is_rooted` },
  services: { aggregate: sql`groupUniqArray(service)`, name: sql`services` },
  service_count: { aggregate: sql`uniqExact(service)`, name: sql`service_count` },
  span_count: { aggregate: sql`uniqExact(span_id)`, name: sql`span_count` },
  error_count: { aggregate: sql`uniqExactIf(span_id, status = 2)`, name: sql`error_count` },
} as const satisfies Readonly<Record<string, TraceColumnEntry>>

/**
 * The duration of a trace, with the columns `started_ns` and `ended_ns`. Ends, unlike starts, may be up to 2^64 - 1,
 * the largest time of OTLP, and a difference of integers is an Int64.
 */
export const traceDuration: Sql = sql`toUInt64(ended_ns - started_ns)`

export type TraceColumn = keyof typeof entries

/** Returns the columns as aggregates of the rows of a trace, with their names. */
export function traceColumns(columns: readonly TraceColumn[]): Sql[] {
  return columns.map((column) => sql`${entries[column].aggregate} AS ${entries[column].name}`)
}

/** Returns the names of the columns, for use in an outer query. */
export function traceColumnNames(columns: readonly TraceColumn[]): Sql[] {
  return columns.map((column) => entries[column].name)
}
