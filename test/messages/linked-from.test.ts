import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId } from '../support/trace-text.ts'

const nsPerSecond = 1_000_000_000n
const linked = makeSpan({ traceId: drawnTraceId(1), spanId: '00000000000000a1', startNs: drawnStartNs })
const unlinked = makeSpan({ traceId: drawnTraceId(2), spanId: '00000000000000a2', startNs: drawnStartNs })
const links = [{ traceId: linked.traceId, spanId: linked.spanId, attributes: [] }]
const linking = spanAfter(3, 30)
/** A span of the same trace that links to another span. */
const besideLinking = { ...linking, spanId: '00000000000000b2' }
const otherLinks = [{ traceId: linked.traceId, spanId: '00000000000000a3', attributes: [] }]
/** Sent first without a link and then with one, so that the link does not count. */
const unlinkedAtFirst = spanAfter(4, 31)

/** Fills a dozen granules. */
const otherSpans = 100_000

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'debug' } })
  await app.app.clickhouse.command(
    `INSERT INTO spans (org, trace_id, span_id, start, duration_ns)
     SELECT '${app.org}', 1000 + number, 1,
       fromUnixTimestamp64Nano(toInt64(${drawnStartNs} + number * 1000000), 'UTC'), 1
     FROM numbers(${otherSpans})`,
  )
  await app.sendSpans(toOtlpJson([linked, unlinked, unlinkedAtFirst, { ...besideLinking, links: otherLinks }]))
  await app.sendSpans(toOtlpJson([linking, unlinkedAtFirst].map((span) => ({ ...span, links }))))
})
afterAll(() => app.close())

function spanAfter(trace: number, seconds: number): SpanModel {
  const startNs = drawnStartNs + BigInt(seconds) * nsPerSecond
  return makeSpan({ traceId: drawnTraceId(trace), spanId: '00000000000000b1', startNs })
}

async function linkedFrom({ traceId, spanId }: SpanModel) {
  const response = await app.send(`/api/v1/messages/${traceId}/spans/${spanId}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { linked_from: { span_count: number; spans: unknown[] } }).linked_from
}

it('lists the spans that link to a span, without those that had no link when they were stored first', async () => {
  const { span_count, spans } = await linkedFrom(linked)
  expect(span_count).toBe(1)
  expect(spans).toMatchObject([{ trace_id: linking.traceId, span_id: linking.spanId }])
})

it('finds by an index that nothing links to a span, without reading the spans around it', async () => {
  const before = app.logLines().length
  expect(await linkedFrom(unlinked)).toMatchObject({ span_count: 0, spans: [] })
  const queries = app
    .logLines()
    .slice(before)
    .filter(({ msg, query }) => msg === 'Query finished' && /\blinks? to a span/.test(String(query)))
  expect(queries.length).toBeGreaterThan(0)
  expect(queries.map(({ rowsRead }) => rowsRead)).toEqual(queries.map(() => 0))
})
