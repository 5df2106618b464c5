import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { type Cluster, findPlaces, type Query, renderInScope } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { ask, find, hex, hour, labelsOf, store } from '../support/customer-steps.ts'
import { newDatabaseName } from '../support/engine.ts'
import { closeIndexStates, openIndexStates } from '../support/index-states.ts'
import { startEngine } from '../support/own-engine.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { drawnStartNs } from '../support/trace-text.ts'

/** Searches ask the index whenever they can. */
let app: TestApp
/** Uses the same database. It neither stores entries nor asks for them. */
let plain: TestApp
beforeAll(async () => {
  ;({ indexing: app, plain } = await openIndexStates((env) => startApp({ env })))
})
afterAll(() => closeIndexStates({ indexing: app, plain }))

it('asks the index, and reads no span for a value that is nowhere', async () => {
  await store(app, 'asks', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  const labels = await labelsOf(app, async () => expect(await find(app, 'asks', 'nobody')).toEqual([]))
  expect(labels).toEqual(['value index', 'value index'])
  const found = await labelsOf(app, async () => expect(await find(app, 'asks', 'a')).toEqual([hex(1, 32)]))
  expect(found).toContain('traces with a value')
})

const group_by = [{ attribute_key: 'customer' }]

it.each([
  ['search', { order: 'longest' }, ['message details']],
  ['histogram', {}, ['messages over time']],
  ['histogram', { group_by }, ['largest groups', 'messages over time']],
  ['breakdown', { group_by }, ['message groups']],
] as const)('a %s with %j reads the traces that the index names', async (path, besides, reads) => {
  await store(app, 'named', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  const labelsFor = (customer: string) => labelsOf(app, () => ask(app, path, { org: 'named', customer, besides }))
  expect(await labelsFor('a')).toEqual(['value index', 'traces with a value', 'places of traces', ...reads])
  expect(await labelsFor('nobody')).toEqual(['value index'])
})

it.each([
  ['matched_step_count', []],
  ['span_count', ['traces with a value', 'places of traces']],
])('a count with a row on the %s reads %j', async (attribute_key, reads) => {
  await store(app, 'counted', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  const more = [{ attribute_source: 'message', attribute_key, operator: 'eq', value: 1 }]
  const query = { org: 'counted', customer: 'a', more }
  const labels = await labelsOf(app, async () =>
    expect(await ask(app, 'count', query)).toMatchObject({ message_count: 1 }),
  )
  expect(labels).toEqual(['value index', ...reads, 'message counts'])
})

const paid = [{ attribute_key: 'customer', operator: 'eq', value: 'a' }]
const nowhere = [{ attribute_key: 'customer', operator: 'eq', value: 'nobody' }]
const viaTraces = ['value index', 'traces with a value', 'places of traces', 'message counts']

it.each([
  ['not_followed_by', paid, nowhere, 1, viaTraces],
  ['followed_by', paid, [], 0, viaTraces],
  ['not_contains', nowhere, [], 0, ['value index']],
  ['called_by', [], nowhere, 0, ['value index']],
  ['not_called_by', [], nowhere, 1, ['message counts']],
])('a count with a relation %s from %j to %j counts %i messages and reads %j', async (kind, from, to, found, reads) => {
  await store(app, 'related', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  const [window, whom] = [{ from: '1971-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, { org: 'related' }]
  const json = { ...window, relations: [{ kind, from, to }] }
  const labels = await labelsOf(app, async () =>
    expect(await app.ask('/api/v1/messages/count', { json, whom })).toMatchObject({ message_count: found }),
  )
  expect(labels).toEqual(reads)
})

it('finds spans by a double with a fraction, whose value has no entry', async () => {
  const attributes: SpanModel['attributes'] = [
    ['customer', { stringValue: 'a' }],
    ['share', { doubleValue: 0.5 }],
  ]
  const span = makeSpan({ traceId: hex(1, 32), spanId: hex(1, 16), startNs: drawnStartNs, attributes })
  await app.sendSpans(toOtlpJson([span]), { org: 'doubles' })
  const labels = await labelsOf(app, async () => {
    expect(await find(app, 'doubles', 'a', [{ attribute_key: 'share', operator: 'eq', value: 0.5 }])).toHaveLength(1)
    expect(await find(app, 'doubles', 'a', [{ attribute_key: 'share', operator: 'eq', value: 0.25 }])).toEqual([])
  })
  expect(labels).toContain('value index')
})

it('finds spans in parts that begin later than the bucket of their only spans', async () => {
  for (const span of [1, 2, 3])
    await store(app, 'parts', [{ trace: 1, span, customer: `c${span}`, atSeconds: 10.5 * span }])
  for (const span of [1, 2, 3]) expect(await find(app, 'parts', `c${span}`)).toEqual([hex(1, 32)])
})

it('entries without spans, and entries of other values with the same hash, change no result', async () => {
  const steps = [1, 2, 3].map((n) => ({ trace: n * 60, span: n, customer: n === 2 ? 'b' : 'a', atSeconds: n * 100 }))
  await store(app, 'extra', steps)
  const { clickhouse } = app.app
  // Every hash is now in every slot of every bucket of half an hour.
  await clickhouse.command(
    `INSERT INTO value_index (org, hash, bucket, slots)
     SELECT org, hash, toDateTime(${drawnStartNs / 10_000_000_000n} * 10 + number * 10), 65535
     FROM (SELECT DISTINCT org, hash FROM value_index WHERE org = 'extra') AS known, numbers(180) AS buckets`,
  )
  expect(await find(app, 'extra', 'a')).toEqual([hex(180, 32), hex(60, 32)])
  expect(await find(app, 'extra', 'b')).toEqual([hex(120, 32)])
  expect(await find(app, 'extra', 'c')).toEqual([])
})

it('finds spans that were stored without entries, before, between and after others', async () => {
  const at = (trace: number, atSeconds: number) => ({ trace, span: trace, customer: 'a', atSeconds })
  await store(plain, 'missing', [at(1, 50)])
  expect(await find(app, 'missing', 'a')).toHaveLength(1)
  await store(app, 'missing', [at(2, 20), at(3, 90)])
  expect(await find(app, 'missing', 'a')).toHaveLength(3)
  // A server of an earlier version goes on storing beside newer ones.
  await store(plain, 'missing', [at(4, 300)])
  expect(await find(app, 'missing', 'a')).toEqual([4, 3, 1, 2].map((n) => hex(n, 32)))
})

it('evaluates the whole message, including late spans in other buckets', async () => {
  const refutes = [{ attribute_key: 'customer', operator: 'neq', value: 'z' }]
  await store(app, 'whole', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  expect(await find(app, 'whole', 'a', refutes)).toHaveLength(1)
  await store(app, 'whole', [{ trace: 1, span: 2, customer: 'z', atSeconds: -600 }])
  expect(await find(app, 'whole', 'a', refutes)).toEqual([])
})

it('finds both values of a span that was sent again with another start', async () => {
  await store(app, 'again', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  await store(app, 'again', [{ trace: 1, span: 1, customer: 'b', atSeconds: 60 }])
  for (const customer of ['a', 'b'])
    expect(await find(app, 'again', customer)).toEqual(await find(plain, 'again', customer))
})

it('decides what the index covers before it reads entries, so that nothing stored meanwhile is left out', async () => {
  const { clickhouse } = app.app
  const scope = { org: 'order', window: { fromNs: drawnStartNs - hour, toNs: drawnStartNs + hour } }
  await store(app, 'order', [{ trace: 1, span: 1, customer: 'a', atSeconds: 0 }])
  const lookup = renderInScope(findPlaces([[[[7]]]], [[7]], { placesMax: 10, coveredFromNs: 0n }), scope)
  // The query takes seconds to decide what is covered, and the entry is stored meanwhile.
  const coverage = 'toUnixTimestamp64Nano(max(start))'
  expect(lookup.text).toContain(coverage)
  const slowed = (query: Query) => ({
    ...query,
    text: query.text.replace(coverage, `(${coverage} + sleep(2.9) + sleep(3) + sleep(2.8) + sleep(2.7))`),
  })
  const { onCluster } = lookup
  const slow = { ...slowed(lookup), ...(onCluster && { onCluster: (cluster: Cluster) => slowed(onCluster(cluster)) }) }
  const lookedUp = clickhouse.read<{ places_0: unknown[] }>(slow, { for: 'system', label: 'a slow lookup' })
  const running =
    "SELECT count() AS n FROM system.processes WHERE query LIKE '%sleep(2.9)%' AND query NOT LIKE '%processes%'"
  await expect
    .poll(async () => {
      const query = { text: running, params: {} }
      return Number((await clickhouse.read<{ n: string }>(query, { for: 'system', label: 'queries' })).rows[0]?.n)
    })
    .toBeGreaterThan(0)
  await clickhouse.command(
    `INSERT INTO value_index (org, hash, bucket, slots)
     VALUES ('order', 7, toDateTime(${drawnStartNs / 10_000_000_000n} * 10), 1)`,
  )
  expect((await lookedUp).rows[0]?.places_0).toHaveLength(1)
})

/** The engine that is killed is no shard of the run. */
const ofOneEngine = { skip: inject('shards').length > 0 }

it('loses and hides nothing when the engine is killed between entries and spans', ofOneEngine, async () => {
  const engine = await startEngine(temporaryFolder())
  const victim = await startApp({
    env: { CLICKHOUSE_DATABASE: newDatabaseName(), VALUE_INDEX: 'always' },
    overrides: { sources: [engine] },
  })
  onTestFinished(() => victim.close())
  const { clickhouse } = victim.app
  const insert = clickhouse.insert.bind(clickhouse)
  let kills = 0
  let isArmed = false
  clickhouse.insert = async (table, ...rest) => {
    if (table === 'spans' && isArmed && engine.pid !== undefined) {
      isArmed = false
      kills++
      process.kill(engine.pid, 'SIGKILL')
    }
    await insert(table, ...rest)
  }
  const traces = Array.from({ length: 12 }, (_, index) => index + 1)
  for (const trace of traces) {
    isArmed = true
    for (;;) {
      const stored = store(victim, 'killed', [{ trace, span: trace, customer: 'a', atSeconds: trace * 7 }])
      if (
        await stored.then(
          () => true,
          () => false,
        )
      )
        break
      await sleep(100)
    }
  }
  expect(kills).toBe(traces.length)
  expect(await find(victim, 'killed', 'a')).toEqual(traces.toReversed().map((trace) => hex(trace, 32)))
})
