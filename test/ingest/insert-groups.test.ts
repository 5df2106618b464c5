/** Concurrent requests share inserts, which must not be observable. */
import { afterEach, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { insertLimits } from '../../server/ingest/inserts/row-batches.ts'
import { createRowStore } from '../../server/ingest/inserts/row-store.ts'
import { problem } from '../../server/problem/problem.ts'
import { request, span } from '../support/otlp-json.ts'
import { countRows, type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'

type Insert = ClickHouse['insert']

let server: OtlpServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A server whose inserts of the table `spans` pass through `around`. */
async function start(around: (insert: Insert, rows: number, ...call: Parameters<Insert>) => Promise<void>) {
  server = await startOtlpServer({
    sink: (clickhouse) => ({
      insert: (...call) =>
        call[0] === 'spans'
          ? around((...again) => clickhouse.insert(...again), call[3].rows, ...call)
          : clickhouse.insert(...call),
    }),
  })
  return server
}

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status)

it('requests that arrive during an insert share the next one, and every span is stored', async () => {
  const inserts: number[] = []
  const { clickhouse } = await start((insert, rows, ...call) => {
    inserts.push(rows)
    return insert(...call)
  })
  const sent = Array.from({ length: 60 }, (_, index) =>
    send(server as OtlpServer, request(span(), span()), { org: `org${index % 3}` }),
  )
  expect(statuses(await Promise.all(sent))).toEqual(Array(60).fill(200))
  expect(inserts.reduce((sum, rows) => sum + rows, 0)).toBe(120)
  expect(inserts.length).toBeLessThan(60)
  for (const org of ['org0', 'org1', 'org2']) expect(await countRows(clickhouse, org)).toBe(40)
})

it('a request that is sent many times concurrently is inserted once', async () => {
  const inserts: number[] = []
  const { clickhouse } = await start((insert, rows, ...call) => {
    inserts.push(rows)
    return insert(...call)
  })
  const body = request(span(), span(), span())
  const sent = Array.from({ length: 20 }, () => send(server as OtlpServer, body))
  expect(statuses(await Promise.all(sent))).toEqual(Array(20).fill(200))
  expect(inserts.every((rows) => rows === 3)).toBe(true)
  expect(await countRows(clickhouse)).toBe(3)
})

/** Bytes so large that they are inserted beside others. */
const largeBytes = 4 * 2 ** 20

/** A row store of which each insert takes until it is released. */
const noTraces = { intervals: Buffer.alloc(0), spans: Buffer.alloc(0) }

function heldRowStore() {
  const inserts: { readonly org: string; readonly rows: number }[] = []
  const running: (() => void)[] = []
  const storeRows = createRowStore({
    insert: (_table, _columns, _bytes, { org, rows }) => {
      inserts.push({ org, rows })
      return new Promise((resolve) => running.push(resolve))
    },
    read: () => Promise.reject(new Error('There are no traces to check.')),
  })
  const table = { name: 'spans', mergesEqualRows: true } as const
  const store = (org: string, rows: number, bytes: Buffer, days = 1) =>
    storeRows(org, [{ table, rows, days, firstDay: 0, bytes, traces: noTraces }])
  /** Releases one insert after the other until something is stored. */
  const releaseUntil = async (stored: Promise<unknown>) => {
    let isStored = false
    const done = stored.then(() => {
      isStored = true
    })
    while (!isStored) {
      running.shift()?.()
      await new Promise(setImmediate)
    }
    await done
  }
  return { inserts, running, store, releaseUntil }
}

it('batches wait for the running insert, unless they are large', async () => {
  const { inserts, store, releaseUntil } = heldRowStore()
  const rowsOf = () => inserts.map(({ rows }) => rows)
  const storeOne = (number: number, bytes: number) => store('acme', 1, Buffer.alloc(bytes, number))
  const stored = [storeOne(1, 1), storeOne(2, 1), storeOne(3, 1)]
  expect(rowsOf()).toEqual([1])
  stored.push(storeOne(4, largeBytes))
  expect(rowsOf()).toEqual([1, 3])
  stored.push(storeOne(5, 2 * largeBytes), storeOne(6, 1))
  expect(rowsOf()).toEqual([1, 3])
  await releaseUntil(Promise.all(stored))
  expect(rowsOf()).toEqual([1, 3, 2])
})

it('batches share an insert up to its largest number of days', async () => {
  const { inserts, store, releaseUntil } = heldRowStore()
  const half = insertLimits.daysPerInsertMax / 2
  const stored = [1, 2, 3, 4].map((number) => store('acme', 1, Buffer.alloc(1, number), half))
  await releaseUntil(Promise.all(stored))
  expect(inserts.map(({ rows }) => rows)).toEqual([1, 2, 1])
})

it('an organization that floods ingest delays another by no more than the inserts that are running', async () => {
  const { inserts, running, store, releaseUntil } = heldRowStore()
  const orgs = () => inserts.map(({ org }) => org)
  const flood = Array.from({ length: 10 }, (_, number) =>
    store('flood', insertLimits.rowsPerInsertMax, Buffer.alloc(largeBytes, number + 1)),
  )
  const calm = store('calm', 1, Buffer.from('calm'))
  expect(orgs()).toEqual(['flood', 'flood'])
  await releaseUntil(calm)
  expect(orgs().indexOf('calm')).toBeLessThanOrEqual(3)
  await releaseUntil(Promise.all(flood))
  expect([orgs().length, running.length]).toEqual([11, 0])
})

it('when ClickHouse rejects a shared insert, requests are inserted alone and only the faulty one fails', async () => {
  const { clickhouse } = await start((insert, _, ...call) =>
    Buffer.concat([call[2]].flat()).includes('at fault') ? Promise.reject(new Error('no')) : insert(...call),
  )
  const sent = Array.from({ length: 20 }, (_, index) =>
    send(server as OtlpServer, request(span({ name: index === 11 ? 'at fault' : 'sound' }))),
  )
  expect(statuses(await Promise.all(sent))).toEqual(Array.from({ length: 20 }, (_, i) => (i === 11 ? 503 : 200)))
  expect(await countRows(clickhouse)).toBe(19)
})

it('when ClickHouse is down, requests get 503, and are stored once when they are sent again', async () => {
  let away = true
  const { clickhouse } = await start((insert, _, ...call) =>
    away ? Promise.reject(problem('unavailable', 'Restarting.')) : insert(...call),
  )
  const bodies = Array.from({ length: 20 }, () => request(span()))
  const sendAll = () => Promise.all(bodies.map((body) => send(server as OtlpServer, body)))
  expect(statuses(await sendAll())).toEqual(Array(20).fill(503))
  away = false
  expect(statuses(await sendAll())).toEqual(Array(20).fill(200))
  expect(await countRows(clickhouse)).toBe(20)
})

it('an insert that was stored but not acknowledged counts once, for any content of the next insert', async () => {
  let lost = 5
  const { clickhouse } = await start(async (insert, _, ...call) => {
    await insert(...call)
    if (lost-- > 0) throw problem('unavailable', 'The answer was lost.')
  })
  const bodies = Array.from({ length: 30 }, () => request(span()))
  const sendUntilStored = async (body: object) => {
    while ((await send(server as OtlpServer, body)).status !== 200);
  }
  await Promise.all(bodies.map(sendUntilStored))
  // Queries read with FINAL, because ClickHouse merges equal rows at an undefined time.
  const query = { text: 'SELECT count() AS spans FROM spans FINAL', params: {} }
  const { rows } = await clickhouse.read<{ spans: string }>(query, { for: 'system', label: 'spans' })
  expect(rows).toEqual([{ spans: '30' }])
})
