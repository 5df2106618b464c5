import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDocument } from '../../server/http/contract/document.ts'
import { listOperations } from '../../server/http/contract/operations.ts'
import { measureReads } from '../../server/observability/measured-clickhouse.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { problem } from '../../server/problem/problem.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function scrape(): Promise<Map<string, number>> {
  const response = await fetch(`${app.url}/metrics`)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

it('counts stored and rejected spans, their bytes and their requests', async () => {
  const valid = makeSpan({
    traceId: '1'.padStart(32, '0'),
    spanId: '1'.padStart(16, '0'),
    startNs: 1_700_000_000_000_000_000n,
  })
  const invalid = makeSpan({ traceId: '0'.repeat(32), spanId: '2'.padStart(16, '0') })
  await app.send('/v1/traces', { json: toOtlpJson([valid, invalid]) })
  const metrics = await scrape()
  expect(metrics.get('tracefold_ingest_accepted_total{signal="traces"}')).toBe(1)
  expect(metrics.get('tracefold_ingest_rejected_total{signal="traces"}')).toBe(1)
  expect(metrics.get('tracefold_ingest_batch_items_sum{signal="traces"}')).toBe(2)
  expect(metrics.get('tracefold_ingest_bytes_total{signal="traces"}')).toBeGreaterThan(100)
  expect(metrics.get('tracefold_ingest_in_flight_bytes')).toBe(0)
})

it('times requests by operation and status, and unknown operations under one name', async () => {
  await app.send('/api/v1/me')
  await app.send('/api/v1/me', { headers: { authorization: 'Bearer nonsense' } })
  await fetch(`${app.url}/no/such/path/${crypto.randomUUID()}`)
  const metrics = await scrape()
  const count = (operation: string, status: number) =>
    metrics.get(`tracefold_http_requests_total{operation="${operation}",status="${status}"}`)
  expect(count('getCaller', 200)).toBe(1)
  expect(count('getCaller', 401)).toBe(1)
  expect(count('unknown', 404)).toBe(1)
  expect([...metrics.keys()].some((name) => name.includes('such'))).toBe(false)
})

it('times queries and counts their rows by label', async () => {
  const { query, registry } = createPrometheus({ collectProcess: false })
  const clickhouse = measureReads(app.app.clickhouse, query, silentLogger)
  await clickhouse.read(
    { text: 'SELECT number FROM system.numbers LIMIT 7', params: {} },
    { for: 'system', label: 'seven' },
  )
  await clickhouse.read({ text: 'SELECT nonsense', params: {} }, { for: 'system', label: 'broken' }).catch(() => {})
  const text = await registry.metrics()
  expect(text).toContain('tracefold_queries_total{label="seven",outcome="ok"} 1')
  expect(text).toContain('tracefold_queries_total{label="broken",outcome="failed"} 1')
  expect(text).toContain('tracefold_query_duration_seconds_count{label="seven"} 1')
  expect(text).toContain('tracefold_query_rows_read_total{label="seven"}')
  expect(text).toContain('tracefold_queries_in_flight 0')
})

it('counts refused and aborted queries as such', async () => {
  const { query, registry } = createPrometheus({ collectProcess: false })
  const aborted = AbortSignal.abort()
  const clickhouse = measureReads(
    { ...app.app.clickhouse, database: '', read: () => Promise.reject(problem('query_timeout', 'too slow')) },
    query,
    silentLogger,
  )
  await clickhouse.read({ text: '', params: {} }, { for: 'system', label: 'slow' }).catch(() => {})
  await clickhouse.read({ text: '', params: {} }, { for: 'system', label: 'left', signal: aborted }).catch(() => {})
  const text = await registry.metrics()
  expect(text).toContain('{label="slow",outcome="query_timeout"} 1')
  expect(text).toContain('{label="left",outcome="aborted"} 1')
})

it('measures the process itself under the usual names', async () => {
  const text = await createPrometheus({ collectProcess: true }).registry.metrics()
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_cpu_seconds_total'])
    expect(text).toContain(`\n${name} `)
})

it('a scrape has less than 1.2 kB for each operation after all were called, with two outcomes each', async () => {
  const { registry, http, query } = createPrometheus({ collectProcess: true })
  const operations = listOperations(readDocument())
  for (const { id: operation } of operations) {
    http.duration.observe({ operation }, 0.0123456789)
    for (const status of ['200', '401']) http.requests.inc({ operation, status })
  }
  // The labels of all queries are fewer and shorter.
  for (let n = 0; n < 50; n += 1) {
    const label = `the label of query ${n}`
    query.duration.observe({ label }, 0.0123456789)
    query.rowsRead.inc({ label }, 123_456_789)
    query.queries.inc({ label, outcome: 'ok' })
  }
  expect(Buffer.byteLength(await registry.metrics())).toBeLessThan(1_200 * operations.length)
})
