/** Completion of keys and values from the newest part of a window with many spans. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nsOfRfc3339, rfc3339OfNs } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { insertSelected } from '../support/engine.ts'
import { drawnStartNs } from '../support/trace-text.ts'

interface KeyPage {
  readonly items: readonly { readonly key: string; readonly span_count: number }[]
  readonly from: string
}

const nsPerSecond = 1_000_000_000n
const spanCount = 1_200_000
const spanLimit = 60_000
const timeAt = (seconds: number) => rfc3339OfNs(drawnStartNs + BigInt(seconds) * nsPerSecond)
const windowOf = (fromSeconds: number, toSeconds: number) =>
  `from=${encodeURIComponent(timeAt(fromSeconds))}&to=${encodeURIComponent(timeAt(toSeconds))}`
const wholeWindow = windowOf(0, 3_600)

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  const store = (org: string, count: number, startNs: string, attributes: string) =>
    insertSelected(
      app.app.clickhouse,
      'spans (org, trace_id, span_id, start, duration_ns, attributes)',
      `SELECT '${org}', 1 + number, 1,
         fromUnixTimestamp64Nano(toInt64(${drawnStartNs} + ${startNs}), 'UTC'), 1, ${attributes}
       FROM numbers(${count})`,
    )
  // One span every 3 ms. Those of the first half carry another key than those of the second.
  await store('even', spanCount, 'number * 3000000', `if(number < ${spanCount / 2}, '{"old":"sa"}', '{"new":"sb"}')`)
  await store('early', 200_000, 'number * 1000', `'{"early":"sa"}'`)
  await store('burst', 200_000, '1000000000 + number * 1000', `'{"burst":"sa"}'`)
  await store('burst', 3, '100000000000 + number', `'{"late":"sa"}'`)
})
afterAll(() => app.close())

function keysOf(org: string, query: string, path = '/api/v1/attributes?'): Promise<KeyPage> {
  return app.ask(`${path}${query}`, { whom: { org, role: 'viewer' } })
}

it('reads all spans of a window without a limit, or with one that they do not exceed', async () => {
  const whole = await keysOf('even', wholeWindow)
  expect(whole.items.map(({ key, span_count }) => [key, span_count])).toEqual([
    ['new', spanCount / 2],
    ['old', spanCount / 2],
  ])
  expect(whole.from).toBe(timeAt(0))
  expect(await keysOf('even', `${wholeWindow}&span_limit=2000000`)).toEqual(whole)
})

it('reads the newest part of a larger window, and says where it begins', async () => {
  const part = await keysOf('even', `${wholeWindow}&span_limit=${spanLimit}`)
  const [only] = part.items
  expect(part.items.map(({ key }) => key)).toEqual(['new'])
  expect(only?.span_count).toBeGreaterThanOrEqual(spanLimit / 2)
  expect(only?.span_count).toBeLessThanOrEqual(spanLimit)
  const sameWindow = `from=${encodeURIComponent(part.from)}&to=${encodeURIComponent(timeAt(3_600))}`
  expect(await keysOf('even', sameWindow)).toEqual(part)
  const values = '/api/v1/attributes/values?key=new&'
  expect(await keysOf('even', `${wholeWindow}&span_limit=${spanLimit}`, values)).toMatchObject({
    items: [{ value: 'b', type: 'string', span_count: only?.span_count }],
    from: part.from,
  })
})

it('finds the spans of a window whose end is empty', async () => {
  const page = await keysOf('early', `${windowOf(-3_600, 360_000)}&span_limit=10000`)
  expect(page.items).toEqual([{ key: 'early', source: 'span', types: ['string'], span_count: 200_000 }])
})

it('reads a bucket with more spans than the limit, rather than next to none', async () => {
  const { items, from } = await keysOf('burst', `${wholeWindow}&span_limit=10000`)
  expect(items.map(({ key }) => key)).toEqual(['burst', 'late'])
  expect(nsOfRfc3339(from)).toBeLessThanOrEqual(drawnStartNs + nsPerSecond)
})

it('reads the whole window of a caller who may not see all of its spans', async () => {
  const path = `/api/v1/attributes?${wholeWindow}&span_limit=${spanLimit}`
  const page = await app.ask(path, { whom: { org: 'even', role: 'restricted' } })
  expect(page).toEqual({ items: [], next_cursor: null, from: timeAt(0) })
})

it('completes tags for Grafana from the newest part', async () => {
  const start = drawnStartNs / nsPerSecond
  const tags = (end: bigint) => app.ask(`/tempo/api/search/tags?start=${start}&end=${end}`, { whom: { org: 'even' } })
  expect(await tags(start + 3_600n)).toMatchObject({ tagNames: ['new'] })
  expect(await tags(start + 1_800n)).toMatchObject({ tagNames: ['old'] })
})

it('refuses a limit below that of a few granules', async () => {
  const response = await app.send('/api/v1/attributes?span_limit=10')
  expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ pointer: '#/query/span_limit' }] }])
})
