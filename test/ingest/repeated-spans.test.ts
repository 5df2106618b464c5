/** Spans that are sent again with another start, while many requests and servers store them at the same time. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { renderInScope, repeatsOfTraces, type Scope, serviceProfiles } from '../../sql/index.ts'
import { freshDatabase } from '../support/engine.ts'
import { type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnTraceId } from '../support/trace-text.ts'

const org = 'acme'
const always = { org, window: { fromNs: 0n, toNs: 2n ** 63n - 1n } }
const startNs = 1_790_000_000_000_000_000n

let clickhouse: ClickHouse
let servers: OtlpServer[]
beforeAll(async () => {
  clickhouse = await freshDatabase()
  servers = [await startOtlpServer({ clickhouse }), await startOtlpServer({ clickhouse })]
})
afterAll(async () => {
  for (const server of servers ?? []) await server.close()
  await clickhouse?.close()
})

async function read<Row>(query: ReturnType<typeof renderInScope>) {
  return clickhouse.read<Row>(query, { for: 'system', label: 'test' })
}

async function countSpans(service: string, scope: Scope = always): Promise<number> {
  const query = renderInScope(serviceProfiles({ rules: [], services: [service], countedNs: 1_000_000_000n }), scope)
  const [row] = (await read<{ span_count: string }>(query)).rows
  return Number(row?.span_count ?? 0)
}

/** The rows of some spans: each span with several starts, up to years apart. */
function rowsOf(service: string, trace: number, starts: readonly bigint[]): SpanModel[] {
  return starts.flatMap((offset) =>
    ['00000000000000a1', '00000000000000a2'].map((spanId) =>
      makeSpan({ org, service, traceId: drawnTraceId(trace), spanId, startNs: startNs + offset }),
    ),
  )
}

async function sendRows(server: OtlpServer | undefined, rows: readonly SpanModel[]): Promise<void> {
  const { status, message } = await send(server as OtlpServer, toOtlpJson(rows), { org })
  expect([status, message]).toEqual([200, {}])
}

function stopOrStartMerges(verb: 'STOP' | 'START'): string {
  return `SYSTEM ${verb} MERGES \`${clickhouse.database}\`.spans`
}

const second = 1_000_000_000n
const starts = [0n, 15n * second, 3_600n * second, -2_000n * 86_400n * second]

it('that are stored by two servers at the same time count once when both have acknowledged them', async () => {
  for (let trace = 0; trace < 10; trace++) {
    const service = `race-${trace}`
    await Promise.all(starts.map((start, index) => sendRows(servers[index % 2], rowsOf(service, trace, [start]))))
    expect(await countSpans(service)).toBe(2)
  }
})

it('count once if one body contains all of their rows', async () => {
  await sendRows(servers[0], rowsOf('one-body', 100, starts))
  expect(await countSpans('one-body')).toBe(2)
})

it('count by the start that was stored first, even in windows with only another one', async () => {
  const [isMerging, isNotMerging] = [stopOrStartMerges('START'), stopOrStartMerges('STOP')]
  await clickhouse.command(isNotMerging)
  try {
    await sendRows(servers[0], rowsOf('moved', 102, [4n * second]))
    await sendRows(servers[1], rowsOf('moved', 102, [2n * second]))
    await sendRows(servers[0], rowsOf('moved', 102, [6n * second]))
    const counts = [2n, 4n, 6n].map((from) =>
      countSpans('moved', { org, window: { fromNs: startNs + from * second, toNs: startNs + (from + 1n) * second } }),
    )
    expect(await Promise.all(counts)).toEqual([0, 2, 0])
  } finally {
    await clickhouse.command(isMerging)
  }
})

it('count once in every organization that sends them', async () => {
  await send(servers[0] as OtlpServer, toOtlpJson(rowsOf('shared', 101, starts)), { org: 'other' })
  await sendRows(servers[1], rowsOf('shared', 101, [second * 25n]))
  expect(await countSpans('shared')).toBe(2)
})

it('are found in traces whose ids have the same second half', async () => {
  const traces = [2 ** 64, 2 ** 65]
  for (const start of [second, 61n * second])
    await sendRows(
      servers[0],
      traces.flatMap((trace) => rowsOf('halves', trace, [start])),
    )
  expect(await countSpans('halves')).toBe(4)
})

it('are found although more traces are sent at once than one check takes', async () => {
  const rows = Array.from({ length: 4_100 }, (_, trace) => rowsOf('many', 1_000 + trace, [0n])[0] as SpanModel)
  await sendRows(servers[0], rows)
  await sendRows(
    servers[1],
    rows.map((row) => ({ ...row, startNs: row.startNs + 60n * second })),
  )
  expect(await countSpans('many')).toBe(4_100)
})

it('the check of a trace reads a few granules, however many traces there are', async () => {
  await clickhouse.command(`
    INSERT INTO trace_intervals (org, trace_id, start)
    SELECT 'acme', toUInt128(cityHash64(number)) * 1000003, fromUnixTimestamp64Nano(toInt64(${startNs}), 'UTC')
    FROM numbers(500000)`)
  await clickhouse.command('OPTIMIZE TABLE trace_intervals FINAL')
  const traceIds = ['1', '2', BigInt(`0x${drawnTraceId(1)}`).toString()]
  const { rowsRead } = await read(renderInScope(repeatsOfTraces(traceIds, ['1', '161', '162']), always))
  expect(rowsRead).toBeLessThan(20_000)
})

it('the check of a few spans takes little memory, however many spans their trace has', async () => {
  const traceId = BigInt(`0x${drawnTraceId(200)}`).toString()
  await clickhouse.command(`
    INSERT INTO spans (org, service, trace_id, span_id, start)
    SELECT 'acme', 'long', toUInt128('${traceId}'), number,
      fromUnixTimestamp64Nano(toInt64(${startNs} + number * 1000000), 'UTC')
    FROM numbers(300000)`)
  await clickhouse.command(`
    INSERT INTO trace_intervals (org, trace_id, start)
    SELECT org, trace_id, start FROM spans WHERE service = 'long' AND span_id % 10000 = 0`)
  const query = repeatsOfTraces([traceId], ['5', '250000'])
  const { memoryBytes } = await read(renderInScope(query, always))
  expect(memoryBytes).toBeLessThan(30 * 2 ** 20)
})
