import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { searchPage } from '../../server/messages/message-search.ts'
import { type ChunkLengths, createChunkLengths } from '../../server/telemetry/chunk-lengths.ts'
import { createValueIndex } from '../../server/telemetry/value-index.ts'
import { hexOfTraceId, type PagePosition, parseMessageRows } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { setsOf } from '../support/fuzz-settings.ts'
import { type RandomQuery, randomQuery } from '../support/random-query.ts'
import { seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { searchMessages } from '../support/reference-messages.ts'
import { populationOf } from '../support/reference-population.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

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
const values = createValueIndex({ now: () => new Date(), retentionDays: undefined, mode: 'off' })
/** A case is one walk through the pages of a query; the last two walks of a query learn the lengths. */
const walksPerQuery = lengths.length + 2
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
  for (let walked = 0; walked < cases; walked += walksPerQuery) {
    const query = randomQuery(random, traces)
    const found = searchMessages(populationOf(traces.rows, traces.org, query), query)
    const expected = found.map(({ traceId }) => traceId)
    const limit = Math.max(2, Math.ceil(expected.length / 4))
    for (const [lengthNs, shortNsMax] of lengths) {
      const always = fixedLengths(lengthNs, shortNsMax)
      expect(await walk(app.app.clickhouse, always, { org: traces.org, query, limit })).toEqual(expected)
    }
    const learning = createChunkLengths()
    expect(await walk(app.app.clickhouse, learning, { org: traces.org, query, limit })).toEqual(expected)
    const refused = refusingShort(app.app.clickhouse)
    expect(await walk(refused, learning, { org: traces.org, query, limit })).toEqual(expected)
  }
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
  chunkLengths: ChunkLengths,
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
