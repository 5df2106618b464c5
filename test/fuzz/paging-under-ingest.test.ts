import { afterAll, beforeAll, expect, it } from 'vitest'
import { setsOf } from '../support/fuzz-settings.ts'
import { randomQuery } from '../support/random-query.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { searchMessages } from '../support/reference-messages.ts'
import { inOrder, messageOrders } from '../support/reference-page.ts'
import { populationOf } from '../support/reference-population.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'
import type { RequestBody, SearchOptions } from './message-subject.ts'

const seeds = setsOf('message pages under ingest', 5).map(({ seed }) => seed)

let subject: HttpSubject

beforeAll(async () => {
  subject = await openHttpSubject()
})
afterAll(() => subject.close())

it.each(seeds)('seed %i: pages that are read while spans arrive contain every earlier message once', async (seed) => {
  const random = seededRandom(seed)
  const traces = randomTraces(random, { org: `paging-${seed}`, startNs: subject.startNs })
  const stored = traces.batches[0] ?? []
  await subject.store(traces.org, stored)
  const query = { ...randomQuery(random, { ...traces, rows: stored }), rows: [] }
  const order = random.pick(messageOrders)
  const found = inOrder(searchMessages(populationOf(stored, traces.org, query), query), order)
  const expected = found.map((message) => message.traceId)
  const walked = await walkWhileStoring(traces, { ...toRequestBody(query), order }, random)
  // Messages that arrive between two pages may be returned; those that existed must be returned once, in order.
  expect(new Set(walked).size).toBe(walked.length)
  expect(walked.filter((traceId) => expected.includes(traceId))).toEqual(expected)
})

async function walkWhileStoring(
  traces: RandomTraces,
  body: RequestBody & SearchOptions,
  random: Random,
): Promise<string[]> {
  const walked: string[] = []
  let cursor: string | null = null
  let page = 0
  do {
    const { messages, next_cursor } = await subject.search(traces.org, {
      ...body,
      limit: 2,
      ...(cursor === null ? {} : { cursor }),
    })
    walked.push(...messages.map((message) => message.trace_id))
    cursor = next_cursor
    page += 1
    if (page <= 4) await subject.store(traces.org, arrivalsOf(traces, random, page))
  } while (cursor !== null)
  return walked
}

/** Makes new messages among the old ones, and late spans that move the start of old messages in both directions. */
function arrivalsOf(traces: RandomTraces, random: Random, page: number): SpanModel[] {
  const old = random.sample(traces.batches[0] ?? [], 4)
  const fresh = old.map((span) => ({ ...span, traceId: `ee${page}${span.traceId.slice(3)}` }))
  const late = old.map((span, position) => ({
    ...span,
    spanId: `eeeeeeee${page}${position}000000`,
    startNs: span.startNs - BigInt(random.below(5)) * 1_000_000n,
  }))
  return [...fresh, ...late]
}
