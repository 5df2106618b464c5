import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { holdTurns } from '../support/hold-turns.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error', RESPONSE_STALL_SECONDS_MAX: '3600' } })
})
afterAll(() => app.close())

const window = { from: toRfc3339(drawnStartNs), to: toRfc3339(drawnStartNs + 86_400_000_000_000n) }

async function exported(org: string, accept: string, body: object = {}) {
  const response = await app.send('/api/v1/messages/export', {
    headers: { accept },
    json: { ...window, ...body },
    whom: { org },
  })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const traceIdOf = (index: number) => (index + 1).toString(16).padStart(32, '0')

function spansOf(org: string, count: number, change: (index: number) => Partial<SpanModel> = () => ({})): SpanModel[] {
  return Array.from({ length: count }, (_, index) =>
    makeSpan({
      org,
      traceId: traceIdOf(index),
      spanId: '0000000000000001',
      startNs: drawnStartNs + BigInt(index),
      ...change(index),
    }),
  )
}

async function store(org: string, spans: readonly SpanModel[]): Promise<void> {
  for (let at = 0; at < spans.length; at += 5_000) await app.sendSpans(toOtlpJson(spans.slice(at, at + 5_000)), { org })
}

it('an export without messages is the end, or the header of the CSV', async () => {
  const ndjson = await exported('empty', 'application/x-ndjson')
  expect(ndjson).toEqual({ status: 200, type: 'application/x-ndjson', text: '{"end":true,"count":0}\n' })
  const csv = await exported('empty', 'text/csv')
  expect(csv.type).toBe('text/csv; charset=utf-8')
  expect(csv.text).toMatch(/^trace_id,started_at,[^\n]*\r\n$/)
})

it.each([
  ['*/*', 'application/x-ndjson'],
  ['text/csv;q=0.9, application/x-ndjson;q=0.1', 'text/csv; charset=utf-8'],
  ['text/*', 'text/csv; charset=utf-8'],
  ['text/csv;charset=UTF-8', 'text/csv; charset=utf-8'],
  ['text/csv; charset=utf-8, application/x-ndjson;q=0.1', 'text/csv; charset=utf-8'],
  ['text/csv; header=present', 'text/csv; charset=utf-8'],
  ['text/csv;header="present";CHARSET=utf-8, */*;q=0.1', 'text/csv; charset=utf-8'],
  ['text/csv; header=absent, application/x-ndjson;q=0.1', 'application/x-ndjson'],
  ['text/csv; header=absent, text/csv;q=0.5', 'text/csv; charset=utf-8'],
  ['text/csv; header=absent, */*;q=0.1, text/csv;q=0', 'application/x-ndjson'],
  ['application/problem+json', 'application/x-ndjson'],
])('Accept %s is answered with %s', async (accept, type) => {
  expect((await exported('empty', accept)).type).toBe(type)
})

it.each(['application/json', 'text/csv; header=absent', 'text/csv; charset=utf-16'])(
  'Accept %s is refused, and the parameters of what is available are named',
  async (accept) => {
    const { status, type, text } = await exported('empty', accept)
    expect([status, type]).toEqual([406, 'application/problem+json'])
    const { code, detail } = JSON.parse(text)
    expect(code).toBe('not_acceptable')
    expect(detail).toContain('text/csv; charset=utf-8; header=present')
  },
)

it.each([
  [{ limit: 1_000_001 }, '/limit'],
  [{ limit: 0 }, '/limit'],
  [{ order: 'longest' }, '/order'],
  [{ cursor: 'x' }, '/cursor'],
  [{ rows: [{ attribute_key: 'a', operator: 'gt', value: 'x' }] }, '/rows/0/value'],
  [{ from: window.to }, '/from'],
])('%j is refused at %s', async (body, pointer) => {
  const { status, text } = await exported('empty', '*/*', body)
  expect([status, JSON.parse(text).errors[0].pointer]).toEqual([400, pointer])
})

it('texts that spreadsheets run are defused, and quotes and line breaks survive', async () => {
  const names = ['=1+1', '+1', '-1', '-1+1', '@SUM(A1)', '\t=1', 'a "b", c\nd', '＝1', 'plain; =1', '']
  await store(
    'csv',
    spansOf('csv', names.length, (index) => ({ name: names[index] as string })),
  )
  const { text } = await exported('csv', 'text/csv', { order: 'oldest' })
  const fields = readCsv(text).map((line) => line[5])
  expect(fields).toEqual([
    'root.name',
    "'=1+1",
    "'+1",
    '-1',
    "'-1+1",
    "'@SUM(A1)",
    "'\t=1",
    names[6],
    "'＝1",
    ...names.slice(8),
  ])
})

/** Reads CSV by the grammar of RFC 4180. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') lines.push([])
    if (end === '') break
  }
  return lines.slice(0, -1)
}

it('equal starts are ordered by trace id, descending, in either order; the limit keeps the first', async () => {
  await store(
    'equal',
    spansOf('equal', 5, (index) => ({ startNs: drawnStartNs + BigInt(index === 4 ? 1 : 0) })),
  )
  const idsOf = async (body: object) => {
    const { text } = await exported('equal', '*/*', body)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.pop()).toEqual({ end: true, count: lines.length })
    return lines.map(({ trace_id }) => Number(trace_id))
  }
  expect(await idsOf({})).toEqual([5, 4, 3, 2, 1])
  expect(await idsOf({ order: 'oldest' })).toEqual([4, 3, 2, 1, 5])
  expect(await idsOf({ order: 'oldest', limit: 2 })).toEqual([4, 3])
})

const manyCount = 12_000

/** Begins an export of many large messages without reading its body. */
async function beginExport(server = app): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${await server.token({ org: 'many' })}`, 'content-type': 'application/json' }
  const request = httpRequest(`${server.url}/api/v1/messages/export`, { method: 'POST', headers, agent: false })
  request.end(JSON.stringify(window))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

async function readLines(response: IncomingMessage): Promise<string[]> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8').trimEnd().split('\n')
}

async function queriesInFlight(): Promise<number> {
  const text = await (await fetch(`${app.url}/metrics`)).text()
  return Number(/^tracefold_http_requests_in_flight (\d+)/m.exec(text)?.[1])
}

it('an export is as of its beginning, and is cancelled with its client', async () => {
  await store(
    'many',
    spansOf('many', manyCount, () => ({ name: 'n'.repeat(3_000) })),
  )
  const begun = await beginExport()
  await store(
    'many',
    spansOf('many', 50, (index) => ({ traceId: `f${traceIdOf(index).slice(1)}` })),
  )
  const lines = await readLines(begun)
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: true, count: manyCount })
  expect(lines).toHaveLength(manyCount + 1)

  const left = await beginExport()
  left.destroy()
  // The request for the metrics is in flight itself.
  while ((await queriesInFlight()) > 1) await sleep(20)
})

it('an export that has begun waits while other queries of its organization hold all turns', async () => {
  const { database } = app.config.clickhouse
  const limits = { QUERIES_CONCURRENT_MAX: '1', QUERY_SECONDS_MAX: '120', RESPONSE_STALL_SECONDS_MAX: '3600' }
  const env = { CLICKHOUSE_DATABASE: database, ...limits }
  const busy = await startApp({ env })
  // Closing it would drop the database of the others.
  onTestFinished(async () => {
    await busy.app.stop()
    rmSync(busy.config.dataDir, { recursive: true })
  })
  const begun = await beginExport(busy)
  const reading = readLines(begun)
  await holdTurns(busy, 'many', 'exported messages')
  expect(JSON.parse((await reading).at(-1) ?? '')).toEqual({ end: true, count: manyCount + 50 })
})

it('an export breaks the connection if one of its messages is deleted before it is read', async () => {
  const begun = await beginExport()
  const oldest = `org = 'many' AND trace_id = 1`
  await app.app.clickhouse.command(`ALTER TABLE spans DELETE WHERE ${oldest} SETTINGS mutations_sync = 2`)
  await expect(readLines(begun)).rejects.toThrow('aborted')
})

it('a fault after the first byte breaks the connection', async () => {
  const begun = await beginExport()
  await app.app.clickhouse.command('DROP TABLE spans')
  const reading = (async () => {
    for await (const _ of begun);
  })()
  await expect(reading).rejects.toThrow('aborted')
})
