import { expect, it, onTestFinished, vi } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { type KnownSpans, SpanKnowledge } from '../../server/clickhouse/known-spans.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { freshDatabase, newDatabaseName, sourcesOfRun } from '../support/engine.ts'
import { queryLimits } from '../support/query-limits.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId } from '../support/trace-text.ts'

const hourMs = 3_600_000
const rankMax = 18_446_744_073_709_551_615n

/** Opens a client that is the only one of a new database, which is dropped at the end of the test. */
async function openExclusive(): Promise<ClickHouse> {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const [source] = sourcesOfRun({ isExclusive: true })
  if (source === undefined) throw new Error('The run has no engine.')
  const clickhouse = openClickHouse({ source, database: database.database, limits: queryLimits, logger: silentLogger })
  onTestFinished(() => clickhouse.close())
  return clickhouse
}

/** Asks until something is known. */
function knownOf(store: Pick<ClickHouse, 'known'>): Promise<KnownSpans> {
  return vi.waitFor(() => store.known ?? Promise.reject(new Error('Nothing is known yet.')), { timeout: 60_000 })
}

const microsNow = () => BigInt(Date.now()) * 1_000n

/** Inserts a span of an organization as no insert of a server does. */
const insertSpan = (clickhouse: ClickHouse, columns: Readonly<Record<string, string>>) =>
  clickhouse.command(
    `INSERT INTO spans (org, trace_id, span_id, start, ${Object.keys(columns)})
     SELECT 'acme', 1, 1, toDateTime64('2026-01-01 00:00:00', 9, 'UTC'), ${Object.values(columns)}`,
  )

it('nothing is known without a database of its own', async () => {
  const shared = await freshDatabase()
  onTestFinished(() => shared.close())
  expect(shared.known).toBeUndefined()
  await shared.read({ text: 'SELECT 1', params: {} }, { for: 'system', label: 'one' })
  expect(shared.known).toBeUndefined()
})

it('an empty store reflects now, has no spans without entries, and no repeated spans', async () => {
  const clickhouse = await openExclusive()
  const before = microsNow()
  const known = await knownOf(clickhouse)
  expect(known.storedByMicros).toBeGreaterThanOrEqual(before)
  expect(known.storedByMicros).toBeLessThanOrEqual(microsNow())
  expect([known.areIndexed, known.mayRepeat('acme')]).toEqual([true, false])
})

it('a statement changes what is known: spans without entries, and stored by a clock that was ahead', async () => {
  const clickhouse = await openExclusive()
  await knownOf(clickhouse)
  await insertSpan(clickhouse, { is_indexed: '1' })
  expect((await knownOf(clickhouse)).areIndexed).toBe(true)
  await insertSpan(clickhouse, { is_indexed: '0' })
  expect(clickhouse.known).toBeUndefined()
  expect((await knownOf(clickhouse)).areIndexed).toBe(false)
  const ahead = microsNow() + BigInt(hourMs) * 1_000n
  await insertSpan(clickhouse, { stored_rank: String(rankMax - ahead) })
  expect((await knownOf(clickhouse)).storedByMicros).toBe(ahead)
})

it('repeated spans of an organization are known from then on, and found in the store', async () => {
  const row = (org: string) => Buffer.concat([Buffer.from([org.length]), Buffer.from(org), Buffer.alloc(32)])
  const clickhouse = await openExclusive()
  await knownOf(clickhouse)
  const columns = ['org', 'trace_id', 'span_id', 'start']
  await clickhouse.insert('repeated_spans', columns, row('here'), { org: 'here', dedupToken: 'a', rows: 1 })
  const repeating = async () => {
    const { mayRepeat } = await knownOf(clickhouse)
    return ['here', 'by-another', 'nowhere'].map(mayRepeat)
  }
  expect(await repeating()).toEqual([true, false, false])
  await clickhouse.command(`INSERT INTO repeated_spans (${columns}) VALUES ('by-another', 1, 1, 0)`)
  expect(await repeating()).toEqual([true, true, false])
})

it('what is stored stays visible when the clock is set back, even during its insert', async () => {
  const storedMs = Date.now()
  let nowMs = storedMs
  const stored = { newest_micros: '0', has_unindexed: 0, repeating: [] }
  const knowledge = new SpanKnowledge(
    async () => stored,
    () => nowMs,
  )
  await knownOf(knowledge)
  const setBack = async () => {
    nowMs = storedMs - hourMs
  }
  await knowledge.store('spans', 'acme', setBack)
  expect(knowledge.known?.storedByMicros).toBeGreaterThanOrEqual(BigInt(storedMs) * 1_000n)
  nowMs = storedMs + hourMs
  expect(knowledge.known?.storedByMicros).toBe(BigInt(storedMs + hourMs) * 1_000n)
})

it('what is stored at any microsecond of a millisecond is visible within it', async () => {
  let nowMs = Date.now()
  const knowledge = new SpanKnowledge(
    async () => ({ newest_micros: '0', has_unindexed: 0, repeating: [] }),
    () => nowMs,
  )
  await knownOf(knowledge)
  await knowledge.store('spans', 'acme', async () => {
    nowMs += hourMs
  })
  expect(knowledge.known?.storedByMicros).toBe(BigInt(nowMs) * 1_000n + 999n)
})

it('what was read before a statement ended is not kept, and a failed read is tried again', async () => {
  const answers: ((row: object | Error) => void)[] = []
  const knowledge = new SpanKnowledge(
    () =>
      new Promise((resolve, reject) => {
        answers.push((row) => (row instanceof Error ? reject(row) : resolve(row as never)))
      }),
  )
  const answer = async (row: object | Error) => {
    expect(knowledge.known).toBeUndefined()
    answers.shift()?.(row)
    await new Promise(setImmediate)
  }
  const empty = { newest_micros: '0', has_unindexed: 0, repeating: [] }
  await answer(new Error('The store is restarting.'))
  expect(knowledge.known).toBeUndefined()
  knowledge.forget()
  await answer({ ...empty, repeating: ['acme'] })
  await answer(empty)
  expect(knowledge.known?.mayRepeat('acme')).toBe(false)
})

it.each([
  ['exclusive', true],
  ['shared', false],
])('with %s access, searches and counts find what was sent, sent again, and sent late', async (_, isExclusive) => {
  const app: TestApp = await startApp(isExclusive ? {} : { env: { CLICKHOUSE_DATABASE: newDatabaseName() } })
  onTestFinished(() => app.close())
  const client = await app.client()
  const body = {
    from: '2025-12-31T23:00:00Z',
    to: '2026-01-01T01:00:00Z',
    rows: [{ attribute_key: 'customer', operator: 'eq', value: 'a' } as const],
  }
  const found = async () => {
    const page = (await client.POST('/api/v1/messages/search', { body })).data
    const counts = (await client.POST('/api/v1/messages/count', { body })).data
    return [page?.messages.map(({ span_count }) => span_count), counts?.matched_step_count]
  }
  const span = (id: number, seconds: number) =>
    makeSpan({
      traceId: drawnTraceId(1),
      spanId: `00000000000000a${id}`,
      startNs: drawnStartNs + BigInt(seconds) * 1_000_000_000n,
      attributes: [['customer', { stringValue: 'a' }]],
    })
  expect(await found()).toEqual([[], 0])
  if (isExclusive) await knownOf(app.app.clickhouse)
  await app.sendSpans(toOtlpJson([span(1, 0)]))
  expect(await found()).toEqual([[1], 1])
  await app.sendSpans(toOtlpJson([span(2, -600)]))
  expect(await found()).toEqual([[2], 2])
  await app.sendSpans(toOtlpJson([span(1, 30)]))
  expect(await found()).toEqual([[2], 2])
})
