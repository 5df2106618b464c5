/** Reads of log records, by conditions, by ids and by trace. */
import { allOf, type Bounds, fromScoped, int64, param, type Sql, sql, uint64 } from '../fragment.ts'
import type { Condition } from '../ir/condition.ts'
import { logRecords } from '../record-kinds/record-kinds.ts'
import { compileCondition } from './condition.ts'

/**
 * The position of a log record in a list. Records with the same time are ordered by their ids, which are assigned when
 * they are stored.
 */
export interface LogPosition {
  readonly timeNs: bigint
  /** Decimal text of the UInt64. */
  readonly id: string
}

/** A row of `newestLogRecords`. */
export interface FoundLogRow {
  readonly time_ns: string
  readonly id: string
}

export interface LogPageOptions {
  readonly bounds: Bounds
  /** Selects only records after this one, in the order of the list. */
  readonly after?: LogPosition
  readonly limit: number
}

/** Selects `time_ns` and `id` of the newest log records within the bounds that satisfy all conditions. */
export function newestLogRecords(conditions: readonly Condition[], { bounds, after, limit }: LogPageOptions): Sql {
  const compiled = conditions.map((condition) => compileCondition(condition, logRecords))
  const older = after === undefined ? [] : [sql`(time, id) < ${position(after)}`]
  return sql`
    SELECT toUnixTimestamp64Nano(time) AS time_ns, id
    FROM ${fromScoped('log_records', allOf([...compiled, ...older]), bounds)}
    ORDER BY time DESC, id DESC
    LIMIT ${uint64(limit)}
  `
}

interface LogListOptions {
  readonly bounds: Bounds
  readonly order: 'newest' | 'oldest'
  readonly limit: number
}

/** Selects `time_ns` and `id` of the first log records in an order that satisfy all conditions, up to a limit. */
export function logPositions(conditions: readonly Condition[], { bounds, order, limit }: LogListOptions): Sql {
  const compiled = conditions.map((condition) => compileCondition(condition, logRecords))
  const ordered = order === 'newest' ? sql`time DESC, id DESC` : sql`time, id`
  return sql`
    SELECT toUnixTimestamp64Nano(time) AS time_ns, id
    FROM ${fromScoped('log_records', allOf(compiled), bounds)}
    ORDER BY ${ordered}
    LIMIT ${uint64(limit)}
  `
}

/** Selects the complete log records with these ids, newest first. The bounds must include their times. */
export function logRecordDetails(ids: readonly string[], bounds: Bounds): Sql {
  const hasId = sql`has(${param('Array(UInt64)', `[${ids.join(',')}]`)}, id)`
  return sql`
    SELECT ${wholeRecord}
    FROM ${fromScoped('log_records', hasId, bounds)}
    ORDER BY time DESC, id DESC
  `
}

/** Selects the complete log records of one trace, oldest first. `traceId` is the decimal text of the UInt128. */
export function logRecordsOfTrace(traceId: string, { after, limit }: Pick<LogPageOptions, 'after' | 'limit'>): Sql {
  const newer = after === undefined ? sql`1` : sql`(time, id) > ${position(after)}`
  return sql`
    SELECT ${wholeRecord}
    FROM ${fromScoped('log_records', newer, { traceIds: [traceId] })}
    ORDER BY time, id
    LIMIT ${uint64(limit)}
  `
}

function position({ timeNs, id }: LogPosition): Sql {
  return sql`(fromUnixTimestamp64Nano(${int64(timeNs)}, 'UTC'), ${param('UInt64', id)})`
}

/** A complete log record. Integers of 64 bits and more are texts. */
export interface LogRecordRow extends FoundLogRow {
  /** `0` for a record without an event time. */
  readonly event_time_ns: string
  readonly observed_time_ns: string
  readonly service: string
  readonly severity_number: number
  readonly severity_text: string
  readonly event_name: string
  readonly flags: number
  /** `0` for a record without a trace. */
  readonly trace_id: string
  readonly span_id: string
  readonly scope_name: string
  readonly scope_version: string
  readonly scope_attributes: string
  readonly resource_attributes: string
  /** A tagged text. */
  readonly body: string
  /** Tagged texts by path; the empty text for a hot key that the record does not carry. */
  readonly attributes: Readonly<Record<string, string>>
  readonly dropped_attributes_count: number
}

const wholeRecord: Sql = sql`
  toUnixTimestamp64Nano(time) AS time_ns,
  id,
  toUnixTimestamp64Nano(event_time) AS event_time_ns,
  toUnixTimestamp64Nano(observed_time) AS observed_time_ns,
  service,
  severity_number,
  severity_text,
  event_name,
  flags,
  trace_id,
  span_id,
  scope_name,
  scope_version,
  scope_attributes,
  resource_attributes,
  body,
  attributes,
  dropped_attributes_count
`
