import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawTraces } from '../support/trace-text.ts'

type MessagePage = components['schemas']['MessagePage']

const window = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }
const messageCount = 20

let app: TestApp
/** Contains messages that were stored while the clock of ClickHouse was an hour ahead. */
const org = crypto.randomUUID()

beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
  const text = Array.from({ length: messageCount }, (_, index) => `shop:step_${index}`).join('\n---\n')
  await app.sendSpans(toOtlpJson(drawTraces(text)), { role: 'ingest' })
  await app.app.clickhouse.command(
    `INSERT INTO spans (*) SELECT * REPLACE ('${org}' AS org, stored_rank - 3600000000 AS stored_rank)
     FROM (SELECT * FROM spans WHERE org = '${app.org}')`,
  )
})
afterAll(() => app.close())

it.each([
  ['in pages', 3],
  ['in one page', 100],
])('a clock that was ahead hides no span: search finds %s what count counts', async (_, limit) => {
  const client = await app.client({ org })
  const counted = await client.POST('/api/v1/messages/count', { body: window })
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: MessagePage | undefined = (
      await client.POST('/api/v1/messages/search', { body: { ...window, limit, cursor } })
    ).data
    found.push(...(page?.messages ?? []).map(({ trace_id }) => trace_id))
    cursor = page?.next_cursor ?? null
  } while (cursor !== null)
  expect([counted.data?.message_count, found.length, new Set(found).size]).toEqual(Array(3).fill(messageCount))
})

it('looking for spans that were stored later than now reads no row if there are none', async () => {
  const later = 'stored_rank < toUInt64(18446744073709551615 - toUInt64(toUnixTimestamp64Micro(now64(6))))'
  const text = `SELECT count() AS spans FROM spans FINAL WHERE org = '${app.org}' AND ${later}`
  const { rows, rowsRead } = await app.app.clickhouse.read(
    { text, params: {} },
    { for: 'system', label: 'spans stored later' },
  )
  expect([rows, rowsRead]).toEqual([[{ spans: '0' }], 0])
})
