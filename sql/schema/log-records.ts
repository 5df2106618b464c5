import { originColumns } from './origin.ts'

/**
 * The columns of `log_records` that ingest writes, in this order, with their types; `id` and `time` are left to ClickHouse. Those
 * they share with spans are held as there (schema/spans.ts).
 *
 * - `trace_id`, `span_id`: 0 is none.
 * - `event_time`, `observed_time`: as they were sent, 1970 for none.
 * - `severity_number`: as it was sent, also a number that OTLP does not have.
 * - `body`: a tagged text (attribute-value.ts), of a record without a body that of an unset value.
 */
export const logRecordsColumns = {
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
} as const
