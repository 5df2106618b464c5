/** When a server with default settings asks the value index: where that is cheaper than reading the window. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse, ReadOptions } from '../../server/clickhouse/client.ts'
import { allTime } from '../../server/telemetry/time-window.ts'
import { isWorthwhile } from '../../server/telemetry/value-index/record-density.ts'
import { createValueIndex } from '../../server/telemetry/value-index/value-index.ts'
import type { Query } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { count, find, hex, labelsOf, store } from '../support/customer-steps.ts'
import { newDatabaseName } from '../support/engine.ts'

let usual: TestApp
/** Uses the same database. It neither stores entries nor asks for them. */
let plain: TestApp
beforeAll(async () => {
  const database = { CLICKHOUSE_DATABASE: newDatabaseName() }
  usual = await startApp({ env: database })
  plain = await startApp({ env: { ...database, VALUE_INDEX: 'off' } })
})
afterAll(async () => {
  await plain.close()
  await usual.close()
})

it('stores entries and asks for them by default', async () => {
  await store(usual, 'by-default', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  const labels = await labelsOf(usual, async () => expect(await find(usual, 'by-default', 'nobody')).toEqual([]))
  expect(labels).toEqual(['value index', 'usage', 'value index'])
})

it('does not ask again for a value of all spans if these are in a small part of the window', async () => {
  const spans = Array.from({ length: 9_000 }, (_, index) => 0x1000 + index)
  await store(
    usual,
    'brief',
    spans.map((span) => ({ trace: 1, span, customer: 'a', atSeconds: 1 })),
  )
  const lookups = async () => {
    const labels = await labelsOf(usual, async () => expect(await find(usual, 'brief', 'a')).toHaveLength(1))
    return labels.filter((label) => label === 'value index')
  }
  expect(await lookups()).toHaveLength(1)
  expect(await lookups()).toEqual([])
})

it.each([
  ['most', 0, 1],
  ['little', -3_500, 2],
])(
  'where %s of a window is older than the index, counts ask it as often as that pays',
  async (name, atSeconds, lookups) => {
    const org = `older-${name}`
    await store(plain, org, [{ trace: 1, span: 1, customer: 'a', atSeconds }])
    await store(usual, org, [{ trace: 2, span: 2, customer: 'b', atSeconds: 1 }])
    const labels = await labelsOf(usual, async () => {
      for (const _ of [1, 2]) expect(await count(usual, org, 'nobody')).toBe(0)
    })
    expect(labels.filter((label) => label === 'value index')).toHaveLength(lookups)
    for (const customer of ['a', 'b']) expect(await find(usual, org, customer)).toHaveLength(1)
  },
)

it.each([
  ['a third of the granules, for a value in few traces of each bucket', 50, 60, true],
  ['most granules', 80, 90, false],
  ['a third of the granules, for a value in most slots of its buckets', 50, 700, false],
  ['a tenth of the granules, for a value in most slots of its buckets', 15, 240, true],
])('decides whether to read %s: %i buckets and %i slots of an hour of 150 granules', (_, buckets, slots, isUsed) => {
  const window = { fromNs: 0n, toNs: 3_600_000_000_000n }
  expect(isWorthwhile(buckets, slots, { window, granuleNs: 24_000_000_000n, recordCount: 1_228_800 })).toBe(isUsed)
})

it('asks where a trace is in a large store, until it knows that the store is older than the index', async () => {
  await store(usual, 'large', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  const values = createValueIndex({ now: () => new Date(), retentionDays: undefined, mode: 'auto' })
  const readBounds = async (spanCount: number, org: string) => {
    const labels: string[] = []
    const { clickhouse: original } = usual.app
    const clickhouse: ClickHouse = {
      ...original,
      read: async <Row>(query: Query, options: ReadOptions) => {
        labels.push(options.label)
        const result = await original.read<Row>(query, options)
        return options.label === 'usage' ? { ...result, rows: [{ rows: String(spanCount) }] as Row[] } : result
      },
    }
    const telemetry = { clickhouse, scope: { org, window: allTime }, signal: AbortSignal.timeout(60_000) }
    const { places } = await values.boundsOf(
      { ...telemetry, isBackground: false },
      BigInt(`0x${hex(1, 32)}`).toString(),
    )
    return { labels, isRange: places?.range !== undefined }
  }
  expect(await readBounds(10_000_000, 'small')).toEqual({ labels: ['usage'], isRange: false })
  expect(await readBounds(10_000_001, 'large')).toEqual({ labels: ['usage', 'value index'], isRange: true })
  expect(await readBounds(0, 'large')).toEqual({ labels: ['value index'], isRange: true })
  await store(plain, 'large', [{ trace: 2, span: 2, customer: 'b', atSeconds: 60 }])
  expect((await readBounds(0, 'large')).labels).toEqual(['value index'])
  expect(await readBounds(0, 'large')).toEqual({ labels: [], isRange: false })
})
