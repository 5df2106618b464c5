import { originColumns } from './origin.ts'

/**
 * The columns of `spans` that ingest writes, in this order, with their types. `stored_rank` is left to ClickHouse.
 *
 * RowBinary of the less usual ones:
 * - `attributes` (JSON): varint count of paths; per path its name as a string (`pathOfKey(key)`), then for a key of
 *   `hotAttributeKeys` the tagged text as a string, for any other key the byte 0x15 (String) and the tagged text.
 *   Absent keys are left out; a path must not occur twice.
 * - `events`, `links`: compact JSON arrays, the empty string for none. An event is
 *   `{"t":"<ns>","n":name,"a":[[key, tagged text]…],"d":dropped attributes}`, a link
 *   `{"t":trace id, 32 hex,"s":span id, 16 hex,"w":trace state,"f":flags,"a":[[key, tagged text]…],"d":dropped attributes}`;
 *   `a`, `d`, `w`, `f` are left out when empty or zero.
 * - `trace_id` is the number whose big-endian bytes are the id; RowBinary writes it little-endian. `parent_id` 0 is none.
 * - `start` (DateTime64) is an Int64 of nanoseconds since 1970.
 */
export const spansColumns = {
  ...originColumns,
  trace_id: 'UInt128',
  span_id: 'UInt64',
  parent_id: 'UInt64',
  start: "DateTime64(9, 'UTC')",
  duration_ns: 'UInt64',
  /** 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer: the numbers of OTLP. */
  kind: 'UInt8',
  /** 0 unset, 1 ok, 2 error: the numbers of OTLP. */
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
} as const
