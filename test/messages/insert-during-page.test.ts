/**
 * Rows of an insert that runs while a page is read: they are stored earlier than the time that the page reflects, and
 * visible only after it was read.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { insertSelected } from '../support/engine.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnTraceId, drawTraces } from '../support/trace-text.ts'

type MessagePage = components['schemas']['MessagePage']

const window = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }
const earlier = Array.from({ length: 12 }, (_, index) => drawnTraceId(index + 1))
/** Messages that get another span meanwhile: one on the first page of every order, and one behind it. */
const extended = [drawnTraceId(2), drawnTraceId(6), drawnTraceId(11)]

const arriving = [drawnTraceId(103), drawnTraceId(109)]

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

async function store(org: string): Promise<void> {
  const text = earlier.map((_, index) => `shop:step_${index} ~${index + 1}ms`).join('\n---\n')
  await app.sendSpans(toOtlpJson(drawTraces(text)), { org, role: 'ingest' })
}

/** Makes rows visible that were stored before those of `store`. */
async function endInsert(org: string): Promise<void> {
  const ids = [...extended, ...arriving]
  await insertSelected(
    app.app.clickhouse,
    'spans (org, trace_id, span_id, start, duration_ns, service, name, stored_rank)',
    `SELECT '${org}', reinterpretAsUInt128(reverse(unhex(arrayJoin(${JSON.stringify(ids).replaceAll('"', "'")})))), 77,
       toDateTime64('2026-01-01 00:00:00.000000000', 9, 'UTC'), 20000000000, 'late', 'late',
       (SELECT max(stored_rank) + 1000000 FROM spans WHERE org = '${org}')`,
  )
}

it.each(['newest', 'oldest', 'longest', 'shortest', 'most_steps'] as const)(
  'pages of %s have each message once that gets no span meanwhile',
  async (order) => {
    const org = `insert-${order}`
    await store(org)
    const client = await app.client({ org })
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: MessagePage | undefined = (
        await client.POST('/api/v1/messages/search', { body: { ...window, order, limit: 3, cursor } })
      ).data
      if (cursor === null) await endInsert(org)
      found.push(...(page?.messages ?? []).map(({ trace_id }) => trace_id))
      cursor = page?.next_cursor ?? null
    } while (cursor !== null)
    const unchanged = (ids: readonly string[]) => ids.filter((id) => earlier.includes(id) && !extended.includes(id))
    expect(unchanged(found).sort()).toEqual(unchanged(earlier))
    const arrived = found.filter((id) => !earlier.includes(id))
    expect(new Set(arrived).size).toBe(arrived.length)
    const counted = await client.POST('/api/v1/messages/count', { body: window })
    expect(counted.data?.message_count).toBe(earlier.length + arriving.length)
  },
)
