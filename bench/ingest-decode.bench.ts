/**
 * Measures the CPU time per span of decoding an OTLP body into rows for ClickHouse, on one core.
 *
 *   node server/launch/run.mjs bench/ingest-decode.bench.ts [seed] [attributes per span]
 *
 * "protobufjs" is the baseline: it only creates objects, whereas "rows" also checks every span and
 * writes its row. Each figure is the best of many runs, which is affected least by other load on the machine.
 */
import { createHash } from 'node:crypto'
import { cpus } from 'node:os'
import { gunzipSync, gzipSync } from 'node:zlib'
import { otlpRoot } from '../scripts/otlp-messages.ts'
import { AcceptedTimes } from '../server/ingest/records/accepted-times.ts'
import type { DecodedBody } from '../server/ingest/records/signal.ts'
import { traces } from '../server/ingest/spans/traces-signal.ts'
import { BufferPool } from '../server/ingest/wire/buffer-pool.ts'
import { openOtlpTranscoder } from '../server/ingest/wire/json-transcoder.ts'
import { seededRandom } from '../test/support/random-source.ts'
import { randomBody } from './otlp-body.ts'

const seed = Number(process.argv[2] ?? 1)
const attributesPerSpan = Number(process.argv[3] ?? 20)
const spansPerBody = 1000
const runs = 150
const buffers = new BufferPool()
const times = new AcceptedTimes({ times: { ageDaysMax: 36_500, aheadSecondsMax: 86_400 } }, new Date())
const limits = { rowsPerInsertMax: 50_000, bytesPerInsertMax: 2 ** 25, daysPerInsertMax: 100, rowBytesMax: 2 ** 29 }

function transcoded(): Buffer {
  const into = buffers.take(json.length)
  const transcoder = openOtlpTranscoder(traces.request, json, into)
  while (!transcoder.step());
  buffers.give(into)
  return Buffer.from(transcoder.output)
}

function decoded(): DecodedBody {
  const decoder = traces.open(protobuf, 'acme', { limits, buffers }, times)
  for (;;) {
    const body = decoder.step()
    if (body !== undefined) return body
  }
}

/** Returns the CPU time per span of the best run, in microseconds. */
function measure(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / spansPerBody)
  }
  return best
}

const json = Buffer.from(
  JSON.stringify(
    randomBody(seededRandom(seed), { spans: spansPerBody, spansPerTrace: spansPerBody, attributesPerSpan }),
  ),
)
const protobuf = transcoded()
const gzip = gzipSync(protobuf)
const rows = decoded().batches[0]?.bytes ?? Buffer.alloc(0)
const messageType = otlpRoot().lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest')

console.log(`${cpus()[0]?.model}, Node ${process.version}, seed ${seed}, ${attributesPerSpan} attributes a span`)
console.log(`a span: ${protobuf.length / spansPerBody} bytes of protobuf, ${gzip.length / spansPerBody} compressed,`)
console.log(`        ${json.length / spansPerBody} of JSON, ${rows.length / spansPerBody} as a row`)
const figures: Readonly<Record<string, () => unknown>> = {
  'protobufjs, objects only': () => messageType.decode(protobuf),
  'protobuf to rows': decoded,
  'JSON to protobuf': transcoded,
  'token of the rows': () => createHash('sha256').update(rows).digest('hex'),
  gunzip: () => gunzipSync(gzip),
}
for (const [name, work] of Object.entries(figures)) {
  const cost = measure(work)
  console.log(`${name.padEnd(26)} ${cost.toFixed(2).padStart(6)} µs a span  ${Math.round(1e6 / cost)} spans/s`)
}
