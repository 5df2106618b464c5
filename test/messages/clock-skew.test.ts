/** Messages whose times contradict their trees: only ids make the tree, and only starts and ends make times. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { drawnStartNs, drawnTraceId } from '../support/trace-text.ts'

const org = 'clock-skew'
const ms = 1_000_000n
const latestNs = 2n ** 64n - 1n

/** The spans of a trace: number, number of the parent (0 for none), start and end in nanoseconds from its start. */
type Drawn = readonly (readonly [span: number, parent: number, from: bigint, to: bigint])[]

const absolute = latestNs - drawnStartNs

const traces: Readonly<Record<string, Drawn>> = {
  childBefore: [
    [1, 0, 10n * ms, 11n * ms],
    [2, 1, 0n, ms],
  ],
  equalStarts: [
    [1, 0, 0n, 5n],
    [2, 1, 0n, 5n],
  ],
  zeroLength: [
    [1, 0, 0n, 0n],
    [2, 1, 0n, 0n],
  ],
  beyondParent: [
    [1, 0, 0n, ms],
    [2, 1, ms, absolute - 60_000_000_000n * 4n],
  ],
  childAfterEnd: [
    [1, 0, 0n, ms],
    [2, 1, 1_000n * ms, 1_001n * ms],
  ],
  aNanosecondLater: [
    [1, 0, 0n, ms],
    [2, 1, 1_000n * ms + 1n, 1_001n * ms],
  ],
  circle: [
    [1, 2, 5n, 6n],
    [2, 1, 0n, 7n],
  ],
  ownParent: [
    [1, 1, 0n, 3n],
    [2, 1, 1n, 2n],
  ],
  endsBeforeStart: [
    [1, 0, 0n, -1_000n * ms],
    [2, 1, 0n, 1n],
  ],
}
const names = Object.keys(traces)

/** The first start of the trace of a name. Traces start a minute apart. */
const startOf = (name: string) => drawnStartNs + BigInt(names.indexOf(name)) * 60_000n * ms
const nameOf = (traceId: string) => names[Number.parseInt(traceId.slice(4), 16) - 1] ?? traceId
const hexSpan = (span: number) => String(span).padStart(16, '0')

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
  const spans = Object.entries(traces).flatMap(([name, drawn]) =>
    drawn.map(([span, parent, from, to]) => ({
      traceId: drawnTraceId(names.indexOf(name) + 1),
      spanId: hexSpan(span),
      parentSpanId: parent === 0 ? '' : hexSpan(parent),
      name: `step ${span}`,
      startTimeUnixNano: String(startOf(name) + from),
      endTimeUnixNano: String(startOf(name) + to),
    })),
  )
  await app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans }] }] }, { org, role: 'ingest' })
})
afterAll(() => app.close())

interface Found {
  readonly trace_id: string
  readonly duration_ns: string
  readonly started_at: string
  readonly root: { readonly name: string }
}

async function search(filter: object): Promise<readonly Found[]> {
  const window = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z', limit: 200 }
  const { messages } = await app.ask<{ messages: Found[] }>('/api/v1/messages/search', {
    json: { ...window, ...filter },
    whom: { org },
  })
  return messages
}

const durations: Readonly<Record<string, bigint>> = {
  childBefore: 11n * ms,
  equalStarts: 5n,
  zeroLength: 0n,
  beyondParent: absolute - 60_000_000_000n * 4n,
  childAfterEnd: 1_001n * ms,
  aNanosecondLater: 1_001n * ms,
  circle: 7n,
  ownParent: 3n,
  endsBeforeStart: 1n,
}

it('the duration is the last end minus the first start, whichever spans they belong to', async () => {
  const found = await search({})
  expect(Object.fromEntries(found.map((one) => [nameOf(one.trace_id), BigInt(one.duration_ns)]))).toEqual(durations)
})

it('messages are in the order of their first starts, and of their durations', async () => {
  const found = async (order: string) => (await search({ order })).map(({ trace_id }) => nameOf(trace_id))
  expect(await found('oldest')).toEqual(names)
  expect(await found('newest')).toEqual(names.toReversed())
  const byDuration = (await found('shortest')).map((name) => durations[name] ?? -1n)
  expect(byDuration).toEqual(Object.values(durations).sort((left, right) => (left < right ? -1 : 1)))
})

it('the root is the span without a parent, even if it starts last, or else the first span', async () => {
  const roots = (await search({})).map(({ trace_id, root }) => [nameOf(trace_id), root.name])
  const others = Object.fromEntries(names.map((name) => [name, 'step 1']))
  expect(Object.fromEntries(roots)).toEqual({ ...others, circle: 'step 2' })
})

const step = (span: number) => [
  { attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: `step ${span}` },
]

it.each([
  ['followed_by', 1, 2, undefined, names.filter((name) => !['childBefore', 'circle'].includes(name))],
  ['followed_by', 2, 1, undefined, ['childBefore', 'equalStarts', 'zeroLength', 'circle', 'endsBeforeStart']],
  ['not_followed_by', 2, 1, undefined, ['beyondParent', 'childAfterEnd', 'aNanosecondLater', 'ownParent']],
  [
    'followed_by',
    1,
    2,
    1_000,
    ['equalStarts', 'zeroLength', 'beyondParent', 'childAfterEnd', 'ownParent', 'endsBeforeStart'],
  ],
  ['followed_by', 1, 1, undefined, []],
  ['contains', 1, 2, undefined, names],
  ['contains', 2, 1, undefined, ['circle']],
  ['called_by', 2, 1, undefined, names],
  ['not_called_by', 1, 1, undefined, names.filter((name) => !['circle', 'ownParent'].includes(name))],
] as const)('%s from step %i to step %i within %s milliseconds', async (kind, from, to, within_ms, expected) => {
  const relation = { kind, from: step(from), to: step(to), ...(within_ms === undefined ? {} : { within_ms }) }
  const found = await search({ order: 'oldest', relations: [relation] })
  expect(found.map(({ trace_id }) => nameOf(trace_id))).toEqual(expected)
})

it('the histogram counts each message in the bucket of its first start', async () => {
  const json = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:09:00Z', step_s: 60 }
  const { buckets } = await app.ask<{ buckets: { message_count: number; duration_ms: { max: number } }[] }>(
    '/api/v1/messages/histogram',
    { json, whom: { org } },
  )
  expect(buckets.map(({ message_count, duration_ms }) => [message_count, duration_ms.max])).toEqual(
    names.map((name) => [1, Number(durations[name]) / 1e6]),
  )
})
