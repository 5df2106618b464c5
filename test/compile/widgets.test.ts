import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  renderInScope,
  type Scope,
  type WidgetQuery,
  type WidgetRow,
  type WidgetTime,
  widgetData,
} from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawTraces } from '../support/trace-text.ts'
import { expectGolden } from './golden.ts'

const second = 1_000_000_000n
const scope: Scope = { org: 'acme', window: { fromNs: drawnStartNs, toNs: drawnStartNs + 15n * second } }

const SHOP = drawTraces(
  `
  shop:buy  io.kind=http io.role=input http.route=/buy  http.status_code=int:200  ~4ms
    shop:pay  !declined  rpc.system=grpc http.status_code=int:502  ~9ms
  ---
  shop:buy  t+10s  io.kind=http io.role=input http.route=/buy  ~2ms
  ---
  shop:see  io.kind=http io.role=input url.path=/see  http.response.status_code=int:404
  ---
  shop:odd  io.kind=odd rpc.system=grpc
  other:buy  io.kind=http io.role=input
  `,
  { org: scope.org },
)

const any = (key: string) => ({ source: 'any', key }) as const
const route = { attributes: [any('http.route'), any('url.path')], reading: 'text' } as const
const statusClass = {
  attributes: [any('http.status_code'), any('http.response.status_code')],
  reading: 'status_class',
} as const

const requests: WidgetQuery = {
  service: 'shop',
  spans: { kind: 'pair', pair: { kind: 'http', role: 'input' } },
  rules: [
    {
      condition: { attribute: { source: 'span', key: 'rpc.system' }, test: { kind: 'exists' }, negated: false },
      pair: { kind: 'http', role: 'input' },
    },
  ],
  measures: ['count', 'error_rate', 'p95'],
  groupings: [],
  groupsMax: 1,
}

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
  await app.sendSpans(toOtlpJson(SHOP), { org: scope.org, role: 'ingest' })
})
afterAll(() => app.close())

/** Compares text and parameters with the golden file, and returns the rows of the real engine. */
async function check(golden: string, query: WidgetQuery, time: WidgetTime = { window: scope.window }) {
  const rendered = renderInScope(widgetData(query, time), scope)
  await expectGolden(golden, rendered)
  return (await app.app.clickhouse.read<object>(rendered, { for: 'system', label: 'test' })).rows
}

it('a widget without buckets and groups is one row over the spans of its pair, carried or derived', async () => {
  const row = { group_rank: '1', names: [], step_ns: '0', numbers: [4, 0.25, 9] }
  expect(await check('widget of a pair', requests)).toEqual([row])
})

it('a rate is per second of the part of a bucket inside the window', async () => {
  const query: WidgetQuery = { ...requests, spans: { kind: 'all' }, measures: ['rate'] }
  const at = (offset: bigint, rate: number) => ({
    group_rank: '1',
    names: [],
    step_ns: String(drawnStartNs + offset),
    numbers: [rate],
  })
  const rows = await check('widget in steps', query, { window: scope.window, bucketNs: 10n * second })
  expect(rows).toEqual([at(0n, 0.4), at(10n * second, 0.2)])
})

it('groups are named by the first attribute that spans carry, ranked by spans, and the rest are combined', async () => {
  const row = (group_rank: string, names: (string | null)[], count: number) => ({
    group_rank,
    names,
    step_ns: '0',
    numbers: [count],
  })
  const query: WidgetQuery = { ...requests, measures: ['count'], groupings: [route, statusClass], groupsMax: 2 }
  const rows = await check('widget in groups', query)
  expect(rows).toEqual([row('1', [null, '5xx'], 1), row('2', ['/buy', null], 1), row('3', [], 2)])
})

it('groups say which attributes their names were read from, and whether a rule decided the pair', async () => {
  const query: WidgetQuery = { ...requests, measures: ['count'], groupings: [route], groupsMax: 3, withReads: true }
  const rows = (await check('widget with reads', query)) as WidgetRow[]
  expect(rows.map(({ names, reads }) => [names, reads])).toEqual([
    [['/buy'], [[1, 0]]],
    [[null], [[0, 1]]],
    [['/see'], [[2, 0]]],
  ])
})

it('a widget of background work selects the spans of the kind internal', async () => {
  const query: WidgetQuery = { ...requests, spans: { kind: 'internal' }, measures: ['p50'] }
  expect(await check('widget of background work', query)).toEqual([
    { group_rank: '1', names: [], step_ns: '0', numbers: [2] },
  ])
})

it('a widget without spans has no rows', async () => {
  for (const groupings of [[], [route]]) {
    const query = widgetData({ ...requests, service: 'nobody', groupings }, { window: scope.window })
    expect((await app.app.clickhouse.read(renderInScope(query, scope), { for: 'system', label: 'test' })).rows).toEqual(
      [],
    )
  }
})
