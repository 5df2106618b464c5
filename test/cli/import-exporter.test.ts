import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { startReceiver } from '../support/receiver.ts'
import { runCommand, startCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createImporter } from './exporter-importer.ts'
import { createExporterDatabase, type ExporterDatabase, insertLogs, insertSpans } from './exporter-tables.ts'

const spanCount = 600
const nowSeconds = Math.floor(Date.now() / 1_000)

let app: TestApp
let source: ExporterDatabase
beforeAll(async () => {
  app = await startApp()
  source = await createExporterDatabase(app)
  await source.command(insertSpans(0, spanCount, nowSeconds - 60))
})
afterAll(async () => {
  await source.drop()
  await app.close()
})

const importer = (table: string, ...more: string[]) => createImporter(app, source, table, ...more)

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

/** Attributes of every type, and what an import makes of them. */
const storedAttributes =
  '{"http.status_code":500,"http":{"route":"/a"},"big":9007199254740993,"ratio":0.25,"whole":2.0,"paid":true,' +
  '"text":"5","quoted":"a \\\\ \\"b\\" ü\\n","list":[1,"a",null,{"k":{"x":1}}],"nothing":null,"none":[],"a":1,' +
  '"a.b":[2],"at":"2026-01-02T03:04:05Z"}'
const importedValues = {
  'http.status_code': { intValue: '500' },
  'http.route': { stringValue: '/a' },
  big: { intValue: '9007199254740993' },
  ratio: { doubleValue: 0.25 },
  // ClickHouse writes a whole double as an integer, as the exporter does before it.
  whole: { intValue: '2' },
  paid: { boolValue: true },
  text: { stringValue: '5' },
  quoted: { stringValue: 'a \\ "b" ü\n' },
  list: {
    arrayValue: {
      values: [
        { intValue: '1' },
        { stringValue: 'a' },
        {},
        {
          kvlistValue: {
            values: [{ key: 'k', value: { kvlistValue: { values: [{ key: 'x', value: { intValue: '1' } }] } } }],
          },
        },
      ],
    },
  },
  none: { arrayValue: { values: [] } },
  a: { intValue: '1' },
  'a.b': { arrayValue: { values: [{ intValue: '2' }] } },
  at: { stringValue: '2026-01-02T03:04:05Z' },
}

it('reads attributes of the type JSON with their types, exactly', async () => {
  const other = '{"from":"json","n":1}'
  await source.command(`TRUNCATE TABLE otel_traces_json`)
  await source.command(`INSERT INTO otel_traces_json (Timestamp, TraceId, SpanId, ServiceName, ResourceAttributes,
      SpanAttributes, Duration, Events.Timestamp, Events.Name, Events.Attributes,
      Links.TraceId, Links.SpanId, Links.TraceState, Links.Attributes) VALUES
    (toDateTime64(${nowSeconds - 60}, 9), lower(hex(MD5('json'))), '00000000000000aa', 'shop', '${other}',
      '${storedAttributes.replaceAll('\\', '\\\\')}', 5, [toDateTime64(${nowSeconds}, 9)], ['e'], ['${other}'],
      [lower(hex(MD5('l')))], ['00000000000000bb'], [''], ['{}'])`)
  const { run, org, spans } = await importer('otel_traces_json')
  expect((await run()).code).toBe(0)
  expect((await run()).stderr).toMatch(/^0 records accepted/m)
  expect(await spans()).toEqual({ stored: 1, distinct: 1 })
  const client = await app.client({ org })
  const { data } = await client.GET('/api/v1/messages/{trace_id}/otlp', {
    params: { path: { trace_id: createHash('md5').update('json').digest('hex') } },
    headers: { accept: 'application/json' },
  })
  const [resourceSpans] = (data as unknown as Otlp).resourceSpans
  const [span] = resourceSpans?.scopeSpans[0]?.spans ?? []
  const json = [
    { key: 'from', value: { stringValue: 'json' } },
    { key: 'n', value: { intValue: '1' } },
  ]
  expect(resourceSpans?.resource.attributes).toEqual([...json, { key: 'service.name', value: { stringValue: 'shop' } }])
  expect(span?.events[0].attributes).toEqual(json)
  expect(span?.links[0].attributes ?? []).toEqual([])
  const values = Object.fromEntries(span?.attributes.map(({ key, value }: Span) => [key, value]))
  expect(values).toEqual(importedValues)
})

it('imports equal log records that are inserted one after the other', async () => {
  await source.command('TRUNCATE TABLE otel_logs')
  const { run, logs } = await importer('otel_logs')
  for (const stored of [1, 2]) {
    await source.command(insertLogs(0, 1, nowSeconds))
    expect((await run()).code).toBe(0)
    expect(await logs()).toEqual({ stored, distinct: 1 })
  }
})

it('reads log records with JSON attributes, and refuses paths whose absence ClickHouse forgets', async () => {
  await source.command(`INSERT INTO otel_logs_json (Timestamp, ServiceName, Body, LogAttributes)
    SELECT now64(9), 'shop', toString(number), '{"n":1}' FROM numbers(3)`)
  const { run, logs, org } = await importer('otel_logs_json')
  expect((await run()).code).toBe(0)
  expect(await logs()).toEqual({ stored: 3, distinct: 3 })
  const { data } = await (await app.client({ org })).POST('/api/v1/logs/search', { body: { conditions: [] } as never })
  expect(data?.items.map(({ attributes }) => attributes)).toEqual(Array(3).fill([{ key: 'n', type: 'int', value: 1 }]))

  await source.command('ALTER TABLE otel_logs_json MODIFY COLUMN LogAttributes JSON(n Int64)')
  const refused = await (await importer('otel_logs_json')).run()
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('does not tell an absent n from an empty one'),
  ])
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

it('an import that waits for ClickHouse ends when it is interrupted', async () => {
  const { url, received } = await startReceiver(() => 'later')
  const address = ['--from-clickhouse', new URL(url).origin, '--table', 'otel_traces']
  const command = startCommand(['import', '--token', 'x', '--state-dir', temporaryFolder(), ...address])
  await expect.poll(() => received.length, { timeout: 60_000 }).toBe(1)
  command.kill('SIGINT')
  expect(await command.ended).toMatchObject({ code: 130, stderr: 'Interrupted.\n' })
})

it('a table that does not exist, or is not one of the exporter, is refused', async () => {
  const absent = await (await importer('nothing')).run()
  expect([absent.code, absent.stderr]).toEqual([2, expect.stringMatching(/There is no table \w+\.nothing/)])
  const other = await (await importer('system.one')).run()
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('has the columns neither of traces')])
})
