import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { searchPage } from '../../server/messages/search/message-search.ts'
import type { MessageSearch } from '../../server/messages/search/search-strategies.ts'
import { type ChunkLengths, createChunkLengths } from '../../server/telemetry/chunk-lengths.ts'
import { createValueIndex, type ValueIndex } from '../../server/telemetry/value-index/value-index.ts'
import { hexOfTraceId, type PagePosition } from '../../sql/index.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { setsOf } from '../support/fuzz-settings.ts'
import { type RandomQuery, randomQuery } from '../support/random-query.ts'
import { seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { searchMessages } from '../support/reference-messages.ts'
import { populationOf } from '../support/reference-population.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId } from '../support/trace-text.ts'

/** Pairs of the length of the first chunk and the maximum length of a short chunk. */
const lengths = [
  [1n, 0n],
  [1n, 1n],
  [3_000_000n, 12_000_000n],
  [200_000_000n, 0n],
  [200_000_000n, 2n ** 62n],
  [2n ** 62n, 2n ** 62n],
  // Beyond the window, as if no page were expected.
  [2n ** 62n, 0n],
] as const
const settings = { now: () => new Date(), retentionDays: undefined }
const off = createValueIndex({ ...settings, mode: 'off' })
const always = createValueIndex({ ...settings, mode: 'always' })
/** Finds what started before a chunk by the value index, and reads chunks even for values that the index knows. */
const onlyBefore: ValueIndex = {
  narrow: async () => undefined,
  placesOf: (...args) => always.placesOf(...args),
  boundsOf: (...args) => always.boundsOf(...args),
}
/** Each pair of lengths without an index, and with it where chunks may be short. */
const walks = lengths.flatMap(([lengthNs, shortNsMax]) =>
  (shortNsMax > 0n ? [off, onlyBefore] : [off]).map((values) => ({ lengthNs, shortNsMax, values })),
)
/** A case is one walk through the pages of a query; the last two walks of a query learn the lengths. */
const walksPerQuery = walks.length + 2
const sets = setsOf('chunk lengths', 3 * walksPerQuery)

let app: TestApp

beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

it.each(sets)('seed $seed: pages equal those of the reference for any length of chunks', async ({ seed, cases }) => {
  const random = seededRandom(seed)
  const traces = randomTraces(random, { org: `lengths-${seed}`, startNs: drawnStartNs, shape: 'many traces' })
  for (const batch of traces.batches) await app.sendSpans(toOtlpJson(batch), { org: traces.org, role: 'ingest' })
  for (let done = 0; done < cases; done += walksPerQuery) {
    const query = randomQuery(random, traces)
    const found = searchMessages(populationOf(traces.rows, traces.org, query), query)
    const expected = found.map(({ traceId }) => traceId)
    const limit = Math.max(2, Math.ceil(expected.length / 4))
    const walked = { org: traces.org, query, limit }
    for (const { lengthNs, shortNsMax, values } of walks) {
      const chunkLengths = fixedLengths(lengthNs, shortNsMax)
      expect(await walk(app.app.clickhouse, { chunkLengths, values }, walked)).toEqual(expected)
    }
    const learning = { chunkLengths: createChunkLengths(), values: off }
    expect(await walk(app.app.clickhouse, learning, walked)).toEqual(expected)
    expect(await walk(refusingShort(app.app.clickhouse), learning, walked)).toEqual(expected)
  }
})

it.each([
  ['the bloom filter of spans', off],
  ['the value index', onlyBefore],
])('by %s, messages with spans in the chunk that started before it are not on its page', async (name, values) => {
  const second = 1_000_000_000n
  const spansOf = (trace: number, seconds: readonly bigint[]) =>
    seconds.map((at, index) =>
      makeSpan({
        traceId: drawnTraceId(trace),
        spanId: `${index + 1}`.padStart(16, '0'),
        startNs: drawnStartNs + at * second,
      }),
    )
  // The second begins in the bucket of the chunk's edge, the third in an earlier one.
  const started = [spansOf(1, [97n]), spansOf(2, [91n, 99n]), spansOf(3, [2n, 98n]), spansOf(4, [96n])]
  await app.sendSpans(toOtlpJson(started.flat()), { org: name, role: 'ingest' })
  const window = { fromNs: drawnStartNs, toNs: drawnStartNs + 100n * second }
  const { clickhouse } = app.app
  await vi.waitFor(() => expect(clickhouse.known).toBeDefined(), { timeout: 60_000 })
  const telemetry = {
    clickhouse,
    scope: { org: name, window },
    signal: AbortSignal.timeout(60_000),
    isBackground: false,
  }
  const chunkLengths = fixedLengths(5n * second, 2n ** 62n)
  const found = await searchPage({ telemetry, query: { rows: [] }, limit: 1, chunkLengths, values })
  expect(found.messages.map(({ traceId }) => hexOfTraceId(traceId))).toEqual([drawnTraceId(1)])
})

function fixedLengths(lengthNs: bigint, shortNsMax: bigint): ChunkLengths {
  return { first: () => ({ lengthNs, shortNsMax }), granuleNs: () => undefined, noteRows() {}, notePage() {} }
}

interface Walk {
  readonly org: string
  readonly query: RandomQuery
  readonly limit: number
}

/** Returns the ids of all pages. */
async function walk(
  clickhouse: ClickHouse,
  { chunkLengths, values }: Pick<MessageSearch, 'chunkLengths' | 'values'>,
  { org, query, limit }: Walk,
): Promise<string[]> {
  const { rows, status } = toRequestBody(query)
  const messageQuery = { rows: parseMessageRows(rows ?? []), ...(status === undefined ? {} : { status }) }
  const scope = { org, window: { fromNs: query.fromNs, toNs: query.toNs } }
  const { signal } = new AbortController()
  const walked: string[] = []
  let after: PagePosition | undefined
  do {
    const telemetry = { clickhouse, scope, signal, isBackground: false }
    const continued = after === undefined ? {} : { after }
    const page = await searchPage({ telemetry, query: messageQuery, limit, chunkLengths, values, ...continued })
    walked.push(...page.messages.map(({ traceId }) => hexOfTraceId(traceId)))
    after = page.hasMore ? page.messages.at(-1) : undefined
  } while (after !== undefined)
  return walked
}

/** Makes ClickHouse refuse every short chunk as too large. */
function refusingShort(clickhouse: ClickHouse): ClickHouse {
  return {
    ...clickhouse,
    read: (query, options) => {
      const isShort = Number.isFinite(options.rowsReadMax ?? Number.POSITIVE_INFINITY)
      return clickhouse.read(query, isShort ? { ...options, rowsReadMax: 1 } : options)
    },
  }
}
