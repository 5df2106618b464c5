/** What is known of the coverage of the value index may change while a lookup runs. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { ask, hex, store } from '../support/customer-steps.ts'
import { closeIndexStates, openIndexStates } from '../support/index-states.ts'
import { drawnStartNs } from '../support/trace-text.ts'

let app: TestApp
let plain: TestApp
let aheadMs = 0
beforeAll(async () => {
  const now = () => new Date(Date.now() + aheadMs)
  ;({ indexing: app, plain } = await openIndexStates((env) => startApp({ env, overrides: { now } })))
})
afterAll(() => closeIndexStates({ indexing: app, plain }))

let restore = () => {}
afterEach(() => restore())

/** Calls `meanwhile` after ClickHouse has answered a lookup, and before the server gets the answer. */
function afterLookups(meanwhile: () => void | Promise<void>): void {
  const { clickhouse } = app.app
  const { read } = clickhouse
  clickhouse.read = async <Row>(...[query, options]: Parameters<typeof read>) => {
    const result = await read.call<typeof clickhouse, Parameters<typeof read>, ReturnType<typeof read<Row>>>(
      clickhouse,
      query,
      options,
    )
    if (options.label === 'value index') await meanwhile()
    return result
  }
  restore = () => {
    clickhouse.read = read
  }
}

const at = (trace: number, atSeconds: number) => ({ trace, span: trace, customer: 'a', atSeconds })
const longerThanKnownMs = 600_001

async function tracesOf(by: TestApp, org: string, besides: object = {}): Promise<string[]> {
  const { messages } = await ask<{ messages: { trace_id: string }[] }>(by, 'search', { org, customer: 'a', besides })
  return messages.map(({ trace_id }) => trace_id)
}

it('a search finds spans without entries although what was known of them is forgotten during its lookup', async () => {
  await store(plain, 'forgotten', [at(1, 0)])
  await store(app, 'forgotten', [at(2, 100)])
  expect(await tracesOf(app, 'forgotten')).toEqual([2, 1].map((trace) => hex(trace, 32)))
  afterLookups(() => {
    aheadMs += longerThanKnownMs
  })
  expect(await tracesOf(app, 'forgotten')).toEqual([2, 1].map((trace) => hex(trace, 32)))
})

it('a message has its spans without entries although what was known of them is forgotten meanwhile', async () => {
  await store(plain, 'detail', [at(1, 0)])
  await store(app, 'detail', [{ ...at(1, 100), span: 2 }])
  const spanCount = async () => {
    const path = `/api/v1/messages/${hex(1, 32)}?from=2025-12-31T23:00:00Z&to=2026-01-01T01:00:00Z`
    return (await app.ask<{ spans: object[] }>(path, { whom: { org: 'detail', role: 'viewer' } })).spans.length
  }
  expect(await spanCount()).toBe(2)
  afterLookups(() => {
    aheadMs += longerThanKnownMs
  })
  expect(await spanCount()).toBe(2)
})

it('a search of a shorter window that began earlier hides nothing from one of a longer window', async () => {
  await store(plain, 'shorter', [at(1, 0)])
  await store(plain, 'shorter', [at(2, 100)])
  await store(app, 'shorter', [at(3, 200)])
  const held: (() => void)[] = []
  afterLookups(() => new Promise<void>((resolve) => void held.push(resolve)))
  const answered = (count: number) => expect.poll(() => held.length).toBe(count)
  const to = new Date(Number((drawnStartNs + 50_000_000_000n) / 1_000_000n)).toISOString()
  const shorter = tracesOf(app, 'shorter', { to })
  await answered(1)
  const first = tracesOf(app, 'shorter')
  await answered(2)
  held[1]?.()
  expect(await first).toHaveLength(3)
  const second = tracesOf(app, 'shorter')
  await answered(3)
  held[0]?.()
  expect(await shorter).toEqual([hex(1, 32)])
  held[2]?.()
  expect(await second).toEqual([3, 2, 1].map((trace) => hex(trace, 32)))
})
