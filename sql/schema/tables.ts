/**
 * The telemetry tables. All differences between them are declared here, for scoping, sharding, retention and ingest. A
 * new table needs an entry here, a migration, and ingest; test/clickhouse/tables.test.ts fails until all three exist.
 */
import { bucketSeconds } from './value-buckets.ts'

/** The properties of a table that the rest of the server needs. */
interface Table {
  /** The columns that ingest writes, in this order, with their types. ClickHouse fills in all others. */
  readonly columns: Readonly<Record<string, string>>
  /** The column with the time of a row. For a row that covers a range of time, the end of the range. */
  readonly time: string
  /** The column with the start of the range, for a row that covers a range of time. */
  readonly begin?: string
  /** The precision of `time`, in seconds, if a row covers the time from it to the next one. */
  readonly timeSeconds?: number
  /** The days by which rows are kept longer than the retention. */
  readonly extraDays?: number
  /** Whether rows with equal keys replace each other. Queries then read the table with FINAL. */
  readonly isReplacing: boolean
  /** The precision of `time` in the key, in seconds, if rows that replace each other may differ in it. */
  readonly keySeconds?: number
  /**
   * The expression that distributes rows over the shards of a cluster. It uses columns that ingest writes, so that a
   * row that is sent again goes to the same shard. All rows of a trace or of a series are on one shard.
   */
  readonly shardingKey: string
}

/**
 * The origin of a record: its organization, its resource and its scope. Every table of records begins with these
 * columns, because ingest encodes them once for all records of a scope.
 *
 * - `resource_attributes`, `scope_attributes`: the text that `writeAttributeList` (attribute-text.ts) returns.
 */
const originColumns = {
  org: 'LowCardinality(String)',
  service: 'LowCardinality(String)',
  resource_attributes: 'LowCardinality(String)',
  scope_name: 'LowCardinality(String)',
  scope_version: 'LowCardinality(String)',
  scope_attributes: 'LowCardinality(String)',
} as const

/**
 * Some columns of `spans`, as RowBinary:
 *
 * - `attributes` (JSON): varint count of paths; per path its name as a string (`pathOfKey(key)`), then for a key of
 *   `hotAttributeKeys` the tagged text as a string, for any other key the byte 0x15 (String) and the tagged text.
 *   Absent keys are left out; a path must not occur twice.
 * - `events`, `links`: compact JSON arrays, or the empty string. An event is `{"t":"<ns>","n":name,"a":[[key, tagged
 *   text]…],"d":dropped attributes}`, a link `{"t":trace id, 32 hex,"s":span id, 16 hex,"w":trace
 *   state,"f":flags,"a":[[key, tagged text]…],"d":dropped attributes}`; `a`, `d`, `w`, `f` are left out when empty or
 *   zero.
 * - `trace_id`: the number whose big-endian bytes are the id; RowBinary writes it little-endian. `parent_id`: 0 for a
 *   root.
 * - `start` (DateTime64): an Int64 of nanoseconds since 1970.
 * - `kind`: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer, as in OTLP.
 * - `status`: 0 unset, 1 ok, 2 error, as in OTLP.
 * - `is_indexed`: 2 if the entries of the span in `value_index` have been stored, which precedes the span; 1 if an
 *   earlier version stored them, without `key_hash`; 0 if it has none.
 */
const spansColumns = {
  ...originColumns,
  trace_id: 'UInt128',
  span_id: 'UInt64',
  parent_id: 'UInt64',
  start: "DateTime64(9, 'UTC')",
  duration_ns: 'UInt64',
  kind: 'UInt8',
  status: 'UInt8',
  flags: 'UInt32',
  name: 'LowCardinality(String)',
  status_message: 'LowCardinality(String)',
  trace_state: 'LowCardinality(String)',
  attributes: 'JSON',
  events: 'String',
  links: 'String',
  dropped_attributes_count: 'UInt32',
  dropped_events_count: 'UInt32',
  dropped_links_count: 'UInt32',
  is_indexed: 'UInt8',
} as const

/**
 * The columns of `value_index`:
 *
 * - `hash`: see value-hash.ts.
 * - `bucket` (DateTime64): an Int64 of seconds since 1970, at which ten seconds begin.
 * - `slots`: the bit `1 << (trace_id >> 124)` of each trace.
 * - `key_hash`: see schema/migrations/0007-value-index-keys.sql.
 */
const valueIndexColumns = {
  org: 'LowCardinality(String)',
  hash: 'UInt32',
  bucket: "DateTime64(0, 'UTC')",
  slots: 'UInt16',
  key_hash: 'UInt32',
} as const

/**
 * The intervals of the sort key of `spans` in which a trace has spans, each by the start of one of them. Sorted by
 * trace, so that the intervals of single traces are found without reading `spans`.
 */
const traceIntervalsColumns = {
  org: 'LowCardinality(String)',
  trace_id: 'UInt128',
  start: "DateTime64(9, 'UTC')",
} as const

/** The rows of `spans` that do not count, because another row of the same span was stored first. */
const repeatedSpansColumns = {
  org: 'LowCardinality(String)',
  trace_id: 'UInt128',
  span_id: 'UInt64',
  start: "DateTime64(9, 'UTC')",
} as const

/**
 * Some columns of `metric_series`:
 *
 * - `series`: the first 16 bytes of the SHA-256 of everything that identifies a series. It is only compared for
 *   equality.
 * - `kind`, `temporality`: the numbers of metric-numbers.ts.
 * - `metadata`: encoded as `scope_attributes`.
 */
const metricSeriesColumns = {
  ...originColumns,
  metric: 'LowCardinality(String)',
  unit: 'LowCardinality(String)',
  kind: 'UInt8',
  temporality: 'UInt8',
  monotonic: 'UInt8',
  description: 'LowCardinality(String)',
  metadata: 'LowCardinality(String)',
  series: 'UInt128',
  first_seen: "DateTime64(9, 'UTC')",
  last_seen: "DateTime64(9, 'UTC')",
  attributes: 'JSON',
} as const

/**
 * Some columns of `metric_points`:
 *
 * - `start_time`: 1970 for a point without a start time.
 * - `value_type`: 0 no value, 1 the int in `value_int`, 2 the double in `value_double`.
 * - `exemplars`: a compact JSON array, or the empty string. An exemplar is `{"t":"<ns>","v":tagged int or
 *   double,"x":trace id, 32 hex,"s":span id, 16 hex,"a":[[key, tagged text]…]}`; `v`, `x`, `s`, `a` are left out when
 *   empty.
 */
const metricPointsColumns = {
  org: 'LowCardinality(String)',
  metric: 'LowCardinality(String)',
  series: 'UInt128',
  time: "DateTime64(9, 'UTC')",
  start_time: "DateTime64(9, 'UTC')",
  flags: 'UInt32',
  value_type: 'UInt8',
  value_int: 'Int64',
  value_double: 'Float64',
  count: 'UInt64',
  sum: 'Nullable(Float64)',
  min: 'Nullable(Float64)',
  max: 'Nullable(Float64)',
  bounds: 'Array(Float64)',
  bucket_counts: 'Array(UInt64)',
  scale: 'Int32',
  zero_count: 'UInt64',
  zero_threshold: 'Float64',
  positive_offset: 'Int32',
  positive_counts: 'Array(UInt64)',
  negative_offset: 'Int32',
  negative_counts: 'Array(UInt64)',
  quantiles: 'Array(Float64)',
  quantile_values: 'Array(Float64)',
  exemplars: 'String',
} as const

/**
 * Some columns of `log_records`:
 *
 * - `trace_id`, `span_id`: 0 for a record outside any span.
 * - `event_time`, `observed_time`: as sent, 1970 when absent.
 * - `severity_number`: as sent, even if OTLP does not define the number.
 * - `body`: a tagged text (attribute-text.ts); a record without a body holds the text of an unset value.
 * - `is_indexed`: 1 if the entries of the record in `value_index` have been stored, which precedes the record; else 0.
 */
const logRecordsColumns = {
  ...originColumns,
  trace_id: 'UInt128',
  span_id: 'UInt64',
  event_time: "DateTime64(9, 'UTC')",
  observed_time: "DateTime64(9, 'UTC')",
  severity_number: 'Int32',
  flags: 'UInt32',
  severity_text: 'LowCardinality(String)',
  event_name: 'LowCardinality(String)',
  body: 'String',
  attributes: 'JSON',
  dropped_attributes_count: 'UInt32',
  is_indexed: 'UInt8',
} as const

export const telemetryTables = {
  // Restoring a backup adds the tables in this order, and the entries of a record must not be added after the record.
  // They are also kept longer, since the time at which ClickHouse deletes what has expired is not exact.
  value_index: {
    columns: valueIndexColumns,
    time: 'bucket',
    timeSeconds: bucketSeconds,
    extraDays: 1,
    isReplacing: false,
    shardingKey: 'hash',
  },
  spans: {
    columns: spansColumns,
    time: 'start',
    isReplacing: true,
    keySeconds: bucketSeconds,
    shardingKey: 'sipHash64(trace_id)',
  },
  // Equal rows are merged, and reading one twice changes nothing. The same holds for `repeated_spans`.
  trace_intervals: {
    columns: traceIntervalsColumns,
    time: 'start',
    isReplacing: false,
    shardingKey: 'sipHash64(trace_id)',
  },
  // Kept longer than the rows that they exclude, which are deleted with the last one of their day.
  repeated_spans: {
    columns: repeatedSpansColumns,
    time: 'start',
    extraDays: 2,
    isReplacing: false,
    shardingKey: 'sipHash64(trace_id)',
  },
  // Queries group the rows of a series themselves. Each row alone covers the points that were sent with it.
  metric_series: {
    columns: metricSeriesColumns,
    time: 'last_seen',
    begin: 'first_seen',
    isReplacing: false,
    shardingKey: 'sipHash64(series)',
  },
  metric_points: {
    columns: metricPointsColumns,
    time: 'time',
    isReplacing: true,
    shardingKey: 'sipHash64(series)',
  },
  log_records: {
    columns: logRecordsColumns,
    time: 'time',
    isReplacing: false,
    shardingKey: 'if(trace_id = 0, sipHash64(event_time, observed_time, body), sipHash64(trace_id))',
  },
} as const satisfies Readonly<Record<string, Table>>

export type TelemetryTable = keyof typeof telemetryTables

export const telemetryTableNames = Object.keys(telemetryTables) as readonly TelemetryTable[]
