/**
 * Measures the CPU time per span when ClickHouse itself parses the OTLP body, for comparison with
 * `ingest-decode.bench.ts`.
 *
 *   node server/launch/run.mjs bench/clickhouse-protobuf.bench.ts [seed] [attributes per span]
 *
 * The result is discarded. The first figure is parsing alone; the second adds the minimal rows that a table would need:
 * ids, names and tagged attributes. Spans are not checked, and lists in values stay bytes, because ClickHouse does not
 * support recursive messages.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedEngine } from '../server/clickhouse/engine/supervisor.ts'
import { traces } from '../server/ingest/spans/traces-signal.ts'
import { writeOtlpMessage } from '../server/ingest/wire/json-transcoder.ts'
import { seededRandom } from '../test/support/random-source.ts'
import { silentLogger } from '../test/support/silent-logger.ts'
import { randomBody } from './otlp-body.ts'

const seed = Number(process.argv[2] ?? 1)
const attributesPerSpan = Number(process.argv[3] ?? 20)
const spansPerBody = 1000
const runs = 50

/** The OTLP messages with the fields that are read. The others are skipped. */
const schema = `syntax = "proto3";
message AnyValue {
  string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
  bytes array_value = 5; bytes kvlist_value = 6; bytes bytes_value = 7;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message Resource { repeated KeyValue attributes = 1; }
message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; }
message Status { string message = 2; int32 code = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4;
  string name = 5; int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; repeated Event events = 11; Status status = 15;
}
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Request { repeated ResourceSpans resource_spans = 1; }`

const value = `Tuple(
  string_value String, bool_value Bool, int_value Int64, double_value Float64,
  array_value String, kvlist_value String, bytes_value String)`
const attributes = `Array(Tuple(key String, value ${value}))`
const events = `Array(Tuple(time_unix_nano UInt64, name String, attributes ${attributes}))`
const spans = `Array(Tuple(
  trace_id String, span_id String, trace_state String, parent_span_id String, name String, kind Int32,
  start_time_unix_nano UInt64, end_time_unix_nano UInt64, attributes ${attributes}, events ${events},
  status Tuple(message String, code Int32)))`
const scopeSpans = `Array(Tuple(scope Tuple(name String, version String, attributes ${attributes}), spans ${spans}))`
const request = `resource_spans Array(Tuple(resource Tuple(attributes ${attributes}), scope_spans ${scopeSpans}))`

const tagged = `multiIf(
  each.value.string_value != '', concat('s', each.value.string_value),
  each.value.int_value != 0, concat('i', toString(each.value.int_value)),
  each.value.double_value != 0, concat('d', toString(each.value.double_value)),
  concat('b', toString(each.value.bool_value)))`
const rows = `SELECT
  reinterpretAsUInt128(span.trace_id), reinterpretAsUInt64(span.span_id), span.name,
  CAST(arrayMap(each -> (each.key, ${tagged}), span.attributes), 'Map(String, String)')
FROM
(
  SELECT arrayJoin(arrayFlatten(arrayMap(
    resource -> arrayMap(scope -> scope.spans, resource.scope_spans), resource_spans))) AS span
  FROM input('${request}')
)`
const minimalRow = 'trace UInt128, span UInt64, name String, attributes Map(String, String)'

const statements: Readonly<Record<string, string>> = {
  'parsing alone': `INSERT INTO FUNCTION null('${request}') FORMAT ProtobufSingle`,
  'ids, names, attributes': `INSERT INTO FUNCTION null('${minimalRow}') ${rows} FORMAT ProtobufSingle`,
}

const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-bench-'))
const engine = await startEmbeddedEngine({ dataDir, logger: silentLogger })
try {
  const json = randomBody(seededRandom(seed), { spans: spansPerBody, spansPerTrace: spansPerBody, attributesPerSpan })
  const body = writeOtlpMessage(traces.request, json)
  console.log(`${cpus()[0]?.model}, Node ${process.version}, seed ${seed}, ${attributesPerSpan} attributes a span`)
  for (const [name, statement] of Object.entries(statements)) {
    await ask(statement, body)
    const before = await cpuMicros()
    for (let run = 0; run < runs; run++) await ask(statement, body)
    const cost = ((await cpuMicros()) - before) / runs / spansPerBody
    console.log(`${name.padEnd(26)} ${cost.toFixed(2).padStart(6)} µs a span`)
  }
} finally {
  await engine.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function cpuMicros(): Promise<number> {
  const events = `'UserTimeMicroseconds', 'SystemTimeMicroseconds'`
  return Number(await ask(`SELECT sum(value) FROM system.events WHERE event IN (${events})`))
}

async function ask(query: string, body: Buffer = Buffer.alloc(0)): Promise<string> {
  const endpoint = engine.endpoint()
  if (endpoint === undefined) throw new Error('The engine has ended.')
  const url = new URL(endpoint.url)
  const settings = {
    query,
    format_schema_source: 'string',
    format_schema: schema,
    format_schema_message_name: 'Request',
  }
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
  const credentials = Buffer.from(`${endpoint.username}:${endpoint.password}`).toString('base64')
  const headers = { ...endpoint.headers, authorization: `Basic ${credentials}` }
  const answer = await fetch(url, { method: 'POST', headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
