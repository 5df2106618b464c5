/**
 * Reads of the tables that the ClickHouse exporter of the OpenTelemetry Collector writes, in another database.
 * Its versions differ in their columns, so each read names only columns that the table has.
 */
import { int64, joinSql, list, type Query, render, type Sql, sql, text } from '../fragment.ts'
import { quoteName } from '../identifier.ts'

/** The database and the name of a table. */
export interface ExporterTable {
  readonly database: string
  readonly table: string
}

/** Rows whose time is in the same ten seconds are counted and read together. */
export const exporterBucketSeconds = 10
const bucketNs = BigInt(exporterBucketSeconds) * 1_000_000_000n
const bucketsPerDay = 86_400 / exporterBucketSeconds

/** What is read of a column, and what stands for it in a table without it. */
interface Column {
  readonly read: Sql
  /** Undefined for a column without which the table cannot be read. */
  readonly otherwise?: Sql
}

const noText = sql`''`
const noMap = sql`map()`
const noList = sql`[]`
const nanoseconds = sql`toString(toUnixTimestamp64Nano(toDateTime64(Timestamp, 9)))`

const traceColumns = {
  Timestamp: { read: nanoseconds },
  TraceId: { read: sql`TraceId` },
  SpanId: { read: sql`SpanId` },
  ParentSpanId: { read: sql`ParentSpanId` },
  SpanName: { read: sql`SpanName` },
  Duration: { read: sql`toString(Duration)` },
  TraceState: { read: sql`TraceState`, otherwise: noText },
  SpanKind: { read: sql`SpanKind`, otherwise: noText },
  ServiceName: { read: sql`ServiceName`, otherwise: noText },
  ResourceAttributes: { read: sql`ResourceAttributes`, otherwise: noMap },
  ScopeName: { read: sql`ScopeName`, otherwise: noText },
  ScopeVersion: { read: sql`ScopeVersion`, otherwise: noText },
  SpanAttributes: { read: sql`SpanAttributes`, otherwise: noMap },
  StatusCode: { read: sql`StatusCode`, otherwise: noText },
  StatusMessage: { read: sql`StatusMessage`, otherwise: noText },
  'Events.Timestamp': {
    read: sql`arrayMap(at -> toString(toUnixTimestamp64Nano(toDateTime64(at, 9))), \`Events.Timestamp\`)`,
    otherwise: noList,
  },
  'Events.Name': { read: sql`\`Events.Name\``, otherwise: noList },
  'Events.Attributes': { read: sql`\`Events.Attributes\``, otherwise: noList },
  'Links.TraceId': { read: sql`\`Links.TraceId\``, otherwise: noList },
  'Links.SpanId': { read: sql`\`Links.SpanId\``, otherwise: noList },
  'Links.TraceState': { read: sql`\`Links.TraceState\``, otherwise: noList },
  'Links.Attributes': { read: sql`\`Links.Attributes\``, otherwise: noList },
} satisfies Readonly<Record<string, Column>>

const logColumns = {
  Timestamp: { read: nanoseconds },
  Body: { read: sql`Body` },
  SeverityText: { read: sql`SeverityText` },
  SeverityNumber: { read: sql`toInt32(SeverityNumber)` },
  TraceId: { read: sql`TraceId`, otherwise: noText },
  SpanId: { read: sql`SpanId`, otherwise: noText },
  TraceFlags: { read: sql`toUInt32(TraceFlags)`, otherwise: sql`0` },
  ServiceName: { read: sql`ServiceName`, otherwise: noText },
  ResourceSchemaUrl: { read: sql`ResourceSchemaUrl`, otherwise: noText },
  ResourceAttributes: { read: sql`ResourceAttributes`, otherwise: noMap },
  ScopeSchemaUrl: { read: sql`ScopeSchemaUrl`, otherwise: noText },
  ScopeName: { read: sql`ScopeName`, otherwise: noText },
  ScopeVersion: { read: sql`ScopeVersion`, otherwise: noText },
  ScopeAttributes: { read: sql`ScopeAttributes`, otherwise: noMap },
  LogAttributes: { read: sql`LogAttributes`, otherwise: noMap },
  EventName: { read: sql`EventName`, otherwise: noText },
} satisfies Readonly<Record<string, Column>>

/** The columns of each kind of table. */
const columnsOf = { traces: traceColumns, logs: logColumns } as const

export type ExporterSignal = keyof typeof columnsOf

/**
 * A row, by the names of columns with `_` in place of the point of nested ones. Integers of 64 bits are texts. `bucket`
 * and `hash` identify the row.
 */
export type ExporterRow = Readonly<Record<'bucket' | 'hash', string>> & Readonly<Record<string, ExporterValue>>

export type ExporterValue =
  | string
  | number
  | Readonly<Record<string, string>>
  | readonly string[]
  | readonly Readonly<Record<string, string>>[]

/** Returns the names of the columns that can be read, and of those among them that a table must have. */
export function exporterColumns(signal: ExporterSignal): { readonly known: string[]; readonly required: string[] } {
  const columns: Readonly<Record<string, Column>> = columnsOf[signal]
  const known = Object.keys(columns)
  return { known, required: known.filter((name) => columns[name]?.otherwise === undefined) }
}

/** Selects `name` and `type` of each column of a table. */
export function describeExporterTable({ database, table }: ExporterTable): Query {
  return render(sql`
    SELECT name, type FROM system.columns WHERE database = ${text(database)} AND table = ${text(table)}
  `)
}

/** Selects the time of the server, in seconds since 1970, as `now`. */
export function exporterClock(): Query {
  return render(sql`SELECT toUnixTimestamp(now()) AS now`)
}

/** Counts the rows from a bucket on as `rows` by `day` since 1970, in order. */
export function countExporterDays(table: ExporterTable, from: number): Query {
  return render(sql`
    SELECT intDiv(${bucket}, ${int64(BigInt(bucketsPerDay))}) AS day, count() AS rows
    FROM ${nameOf(table)}
    WHERE ${isIn(from)}
    GROUP BY day
    ORDER BY day
  `)
}

/** Counts the rows of one day, from a bucket on, as `rows` by `bucket`, in order. */
export function countExporterBuckets(table: ExporterTable, day: number, from: number): Query {
  const [first, end] = [Math.max(from, day * bucketsPerDay), (day + 1) * bucketsPerDay]
  return render(sql`
    SELECT ${bucket} AS bucket, count() AS rows
    FROM ${nameOf(table)}
    WHERE ${isIn(first, end)}
    GROUP BY bucket
    ORDER BY bucket
  `)
}

export interface ExporterRead {
  readonly signal: ExporterSignal
  /** The columns to read and to tell rows apart by. */
  readonly columns: readonly string[]
  /** Those of the type JSON, whose values are read as texts. */
  readonly json: readonly string[]
  readonly from: number
  /** The bucket after the last one. */
  readonly end: number
}

/** Selects the rows of some buckets as `ExporterRow`. The hash is of all columns that are read. */
export function readExporterRows(table: ExporterTable, { signal, columns, json, from, end }: ExporterRead): Query {
  const known: Readonly<Record<string, Column>> = columnsOf[signal]
  const has = new Set(columns)
  const isJson = new Set(json)
  const selected = Object.entries(known).map(([name, { read, otherwise = noText }]) => {
    const value = isJson.has(name) ? jsonText(name) : has.has(name) ? read : otherwise
    return sql`${value} AS ${aliasOf(name)}`
  })
  const hashed = columns.map((name) => (isJson.has(name) ? jsonText(name) : columnName(name)))
  return render(sql`
    SELECT toString(${bucket}) AS bucket, toString(sipHash64(${list(hashed)})) AS hash, ${list(selected)}
    FROM ${nameOf(table)}
    WHERE ${isIn(from, end)}
  `)
}

const bucket = sql`intDiv(toUnixTimestamp64Nano(toDateTime64(Timestamp, 9)), ${int64(bucketNs)})`

/** Tests the time itself, so that ClickHouse skips the other days. */
function isIn(from: number, end?: number): Sql {
  const after = sql`Timestamp >= fromUnixTimestamp64Nano(${int64(BigInt(from) * bucketNs)}, 'UTC')`
  if (end === undefined) return after
  return joinSql([after, sql`Timestamp < fromUnixTimestamp64Nano(${int64(BigInt(end) * bucketNs)}, 'UTC')`], sql` AND `)
}

function nameOf({ database, table }: ExporterTable): Sql {
  return sql`${quoteName(database)}.${quoteName(table)}`
}

/** Names a value of a row: the column, with `_` in place of the point of a nested one. */
function aliasOf(name: string): Sql {
  return quoteName(`row_${name.replace('.', '_')}`)
}

/** Returns the text of a JSON column, or of each element of a nested one. */
function jsonText(name: string): Sql {
  const column = columnName(name)
  return name.includes('.') ? sql`arrayMap(value -> toJSONString(value), ${column})` : sql`toJSONString(${column})`
}

function columnName(name: string): Sql {
  return joinSql(name.split('.').map(quoteName), sql`.`)
}
