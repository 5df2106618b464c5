/** Where a lookup in the value index would exceed a limit, searches go without it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readInScope } from '../../server/telemetry/scope.ts'
import { allTime } from '../../server/telemetry/time-window.ts'
import { placesMax } from '../../server/telemetry/value-index/claim-places.ts'
import { readPlacesOfTraces } from '../../server/telemetry/value-index/places-of-traces.ts'
import { type FoundPlacesRow, findPlaces, traceHash } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { ask, hex, store } from '../support/customer-steps.ts'
import { insertSelected, visitOwnTables } from '../support/engine.ts'
import { closeIndexStates, openIndexStates } from '../support/index-states.ts'
import { drawnStartNs } from '../support/trace-text.ts'

interface Page {
  readonly messages: readonly object[]
}

let app: TestApp
let plain: TestApp
beforeAll(async () => {
  const open = (env: object) => startApp({ env: { QUERY_ROWS_MAX: '300000', ...env } })
  ;({ indexing: app, plain } = await openIndexStates(open))
})
afterAll(() => closeIndexStates({ indexing: app, plain }))

it('a store of an earlier version with more spans without entries than a query may read', async () => {
  const { clickhouse } = app.app
  await insertSelected(
    clickhouse,
    'spans (org, trace_id, span_id, start, duration_ns, attributes)',
    `SELECT 'rows', 1 + number, 1,
       fromUnixTimestamp64Nano(toInt64(${drawnStartNs + 3_599_999_000_000n} - number * 7100000), 'UTC'), 1,
       '{"customer":"sa"}'
     FROM numbers(1000000)`,
  )
  await visitOwnTables(clickhouse, (node) => node.command('OPTIMIZE TABLE spans FINAL'))
  const query = { org: 'rows', customer: 'a', besides: { limit: 10 } }
  const expected = await ask<Page>(plain, 'search', query)
  expect(expected.messages).toHaveLength(10)
  expect((await ask<Page>(app, 'search', query)).messages).toEqual(expected.messages)
  const path = `/api/v1/messages/${'1'.padStart(32, '0')}?from=2025-12-31T23:00:00Z&to=2026-01-01T01:00:00Z`
  expect((await app.send(path, { whom: { org: 'rows', role: 'viewer' } })).status).toBe(200)
})

it('traces with a span in every ten seconds of a day', async () => {
  const { clickhouse } = app.app
  const traces = [1, 2, 3]
  await store(
    app,
    'long',
    traces.map((trace) => ({ trace, span: 255, customer: 'a', atSeconds: trace })),
  )
  const startSeconds = drawnStartNs / 1_000_000_000n
  for (const id of traces.map((trace) => BigInt(`0x${hex(trace, 32)}`))) {
    await insertSelected(
      clickhouse,
      'value_index (org, hash, bucket, slots)',
      `SELECT 'long', ${traceHash(String(id)) >>> 0}, toDateTime(${startSeconds} + number * 10), ${1n << (id >> 124n)}
       FROM numbers(8640)`,
    )
    await insertSelected(
      clickhouse,
      'spans (org, trace_id, span_id, start, duration_ns, is_indexed)',
      `SELECT 'long', toUInt128('${id}'), 1000 + number,
         fromUnixTimestamp64Nano(toInt64((${startSeconds} + number * 10) * 1000000000 + 1), 'UTC'), 1, 2
       FROM numbers(8640)`,
    )
  }
  const besides = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  const expected = await ask<Page>(plain, 'search', { org: 'long', customer: 'a', besides })
  expect(expected.messages).toMatchObject(traces.map(() => ({ span_count: 8_641 })))
  expect((await ask<Page>(app, 'search', { org: 'long', customer: 'a', besides })).messages).toEqual(expected.messages)
})

it('a lookup of more places than it may return says so', async () => {
  const { clickhouse } = app.app
  const [org, id] = ['places', '1']
  const telemetry = {
    clickhouse,
    scope: { org, window: allTime },
    signal: AbortSignal.timeout(60_000),
    isBackground: false,
  }
  const look = async () => {
    const term = [traceHash(id) >>> 0]
    const lookup = findPlaces([[[term]]], [term], { placesMax, coveredFromNs: 0n })
    const [row] = await readInScope<FoundPlacesRow>(telemetry, lookup, 'value index')
    return [row?.places_0?.length, (await readPlacesOfTraces(telemetry, [id]))?.length]
  }
  const enter = (from: number, count: number) =>
    insertSelected(
      clickhouse,
      'value_index (org, hash, bucket, slots)',
      `SELECT '${org}', ${traceHash(id) >>> 0}, toDateTime(1767225600 + (${from} + number) * 10), 1
       FROM numbers(${count})`,
    )
  await enter(0, placesMax)
  expect(await look()).toEqual([placesMax, placesMax])
  await enter(placesMax, 2)
  expect(await look()).toEqual([placesMax + 1, undefined])
})
