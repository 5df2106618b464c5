import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const org = 'long-durations'
const latestNs = 2n ** 64n - 1n
/** The ends of messages that start at one time, in ascending order of their durations. */
const ends = [drawnStartNs, drawnStartNs + 5n, 2n ** 63n - 1n, 2n ** 63n, drawnStartNs + 2n ** 63n, latestNs]
const durations = ends.map((end) => end - drawnStartNs)

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  const spans = ends.map((end, index) => ({
    traceId: `${index + 1}`.padStart(32, '0'),
    spanId: '1'.padStart(16, '0'),
    name: 'pay',
    startTimeUnixNano: String(drawnStartNs),
    endTimeUnixNano: String(end),
  }))
  // A short span does not hide that another one of its message is long.
  const short = { ...spans.at(-1), spanId: '2'.padStart(16, '0'), endTimeUnixNano: String(drawnStartNs + 1n) }
  await app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans: [...spans, short] }] }] }, { org, role: 'ingest' })
})
afterAll(() => app.close())

async function ask<Answer>(path: string, filter: object): Promise<Answer> {
  const window = { from: '2025-12-31T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  return app.ask<Answer>(`/api/v1/messages/${path}`, { json: { ...window, ...filter }, whom: { org } })
}

interface Page {
  readonly messages: readonly { readonly duration_ns: string }[]
  readonly next_cursor: string | null
}

it('messages that end up to the largest time of OTLP are ordered by duration, in pages', async () => {
  for (const order of ['shortest', 'longest']) {
    const found: string[] = []
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page: Page = await ask<Page>('search', { order, limit: 1, cursor })
      found.push(...page.messages.map(({ duration_ns }) => duration_ns))
      cursor = page.next_cursor
    }
    const ascending = durations.map(String)
    expect(found).toEqual(order === 'shortest' ? ascending : ascending.toReversed())
  }
})

it.each([
  ['lt', '0', 0],
  ['gte', '0', 6],
  ['gt', '0.000005', 4],
  ['gt', '9223372036854.775807', 2],
  ['lte', '18446744073709.551615', 6],
  ['gt', '18446744073709.551615', 0],
])('%s %s milliseconds finds %i messages, whose spans it finds, too', async (operator, value, count) => {
  const row = { attribute_key: 'duration_ms', operator, value }
  for (const attribute_source of ['message', 'intrinsic'])
    expect(await ask('count', { rows: [{ ...row, attribute_source }] }), attribute_source).toMatchObject({
      // The last message has a short span as well, but counts once.
      message_count: count,
    })
})

it('a histogram and a breakdown have such durations', async () => {
  const longestMs = Number(durations.at(-1)) / 1e6
  const { buckets } = await ask<{
    buckets: { duration_ms: { max: number } | null; bands: { message_count: number }[] }[]
  }>('histogram', { step_s: 86_400, heatmap: true })
  expect(buckets.find(({ duration_ms }) => duration_ms !== null)?.duration_ms?.max).toBeCloseTo(longestMs, -3)
  expect(buckets.flatMap(({ bands }) => bands).reduce((sum, band) => sum + band.message_count, 0)).toBe(6)
  const group_by = [{ attribute_source: 'message', attribute_key: 'duration_ms' }]
  const { groups } = await ask<{ groups: { values: string[] }[] }>('breakdown', { group_by })
  expect(groups.map(({ values }) => values[0])).toContain(String(durations.at(-1)).replace(/\d{6}$/, '.$&'))
})

it('the longest duration that can be stored is in the highest band of a heatmap', async () => {
  const span = { traceId: 'f'.repeat(32), spanId: '1'.padStart(16, '0'), name: 'boot' }
  const times = { startTimeUnixNano: '1', endTimeUnixNano: String(latestNs) }
  await app.sendSpans(
    { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...times }] }] }] },
    { org, role: 'ingest' },
  )
  const window = { from: '1970-01-01T00:00:00Z', to: '1970-01-01T00:00:01Z' }
  const { buckets } = await ask<{ buckets: { bands: object[] }[] }>('histogram', { ...window, heatmap: true })
  expect(buckets.flatMap(({ bands }) => bands)).toEqual([{ from_ms: 2 ** 44, to_ms: 2 ** 45, message_count: 1 }])
})
