import { decodeTime } from 'ulid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRecordIds } from '../../server/metadata/record-ids.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawTraces } from '../support/trace-text.ts'

const startMs = Date.parse('2026-09-21T12:00:00Z')
const hourMs = 3_600_000

let clockMs = startMs
let app: TestApp
beforeAll(async () => {
  app = await startApp({ overrides: { now: () => new Date(clockMs) } })
})
afterAll(() => app.close())

function idsAt(...times: readonly number[]): string[] {
  let nowMs = 0
  const next = createRecordIds(() => new Date(nowMs))
  return times.map((time) => {
    nowMs = time
    return next()
  })
}

it('ids sort in the order of their creation while the clock is set back by up to a second', () => {
  const ids = idsAt(startMs, startMs, startMs + 5, startMs - 995, startMs - 995, startMs + 6)
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
})

it('ids contain the time of their creation after a clock that was ahead was set back', () => {
  const times = [startMs + hourMs, startMs, startMs, startMs + 1, startMs + hourMs, startMs + hourMs + 1]
  const ids = idsAt(...times)
  expect(ids.map((id) => decodeTime(id))).toEqual(times)
  expect(new Set(ids).size).toBe(ids.length)
})

it('the audit log has the right time of changes after a clock that was ahead was set back', async () => {
  const whom = { role: 'admin', secondsToLive: 100 * hourMs } as const
  const create = (name: string) => app.ask('/api/v1/saved-views', { json: { name, rows: [] }, whom })
  clockMs = startMs + hourMs
  await create('ahead')
  clockMs = startMs
  await create('set back')
  const { items } = await app.ask<{ items: { at: string; record: { name: string } }[] }>('/api/v1/audit-log', { whom })
  expect(Object.fromEntries(items.map(({ at, record }) => [record.name, Date.parse(at)]))).toEqual({
    ahead: startMs + hourMs,
    'set back': startMs,
  })
})

it('a list of classification rules continues behind a deleted one after the clock was set back', async () => {
  const whom = { role: 'admin', secondsToLive: 100 * hourMs } as const
  clockMs = startMs + hourMs
  await app.sendSpans(
    toOtlpJson(drawTraces('shop:order', { org: app.org, startNs: BigInt(clockMs - 1) * 1_000_000n })),
    whom,
  )
  const path = '/api/v1/services/shop/facet-mappings'
  const pair = { set_io_kind: 'http', set_io_role: 'input' }
  const create = (attribute_key: string) =>
    app.ask(path, { json: { attribute_source: 'span', attribute_key, match_operator: 'exists', ...pair }, whom })
  const read = (query: string) =>
    app.ask<{ items: { id: string; attribute_key: string }[]; next_cursor: string }>(
      `${path}?from=${new Date(startMs).toISOString()}&to=${new Date(startMs + 2 * hourMs).toISOString()}&${query}`,
      { whom },
    )
  await create('a')
  await create('b')
  clockMs = startMs
  await create('c')
  const { items, next_cursor } = await read('limit=2')
  await create('d')
  await app.ask(`${path}/${items[1]?.id}`, { method: 'DELETE', whom })
  const next = await read(`limit=2&cursor=${next_cursor}`)
  expect([items, next.items].map((page) => page.map((rule) => rule.attribute_key))).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})
