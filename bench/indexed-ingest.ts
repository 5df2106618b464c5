/** What the value index costs at ingest: the same bodies are sent to servers with and without it. */
import { logs } from '../server/ingest/logs/logs-signal.ts'
import type { Signal } from '../server/ingest/records/signal.ts'
import { traces } from '../server/ingest/spans/traces-signal.ts'
import { writeOtlpMessage } from '../server/ingest/wire/json-transcoder.ts'
import type { IndexedTable } from '../sql/index.ts'
import { seededRandom } from '../test/support/random-source.ts'
import { type IngestingServer, startBenchServer } from './bench-server.ts'
import { bytesPerRecord, mergeParts, spansPerTrace, windowFromNs } from './dataset.ts'
import { cpuMsOf } from './http-figure.ts'
import { logsBody, recordsPerLogsBody } from './logs-bodies.ts'
import type { Bench } from './section.ts'
import { markdownTable } from './spread.ts'

const bodiesSent = 120
/** The first bodies find no compiled code and no tables in memory, so they are not measured. */
const bodiesUncounted = 20
const tracesPerBody = 83
const spansPerBody = tracesPerBody * spansPerTrace
/** As dense as 1.2 million spans in an hour. */
const nsPerTrace = 36_000_000n
const org = 'indexed-ingest'

interface Cost {
  readonly insertCpuMs: number
  readonly mergeCpuMs: number
  readonly bytesPerRecord: number
}

/** The bodies of a signal that are sent. */
interface SentBodies {
  readonly noun: string
  readonly path: Signal['path']
  readonly table: IndexedTable
  readonly recordsPerBody: number
  readonly bodies: readonly Buffer[]
}

/** Returns a table of CPU time and bytes per span, before and after. */
export function measureIndexedIngest(bench: Pick<Bench, 'seed' | 'progress'>): Promise<string> {
  const bodies = Array.from({ length: bodiesSent }, (_, index) => worstCaseBody(bench.seed, index))
  const { path } = traces
  return measureIngest({ noun: 'a span', path, table: 'spans', recordsPerBody: spansPerBody, bodies }, bench)
}

/** Returns a table of CPU time and bytes per log record, before and after. */
export function measureIndexedLogs(bench: Pick<Bench, 'seed' | 'progress'>): Promise<string> {
  const bodies = Array.from({ length: bodiesSent }, (_, index) => logsBody(bench.seed, index))
  const recordsPerBody = recordsPerLogsBody
  return measureIngest({ noun: 'a log record', path: logs.path, table: 'log_records', recordsPerBody, bodies }, bench)
}

async function measureIngest(sent: SentBodies, { progress }: Pick<Bench, 'progress'>): Promise<string> {
  const bar = progress('bodies, without and with the value index', 2 * bodiesSent)
  const costs: Cost[] = []
  for (const VALUE_INDEX of ['off', 'auto']) {
    const server = await startBenchServer({ VALUE_INDEX })
    try {
      costs.push(await measureBodies(server, sent, (count) => bar.update(costs.length * bodiesSent + count)))
    } finally {
      await server.close()
    }
  }
  bar.stop()
  const [off, on] = costs
  if (off === undefined || on === undefined) throw new Error('Both costs are measured.')
  const row = (name: string, figure: (cost: Cost) => number, digits: number) => [
    name,
    figure(off).toFixed(digits),
    figure(on).toFixed(digits),
    `${((figure(on) / figure(off) - 1) * 100).toFixed(1)} %`,
  ]
  const records = (bodiesSent - bodiesUncounted) * sent.recordsPerBody
  const micros = (ms: number) => (ms * 1_000) / records
  return markdownTable(
    [`ingest of ${sent.noun}`, 'without the index', 'with it', 'more'],
    [
      row('CPU µs, server and ClickHouse', ({ insertCpuMs }) => micros(insertCpuMs), 1),
      row('CPU µs, merging all of them once', ({ mergeCpuMs }) => micros(mergeCpuMs), 1),
      row('bytes on disk', ({ bytesPerRecord: bytes }) => bytes, 1),
    ],
  )
}

async function measureBodies(
  server: IngestingServer,
  { path, table, bodies }: SentBodies,
  onSent: (count: number) => void,
): Promise<Cost> {
  const api = await server.api(org)
  // Merges would run at any time, so they run at the end.
  await server.clickhouse.command('SYSTEM STOP MERGES')
  let before = 0
  for (const [index, body] of bodies.entries()) {
    if (index === bodiesUncounted) before = await cpuMsOf(server)
    await api.sendOtlp(path, body)
    onSent(index + 1)
  }
  const insertCpuMs = (await cpuMsOf(server)) - before
  await server.clickhouse.command('SYSTEM START MERGES')
  const beforeMerge = await cpuMsOf(server)
  for (const merged of [table, 'value_index'] as const) await mergeParts(server.clickhouse, merged)
  const mergeCpuMs = (await cpuMsOf(server)) - beforeMerge
  return { insertCpuMs, mergeCpuMs, bytesPerRecord: await bytesPerRecord(server.clickhouse, table) }
}

/** Returns a protobuf body of traces like those of `loadWorstCase`, in the order of time. */
function worstCaseBody(seed: number, index: number): Buffer {
  const random = seededRandom(seed * 1_000 + index)
  const ofService = new Map<string, object[]>()
  for (let trace = 0; trace < tracesPerBody; trace++) {
    const h = random.below(2 ** 32)
    const traceId = hex(random, 32)
    const spanIds = Array.from({ length: spansPerTrace }, () => hex(random, 16))
    const startNs = windowFromNs + BigInt(index * tracesPerBody + trace) * nsPerTrace
    for (const [j, spanId] of spanIds.entries()) {
      const r = random.below(2 ** 32)
      const service = ['gateway', 'checkout', 'ledger'][j] ?? `service-${(h + j) % 22}`
      const start = startNs + BigInt(j * 3_000_000 + (r % 1_000_000))
      const span = {
        traceId,
        spanId,
        parentSpanId: j === 0 ? '' : (spanIds[j < 6 ? j - 1 : Math.floor(j / 2)] ?? ''),
        name: `${service}/${r % 4}`,
        kind: 1 + (j % 5),
        startTimeUnixNano: String(start),
        endTimeUnixNano: String(start + BigInt(1_000_000 + (r % 100_000_000))),
        status: { code: r % 20 === 0 ? 2 : 0 },
        attributes: attributesOf(h, r),
      }
      const spans = ofService.get(service) ?? []
      ofService.set(service, spans)
      spans.push(span)
    }
  }
  const resourceSpans = [...ofService].map(([service, spans]) => ({
    resource: {
      attributes: [
        text('service.name', service),
        text('deployment.environment', 'prod'),
        text('host.name', `host-${random.below(20)}`),
      ],
    },
    scopeSpans: [{ spans }],
  }))
  return Buffer.from(writeOtlpMessage(traces.request, { resourceSpans }))
}

/** The attributes of bench/span-rows.ts, from a number of the trace and a number of the span. */
function attributesOf(h: number, r: number) {
  return [
    text('http.route', `/api/${r % 50}`),
    text('http.method', r % 2 === 0 ? 'GET' : 'POST'),
    whole('http.status_code', [200, 200, 404, 500][r % 4] ?? 200),
    text('tenant', `t-${h % 100}`),
    text('customer.id', String(h % 10_000)),
    text('db.system', ['mysql', 'postgresql', 'redis'][r % 3] ?? ''),
    text('db.operation', r % 2 === 0 ? 'SELECT' : 'INSERT'),
    text('thread.name', `exec-${r % 64}`),
    text('net.peer.name', `host-${r % 200}`),
    text('user_agent', 'Mozilla/5.0 (X11; Linux x86_64)'),
    text('order.id', h.toString(16)),
    text('region', h % 2 === 0 ? 'eu' : 'us'),
    text('feature.flag', `f${r % 30}`),
    whole('retry.count', r % 5),
    text('queue.name', `q${r % 20}`),
    { key: 'cache.hit', value: { boolValue: r % 2 === 0 } },
    text('code.function', `com.acme.Fn${r % 500}`),
    whole('server.port', 8_080),
    text(`rare.${r % 10_000}`, `v${r % 3}`),
    text(`often.${r % 300}`, `v${r % 9}`),
  ]
}

function text(key: string, stringValue: string) {
  return { key, value: { stringValue } }
}

function whole(key: string, value: number) {
  return { key, value: { intValue: String(value) } }
}

function hex(random: { below(limit: number): number }, digits: number): string {
  return Array.from({ length: digits }, () => random.below(16).toString(16)).join('')
}
