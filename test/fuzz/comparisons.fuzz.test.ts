import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ComparisonLimits } from '../../server/messages/comparison/comparison-run.ts'
import { compareMessages } from '../../server/messages/comparison/message-comparison.ts'
import { parseMessageFilter, type Scope } from '../../sql/index.ts'
import { startApp, type TestApp, type Whom } from '../support/app.ts'
import { checkSets } from '../support/concurrent-sets.ts'
import { newDatabaseName } from '../support/engine.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { type RandomFilter, randomFilter } from '../support/random-filter.ts'
import { randomIntegration } from '../support/random-integration.ts'
import { randomRelations } from '../support/random-relations.ts'
import type { Random } from '../support/random-source.ts'
import { seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces, shapeOf } from '../support/random-traces.ts'
import { comparisonOf, type ReferenceSide, restOf } from '../support/reference-comparison.ts'
import { type Integration, visiblePopulation } from '../support/reference-integration.ts'
import { searchMessages } from '../support/reference-messages.ts'
import { populationOf, type Window } from '../support/reference-population.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { toSlice } from '../support/slice-rows.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'

/** A case is one comparison on one set of traces, with and without grants, over HTTP and within other limits. */
const sets = setsOf('comparisons', 10)
const shapes = { largeTraceEvery: 8, manyTracesEvery: 3 }
const spansPerRequest = 5_000
const restricted = 'grace'

/** Limits that split a comparison into many queries, that cut off messages, and that read few messages key by key. */
const otherLimits: readonly ComparisonLimits[] = [
  {
    messagesMax: 3,
    fewMax: 1,
    veryFewMax: 1,
    fewStepsMax: 1_000,
    groupsMax: 1_000,
    keysPerQueryMax: 4,
    unknownStepsMax: 12,
  },
  {
    messagesMax: 40,
    fewMax: 5,
    veryFewMax: 5,
    fewStepsMax: 1_000,
    groupsMax: 20,
    keysPerQueryMax: 3,
    unknownStepsMax: 1_000_000,
  },
  {
    messagesMax: 1_000,
    fewMax: 1,
    veryFewMax: 1,
    fewStepsMax: 3,
    groupsMax: 1_000,
    keysPerQueryMax: 32,
    unknownStepsMax: 500_000,
  },
]

interface Stored {
  readonly traces: RandomTraces
  readonly integrations: readonly StoredIntegration[]
}

interface StoredIntegration {
  readonly id: string
  readonly integration: Integration
}

/** A side of a comparison. Absent filters stand for the messages that are not of the other side. */
interface Side {
  readonly filter: RandomFilter
  readonly within?: StoredIntegration | undefined
}

describe(`random comparisons, seed ${fuzzSettings.seed}, ${casesOf('comparisons')} cases`, () => {
  let app: TestApp
  /** Uses the same database. It stores spans whose values are not in the value index. */
  let plain: TestApp
  beforeAll(async () => {
    const env = { LOG_LEVEL: 'error', QUERY_SECONDS_MAX: '120', CLICKHOUSE_DATABASE: newDatabaseName() }
    app = await startApp({ env })
    plain = await startApp({ env: { ...env, VALUE_INDEX: 'off' } })
  })
  afterAll(async () => {
    await plain.close()
    await app.close()
  })

  it('equal the reference', { timeout: timeoutOf('comparisons') }, async () => {
    await checkSets(sets, checkSet)
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const stored = await storeTraces(random, seed)
    for (let done = 0; done < cases; done++) await checkCase(random, stored, seed)
  }

  async function storeTraces(random: Random, seed: number): Promise<Stored> {
    const org = `compare-${seed}-${randomUUID()}`
    const drawn = randomTraces(random, { org, shape: shapeOf(seed, shapes) })
    const traces = random.chance(0.5) ? drawn : withManyValues(random, drawn)
    // The values of keys are counted by the index, or by reading spans if it lacks some of them.
    const isIndexed = random.chance(0.7)
    for (const batch of traces.batches)
      for (let at = 0; at < batch.length; at += spansPerRequest)
        await (isIndexed || random.chance(0.5) ? app : plain).sendSpans(
          toOtlpJson(batch.slice(at, at + spansPerRequest)),
          { org, role: 'ingest' },
        )
    const integrations: StoredIntegration[] = []
    for (let count = random.pick([1, 2]); count > 0; count--) {
      const integration = randomIntegration(random, traces)
      const body = { name: randomUUID(), ...integration }
      const { id } = await send<{ id: string }>({ org }, '/integrations', 'POST', body)
      await send({ org }, `/integrations/${id}/grants`, 'PUT', { subjects: [restricted] })
      integrations.push({ id, integration })
    }
    return { traces, integrations }
  }

  async function checkCase(random: Random, { traces, integrations }: Stored, seed: number): Promise<void> {
    const [a, b] = randomSides(random, traces, integrations)
    const body = { a: bodyOf(a), ...(b === undefined ? {} : { b: bodyOf(b) }) }
    const context = JSON.stringify({ seed, body, integrations })
    const { org } = traces
    const granted = integrations.map(({ integration }) => integration)
    const seen = (window: Window) => populationOf(traces.rows, org, window)
    const visible = (window: Window) => visiblePopulation(traces.rows, org, window, granted)

    const { summary, ...asViewer } = await ask({ org, role: 'viewer' }, body)
    expect(asViewer, context).toEqual(expected(a, b, seen))
    expect(Object.values(summary as object).join(), context).toMatch(/^Messages.*\.,(Other m|M)essages.*\.$/s)
    const { summary: _, ...asRestricted } = await ask({ org, role: 'restricted', subject: restricted }, body)
    expect(asRestricted, context).toEqual(expected(a, b, visible))

    const limits = random.pick(otherLimits)
    const isRestricted = random.chance(0.5)
    const scope = { org, ...(isRestricted ? { granted: granted.map(toSlice) } : {}) }
    const found = await compareWithin(scope, a, b, limits)
    const ofScope = isRestricted ? visible : seen
    const { pairs, high_cardinality_key_count } = expected(a, b, ofScope, limits.messagesMax)
    const tightly = found.pairs.map(({ key, value, counts }) => ({ key, value, counts }))
    const wanted = pairs.map(({ key, value, ...sides }) => ({
      key,
      value,
      counts: { a: sides.a.message_count, b: sides.b.message_count },
    }))
    expect(tightly, `${context} ${JSON.stringify({ limits, isRestricted })}`).toEqual(wanted)
    expect(found.manyValued.length, context).toBe(high_cardinality_key_count)
  }

  function compareWithin(scope: Omit<Scope, 'window'>, a: Side, b: Side | undefined, limits: ComparisonLimits) {
    const sides = [a, b ?? restSide(a)].map(({ filter, within }) => ({
      query: {
        ...parseMessageFilter({ rows: filter.rows, relations: filter.relations ?? [] }),
        ...(filter.status === undefined ? {} : { status: filter.status }),
        ...(within === undefined ? {} : { slice: toSlice(within.integration) }),
      },
      window: { fromNs: filter.fromNs, toNs: filter.toNs },
    }))
    const [ofA, ofB] = sides as [(typeof sides)[0], (typeof sides)[0]]
    const window = {
      fromNs: ofA.window.fromNs < ofB.window.fromNs ? ofA.window.fromNs : ofB.window.fromNs,
      toNs: ofA.window.toNs > ofB.window.toNs ? ofA.window.toNs : ofB.window.toNs,
    }
    const { signal } = new AbortController()
    const telemetry = { clickhouse: app.app.clickhouse, scope: { ...scope, window }, signal, isBackground: false }
    return compareMessages(telemetry, { a: ofA, b: { ...ofB, isRest: b === undefined } }, { limits })
  }

  function ask(whom: Whom, body: object): Promise<Record<string, unknown>> {
    return send(whom, '/messages/compare', 'POST', body)
  }

  function send<Answer>(whom: Whom, path: string, method: string, body: object): Promise<Answer> {
    return app.ask(`/api/v1${path}`, { method, json: body, whom })
  }
})

function expected(
  a: Side,
  b: Side | undefined,
  populationIn: (window: Window) => SpanModel[],
  messagesMax?: number,
): ReturnType<typeof comparisonOf> {
  const sideOf = ({ filter, within }: Side): ReferenceSide => {
    const population = populationIn(filter)
    const query = within === undefined ? filter : { ...filter, integration: within.integration }
    return { population, messages: searchMessages(population, query) }
  }
  const ofA = sideOf(a)
  return comparisonOf(ofA, b === undefined ? restOf(ofA, a.within?.integration) : sideOf(b), messagesMax)
}

function bodyOf({ filter, within }: Side) {
  return { ...toRequestBody(filter), ...(within === undefined ? {} : { integration_id: within.id }) }
}

function restSide({ filter: { fromNs, toNs }, within }: Side): Side {
  return { filter: { rows: [], fromNs, toNs, limit: 1 }, within }
}

/** Draws both sides: no `b`, equal sides, two filters of one window, or of two. */
function randomSides(
  random: Random,
  traces: RandomTraces,
  integrations: readonly StoredIntegration[],
): [Side, Side | undefined] {
  const draw = (): Side => {
    const filter = randomFilter(random, traces)
    const simple = random.chance(0.3) ? { ...filter, rows: [] } : filter
    const related = random.chance(0.2) ? { relations: randomRelations(random, traces, filter) } : {}
    return { filter: { ...simple, ...related }, within: random.chance(0.35) ? random.pick(integrations) : undefined }
  }
  const a = draw()
  const kind = random.weighted({ rest: 40, same: 8, sameWindow: 30, own: 22 })
  if (kind === 'rest') return [a, undefined]
  if (kind === 'same') return [a, a]
  const b = draw()
  if (kind === 'own') return [a, b]
  return [a, { ...b, filter: { ...b.filter, fromNs: a.filter.fromNs, toNs: a.filter.toNs } }]
}

/** Gives spans a value of their own, under a key of spans, of resources or of both, hot or not. */
function withManyValues(random: Random, traces: RandomTraces): RandomTraces {
  const key = random.pick(['own id', 'http.route', ...traces.keys])
  const isOfSpan = random.chance(0.7)
  const share = random.pick([1, 0.3])
  const numbers = new Map(traces.rows.map(({ traceId, spanId }, index) => [`${traceId}${spanId}`, index]))
  const change = (span: SpanModel): SpanModel => {
    const number = numbers.get(`${span.traceId}${span.spanId}`) ?? 0
    if (number % 10 >= 10 * share) return span
    const added = [key, { stringValue: `value ${number}` }] as const
    if (isOfSpan) return { ...span, attributes: [...span.attributes, added] }
    if (key === 'service.name') return span
    return { ...span, resourceAttributes: [...span.resourceAttributes, added] }
  }
  const batches = traces.batches.map((batch) => batch.map(change))
  return { ...traces, batches, rows: batches.flat() }
}
