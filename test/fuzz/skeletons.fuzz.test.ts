import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { checkSets } from '../support/concurrent-sets.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { type RandomFilter, randomFilter } from '../support/random-filter.ts'
import { randomRelations } from '../support/random-relations.ts'
import { seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { groupByTrace } from '../support/reference-descendants.ts'
import { searchMessages } from '../support/reference-messages.ts'
import { populationOf } from '../support/reference-population.ts'
import { linkedFrom, skeletonOf } from '../support/reference-skeleton.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

type Skeleton = components['schemas']['MessageSkeleton']
type Detail = components['schemas']['MessageDetail']
type SpanDetail = components['schemas']['SpanDetail']

/** A case is a query on one set of traces. */
const sets = setsOf('skeletons', 20)
const allTime = { fromNs: 0n, toNs: 2n ** 63n - 1n }
const linkingSpansMax = 100

let subject: HttpSubject
beforeAll(async () => {
  subject = await openHttpSubject()
})
afterAll(() => subject.close())

const textsOf = ({ dictionary, positions }: Skeleton['names']) => positions.map((position) => dictionary[position])

/** Writes the texts of a skeleton out, and checks that its dictionaries hold no text twice. */
function writtenOut({ services, names, ...skeleton }: Skeleton) {
  for (const { dictionary } of [services, names]) expect(new Set(dictionary).size).toBe(dictionary.length)
  return { ...skeleton, services: textsOf(services), names: textsOf(names) }
}

const title = `seed ${fuzzSettings.seed}, ${casesOf('skeletons')} queries`

it(`skeletons, spans and links equal the reference, ${title}`, { timeout: timeoutOf('skeletons') }, async () => {
  await checkSets(sets, checkSet)
})

async function checkSet(set: FuzzSet): Promise<void> {
  const random = seededRandom(set.seed)
  const org = `skeleton-${set.seed}`
  const shape = set.seed % 15 === 0 ? 'large trace' : 'few traces'
  const traces = randomTraces(random, { org, startNs: subject.startNs, shape })
  for (const batch of traces.batches) await subject.store(org, batch)
  for (let done = 0; done < set.cases; done++) {
    const drawn = randomFilter(random, traces)
    const related = random.chance(0.2) ? { relations: randomRelations(random, traces, drawn) } : {}
    const query = { ...drawn, ...related }
    const population = populationOf(traces.rows, org, query)
    for (const [traceId, spans] of random.sample([...groupByTrace(population)], 1)) {
      await checkSkeletons({ org, traceId, spans, population, query })
      await checkSpan({ org, span: random.pick(spans), population, query })
    }
  }
  const [traceId, spans] = random.pick([...groupByTrace(populationOf(traces.rows, org, allTime))])
  const whole = await subject.ask<Skeleton>(org, 'GET', `/api/v1/messages/${traceId}/skeleton`)
  expect(writtenOut(whole)).toEqual(skeletonOf(spans, undefined))
}

interface CheckedMessage {
  readonly org: string
  readonly traceId: string
  readonly spans: readonly SpanModel[]
  readonly population: readonly SpanModel[]
  readonly query: RandomFilter
}

/** Compares the skeletons without a filter, with a filter as body, and with a filter as parameter. */
async function checkSkeletons({ org, traceId, spans, population, query }: CheckedMessage): Promise<void> {
  const body = toRequestBody(query)
  const path = `/api/v1/messages/${traceId}/skeleton`
  const range = new URLSearchParams({ from: body.from, to: body.to })
  const plain = await subject.ask<Skeleton>(org, 'GET', `${path}?${range}`)
  expect(writtenOut(plain)).toEqual(skeletonOf(spans, undefined))
  const found = searchMessages(population, query).find((message) => message.traceId === traceId) ?? null
  const posted = await subject.ask<Skeleton>(org, 'POST', path, body)
  expect(writtenOut(posted), JSON.stringify({ org, body })).toEqual(skeletonOf(spans, found))
  const filter = new URLSearchParams({ filter: JSON.stringify(body) })
  if (filter.toString().length > 4_000) return
  expect(await subject.ask(org, 'GET', `${path}?${filter}`)).toEqual(posted)
}

async function checkSpan({
  org,
  span,
  population,
  query,
}: Pick<CheckedMessage, 'org' | 'population' | 'query'> & { readonly span: SpanModel }): Promise<void> {
  const { from, to } = toRequestBody(query)
  const range = new URLSearchParams({ from, to })
  const path = `/api/v1/messages/${span.traceId}`
  const detail = await subject.ask<Detail>(org, 'GET', `${path}?${range}`)
  const { linked_from, ...one } = await subject.ask<SpanDetail>(org, 'GET', `${path}/spans/${span.spanId}?${range}`)
  expect(one).toEqual(detail.spans.find(({ span_id }) => span_id === span.spanId))
  const linking = linkedFrom(population, span)
  expect(linked_from).toEqual({ from, to, span_count: linking.length, spans: linking.slice(0, linkingSpansMax) })
}

it('links are searched for around a span unless the request has a window', async () => {
  const random = seededRandom(fuzzSettings.seed)
  const org = 'skeleton-window'
  const traces = randomTraces(random, { org, startNs: subject.startNs })
  for (const batch of traces.batches) await subject.store(org, batch)
  const dayNs = 86_400_000_000_000n
  for (const span of random.sample(populationOf(traces.rows, org, allTime), 5)) {
    const window = { fromNs: span.startNs - dayNs, toNs: span.startNs + dayNs }
    const path = `/api/v1/messages/${span.traceId}/spans/${span.spanId}`
    const { linked_from } = await subject.ask<SpanDetail>(org, 'GET', path)
    const linking = linkedFrom(populationOf(traces.rows, org, window), span)
    expect(linked_from).toEqual({
      from: toRfc3339(window.fromNs),
      to: toRfc3339(window.toNs),
      span_count: linking.length,
      spans: linking.slice(0, linkingSpansMax),
    })
  }
})
