import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSets } from '../support/concurrent-sets.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { closeIndexStates, type IndexStates, openIndexStates, serversOf } from '../support/index-states.ts'
import { type RandomFilter, randomAttribute, randomFilter } from '../support/random-filter.ts'
import { randomImportedIntegration } from '../support/random-integration.ts'
import { randomRelations } from '../support/random-relations.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces, shapeOf } from '../support/random-traces.ts'
import { messageFieldNames } from '../support/reference-message-fields.ts'
import { type MessageCounts, searchMessages } from '../support/reference-messages.ts'
import { populationOf, type Window } from '../support/reference-population.ts'
import { breakdownOf, type GroupAttribute, type HistogramRequest, histogramOf } from '../support/reference-totals.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

/** A case is one filter on one set of traces, with a histogram and a breakdown of its messages. */
const sets = setsOf('message totals', 20)
const shapes = { largeTraceEvery: 25, manyTracesEvery: 10 }
const bucketsMax = 1_000
/** A year, in seconds. */
const stepMax = 31_536_000

interface Totals {
  readonly buckets: readonly { readonly message_count: number; readonly error_message_count: number }[]
}

describe(`random histograms and breakdowns, seed ${fuzzSettings.seed}, ${casesOf('message totals')} cases`, () => {
  let servers: IndexStates<HttpSubject>
  beforeAll(async () => {
    servers = await openIndexStates(openHttpSubject)
  })
  afterAll(() => closeIndexStates(servers))

  it('equal the reference, and add up to the counts', { timeout: timeoutOf('message totals') }, async () => {
    await checkSets(sets, checkSet)
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const shape = shapeOf(seed, shapes)
    const { subject, writer, delivered } = serversOf(servers, seed)
    const traces = delivered(randomTraces(random, { org: `totals-${seed}`, shape }))
    for (const [position, batch] of traces.batches.entries()) await writer(position).store(traces.org, batch)
    for (let done = 0; done < cases; done++) await checkFilter(subject, random, traces, seed)
  }

  async function checkFilter(subject: HttpSubject, random: Random, traces: RandomTraces, seed: number): Promise<void> {
    const filter = drawFilter(random, traces)
    const histogram = randomHistogram(random, traces, filter)
    const group_by = randomGroupBy(random, traces)
    const limit = random.pick([1, 3, 100])
    const { integration } = filter
    const ids = integration && { integration_id: await subject.createIntegration(traces.org, integration) }
    const body = { ...toRequestBody(filter), ...ids }
    const ask = <Answer>(path: string, more: object) =>
      subject.ask<Answer & { readonly summary: string }>(traces.org, 'POST', `/api/v1/messages/${path}`, {
        ...body,
        ...more,
      })
    const context = JSON.stringify({ seed, body, integration, histogram, group_by, limit })
    const found = searchMessages(populationOf(traces.rows, traces.org, filter), filter)

    const { summary: _, ...overTime } = await ask<Totals>('histogram', histogram)
    expect(overTime, context).toEqual(histogramOf(found, filter, histogram))
    const counts = await ask<MessageCounts>('count', {})
    expect(sumOf(overTime, 'message_count'), context).toBe(counts.message_count)
    expect(sumOf(overTime, 'error_message_count'), context).toBe(counts.error_message_count)

    const { summary, ...byAttribute } = await ask<object>('breakdown', { group_by, limit })
    expect(byAttribute, context).toEqual(breakdownOf(found, group_by, limit))
    expect(summary, context).toMatch(/^Messages.*\.$/s)
  }
})

function sumOf({ buckets }: Totals, number: 'message_count' | 'error_message_count'): number {
  return buckets.reduce((sum, bucket) => sum + bucket[number], 0)
}

/** Draws a filter, sometimes with relations or within an integration. */
function drawFilter(random: Random, traces: RandomTraces): RandomFilter {
  const filter = randomFilter(random, traces)
  return {
    ...filter,
    ...(random.chance(0.2) ? { relations: randomRelations(random, traces, filter) } : {}),
    ...(random.chance(0.3) ? { integration: randomImportedIntegration(random, traces) } : {}),
  }
}

function randomHistogram(random: Random, traces: RandomTraces, { fromNs, toNs }: Window): HistogramRequest {
  const seconds = Number((toNs - fromNs) / 1_000_000_000n) + 2
  const narrowest = Math.ceil(seconds / (bucketsMax - 2))
  return {
    step_s: Math.min(narrowest + random.below(random.pick([3, 100, seconds])), stepMax),
    ...(random.chance(0.4) ? { heatmap: true } : {}),
    ...(random.chance(0.5) ? { group_by: randomGroupBy(random, traces), limit: 1 + random.below(10) } : {}),
  }
}

function randomGroupBy(random: Random, traces: RandomTraces): GroupAttribute[] {
  return Array.from({ length: 1 + random.below(2) }, () =>
    random.chance(0.25)
      ? { attribute_source: 'message', attribute_key: random.pick(messageFieldNames) }
      : randomAttribute(random, traces),
  )
}
