import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importExporterTable } from '../../server/cli/import/exporter/exporter-import.ts'
import { type RunningCommand, runCommand, startCommand } from '../operations/server-process.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createExporterDatabase, type ExporterDatabase, insertLogs, insertSpans } from './exporter-tables.ts'
import { temporaryFolder } from './otlp-files.ts'

const spanCount = 600
const nowSeconds = Math.floor(Date.now() / 1_000)

let app: TestApp
let source: ExporterDatabase
beforeAll(async () => {
  app = await startApp()
  source = await createExporterDatabase(app)
  await source.command(insertSpans(spanCount, nowSeconds - 60))
})
afterAll(async () => {
  await source.drop()
  await app.close()
})

/** Each test imports into a separate organization, with a separate directory of states. */
async function importer(table: string, ...more: string[]) {
  const org = crypto.randomUUID()
  const token = await app.token({ org, role: 'contributor' })
  const stateDir = temporaryFolder()
  const args = ['import', '--from-clickhouse', source.address, '--table', table, '--url', app.url]
  const all = [...args, '--state-dir', stateDir, ...more]
  const env = { TRACEFOLD_TOKEN: token }
  const stored = async (from: string, distinct: string) => {
    const text = `SELECT toString(count()) AS stored, toString(uniqExact(${distinct})) AS distinct
      FROM ${from} WHERE org = {p0:String}`
    const read = app.app.clickhouse.read<{ stored: string; distinct: string }>(
      { text, params: { p0: org } },
      { for: 'system', label: 'test' },
    )
    const [row] = (await read).rows
    return { stored: Number(row?.stored), distinct: Number(row?.distinct) }
  }
  return {
    org,
    token,
    stateDir,
    run: (...extra: string[]) => runCommand([...all, ...extra], env),
    start: (...extra: string[]): RunningCommand => startCommand([...all, ...extra], env),
    spans: () => stored('spans', 'trace_id, span_id'),
    logs: () => stored('log_records', 'body'),
    /** The number of requests that were recorded. */
    sequence(): number {
      const [directory] = readdirSync(stateDir)
      try {
        return JSON.parse(readFileSync(join(stateDir, directory ?? '', 'state.json'), 'utf8')).sequence
      } catch {
        return 0
      }
    },
  }
}

const attributesOf = (list: readonly { key: string; value: { stringValue?: string } }[] = []) =>
  Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue]))

interface Otlp {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: [] }
    readonly scopeSpans: readonly { readonly scope?: { name?: string; version?: string }; readonly spans: Span[] }[]
  }[]
}
// biome-ignore lint/suspicious/noExplicitAny: the shape of OTLP is what the test compares.
type Span = Record<string, any>

const kinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'SPAN_KIND_CONSUMER']

/** Returns a span of an export in the form of a row of the exporter's table. */
function rowOf(span: Span, resource: [], scope: { name?: string; version?: string } = {}): object {
  const error = Number(span.spanId && Number.parseInt(span.spanId, 16) - 1) % 4 === 3 ? 'STATUS_CODE_ERROR' : 'Error'
  return {
    start: span.startTimeUnixNano,
    duration: String(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)),
    trace: span.traceId,
    span: span.spanId,
    parent: span.parentSpanId ?? '',
    state: span.traceState ?? '',
    name: span.name,
    kind: kinds[span.kind ?? 0],
    resource: attributesOf(resource),
    scope: [scope.name ?? '', scope.version ?? ''],
    attributes: attributesOf(span.attributes),
    status: [['Unset', 'Ok', error][span.status?.code ?? 0], span.status?.message ?? ''],
    events: (span.events ?? []).map((event: Span) => [
      event.timeUnixNano,
      event.name,
      attributesOf(event.attributes as []),
    ]),
    links: (span.links ?? []).map((link: Span) => [
      link.traceId,
      link.spanId,
      link.traceState,
      attributesOf(link.attributes as []),
    ]),
  }
}

const sourceRows = `SELECT toString(toUnixTimestamp64Nano(Timestamp)) AS start, toString(Duration) AS duration,
  TraceId AS trace, SpanId AS span, ParentSpanId AS parent, TraceState AS state, SpanName AS name, SpanKind AS kind,
  ResourceAttributes AS resource, [ScopeName, ScopeVersion] AS scope, SpanAttributes AS attributes,
  [StatusCode, StatusMessage] AS status,
  arrayMap((t, n, a) -> (toString(toUnixTimestamp64Nano(t)), n, a), Events.Timestamp, Events.Name, Events.Attributes)
    AS events,
  arrayMap((t, s, w, a) -> (t, s, w, a), Links.TraceId, Links.SpanId, Links.TraceState, Links.Attributes) AS links
  FROM otel_traces ORDER BY trace, span`

it('imports every column of every row of otel_traces, and searches find what the table contains', async () => {
  const { run, org, spans } = await importer('otel_traces')
  const { code, stderr } = await run()
  expect(stderr).toMatch(/^600 records accepted, 0 rejected, in [\d.]+ s$/m)
  expect(code).toBe(0)
  expect(await spans()).toEqual({ stored: spanCount, distinct: spanCount })

  const rows = await source.rows<{ trace: string; span: string }>(sourceRows)
  const client = await app.client({ org })
  const imported: object[] = []
  for (const trace of new Set(rows.map((row) => row.trace))) {
    const { data } = await client.GET('/api/v1/messages/{trace_id}/otlp', {
      params: { path: { trace_id: trace } },
      headers: { accept: 'application/json' },
    })
    const found = (data as unknown as Otlp).resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ scope, spans: all }) => all.map((span) => rowOf(span, resource.attributes, scope))),
    )
    imported.push(...found.sort((a, b) => ((a as { span: string }).span < (b as { span: string }).span ? -1 : 1)))
  }
  expect(imported).toEqual(rows)

  const count = (body: object) => client.POST('/api/v1/messages/count', { body: { from: hourAgo, ...body } as never })
  const above = await count({ rows: [{ attribute_key: 'number', operator: 'gt', value: 594.5 }] })
  expect(above.data).toMatchObject({ matched_step_count: 5 })
  const equal = await count({ rows: [{ attribute_key: 'number', operator: 'eq', value: 17 }] })
  expect(equal.data).toMatchObject({ matched_step_count: 1 })
  const failed = await count({ status: 'error' })
  expect(failed.data).toMatchObject({ message_count: 60 })
})

const hourAgo = new Date((nowSeconds - 2 * 3_600) * 1_000).toISOString()

it('imports a second time only what is new', async () => {
  const { run, spans } = await importer('otel_traces')
  await run()
  const again = await run()
  expect(again.stderr).toMatch(/^0 records accepted, 0 rejected/m)
  expect(await spans()).toEqual({ stored: spanCount, distinct: spanCount })
})

it('reads a table of an earlier exporter, without columns that came later', async () => {
  await source.command(`CREATE TABLE otel_old (Timestamp DateTime64(9), TraceId String, SpanId String,
    ParentSpanId String, SpanName String, Duration Int64, ServiceName String) ENGINE = MergeTree ORDER BY Timestamp`)
  await source.command(
    `INSERT INTO otel_old SELECT Timestamp, TraceId, SpanId, ParentSpanId, SpanName, Duration, ServiceName
     FROM otel_traces LIMIT 100`,
  )
  const { run, spans } = await importer('otel_old')
  expect((await run()).code).toBe(0)
  expect((await spans()).distinct).toBe(100)
})

it('a crash after the server stored a request, and before that was recorded, doubles no log record', async () => {
  await source.command('TRUNCATE TABLE otel_logs')
  await source.command(insertLogs(0, 2_000, nowSeconds))
  // Two equal records are two records.
  await source.command(insertLogs(0, 3, nowSeconds))
  const { token, stateDir, run, logs } = await importer('otel_logs')
  for (const crashAt of [1, 1, 2, 3]) {
    const crash = new AbortController()
    let requests = 0
    const exit = await importExporterTable(
      {
        url: app.url,
        token,
        concurrency: 1,
        batchBytes: 40_000,
        retrySeconds: 5,
        resume: false,
        stateDir,
        quiet: true,
        json: false,
        fromClickhouse: source.address,
        table: 'otel_logs',
        follow: false,
        pollSeconds: 1,
        lateMinutes: 60,
      },
      {
        stdin: (async function* () {})(),
        stdout: process.stderr,
        stderr: Object.assign(Object.create(process.stderr), { isTTY: false, write: () => true }),
        clock: () => performance.now(),
        signal: crash.signal,
        async fetch(url, init) {
          const response = await fetch(url, { ...init, signal: null })
          if (++requests < crashAt) return response
          crash.abort()
          throw new Error('crashed')
        },
      },
    )
    expect(exit).toBe('interrupted')
  }
  expect((await run()).code).toBe(0)
  expect(await logs()).toEqual({ stored: 2_003, distinct: 2_000 })
})

it('killed with -9 again and again, an import of log records loses and doubles nothing', async () => {
  await source.command('TRUNCATE TABLE otel_logs')
  await source.command(insertLogs(0, 6_000, nowSeconds))
  const { start, run, logs, sequence } = await importer('otel_logs', '--batch-bytes', '20000')
  for (let kills = 0; kills < 4; kills++) {
    const before = sequence()
    const running = start()
    const ended = running.ended.then(() => true)
    while (sequence() < before + 3 && !(await Promise.race([ended, sleep(5)]))) {}
    await sleep(Math.random() * 30)
    running.kill('SIGKILL')
    await running.ended
  }
  expect((await logs()).stored).toBeLessThan(6_000)
  expect((await run()).code).toBe(0)
  expect(await logs()).toEqual({ stored: 6_000, distinct: 6_000 })
})

it('following, killed with -9 again and again, sends late and equal rows once each', async () => {
  await source.command('TRUNCATE TABLE otel_logs')
  await source.command(insertLogs(0, 500, nowSeconds))
  const { start, logs } = await importer('otel_logs', '--follow', '--poll-seconds', '1', '--batch-bytes', '10000')
  let inserted = 500
  for (let kills = 0; kills < 3; kills++) {
    const running = start()
    for (let part = 0; part < 4; part++) {
      // The times are up to half an hour before now, so most rows come later than rows with later times.
      await source.command(insertLogs(inserted, 150, Math.floor(Date.now() / 1_000)))
      inserted += 150
      await sleep(200 + Math.random() * 500)
    }
    running.kill('SIGKILL')
    await running.ended
  }
  const running = start()
  await expect.poll(async () => (await logs()).stored, { timeout: 40_000 }).toBeGreaterThanOrEqual(inserted)
  await source.command(insertLogs(0, 2, nowSeconds))
  await expect.poll(async () => (await logs()).stored, { timeout: 40_000 }).toBeGreaterThanOrEqual(inserted + 2)
  await sleep(2_500)
  running.kill('SIGINT')
  const { code, stderr } = await running.ended
  expect(code).toBe(130)
  expect(stderr).toContain('Run the same command to continue.')
  expect(await logs()).toEqual({ stored: inserted + 2, distinct: inserted })
})

it.each([
  [
    ['--from-clickhouse', 'http://127.0.0.1:9', '--table', 'otel_traces', '--retry-seconds', '0'],
    4,
    'could not be read',
  ],
  [['--from-clickhouse', 'ftp://host', '--table', 'otel_traces'], 2, 'takes an address such as'],
  [['--from-clickhouse', 'http://127.0.0.1:9', '--table', 'a;b'], 2, 'takes the name of a table'],
  [['--from-clickhouse', 'http://127.0.0.1:9'], 2, 'Name either files'],
  [[], 2, 'Name either files'],
])('%j ends with exit code %i and the reason', async (args, exit, reason) => {
  const { code, stderr } = await runCommand(['import', '--token', 'x', '--state-dir', temporaryFolder(), ...args])
  expect(stderr).toContain(reason)
  expect(code).toBe(exit)
})

it('a table that does not exist, or is not one of the exporter, is refused', async () => {
  const absent = await (await importer('nothing')).run()
  expect([absent.code, absent.stderr]).toEqual([2, expect.stringMatching(/There is no table \w+\.nothing/)])
  const other = await (await importer('system.one')).run()
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('has the columns neither of traces')])
})
