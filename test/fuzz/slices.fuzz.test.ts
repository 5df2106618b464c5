import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageCounts, type Scope } from '../../sql/index.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { randomImportedIntegration, randomOrNoIntegration } from '../support/random-integration.ts'
import { type RandomQuery, randomQuery } from '../support/random-query.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { type Integration, visiblePopulation } from '../support/reference-integration.ts'
import { countMessages } from '../support/reference-messages.ts'
import { populationOf } from '../support/reference-population.ts'
import { readSliceRows, readTexts, sliceRowsOf, textsOf, toSlice } from '../support/slice-rows.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'

/** A case is one integration on one set of traces. */
const sets = setsOf('slices', 20)

describe(`random integrations on random traces, seed ${fuzzSettings.seed}, ${casesOf('slices')} cases`, () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())

  it('stats, flow graph, searches within the integration and granted traffic equal the reference', {
    timeout: timeoutOf('slices'),
  }, async () => {
    for (const set of sets) await checkSet(set)
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const org = `slices-${seed}`
    const traces = randomTraces(random, { org })
    for (const batch of traces.batches) await app.sendSpans(toOtlpJson(batch), { org, role: 'ingest' })
    for (let done = 0; done < cases; done++) await checkIntegration(random, traces, seed)
  }

  async function checkIntegration(random: Random, traces: RandomTraces, seed: number): Promise<void> {
    const query = randomQuery(random, traces)
    const draw = () => randomOrNoIntegration(random, traces, randomImportedIntegration)
    const [one, other] = [draw(), draw()]
    const population = populationOf(traces.rows, traces.org, query)
    const visible = visiblePopulation(traces.rows, traces.org, query, [one, other])
    const window = { fromNs: query.fromNs, toNs: query.toNs }
    const scope: Scope = { org: traces.org, window }
    const granted: Scope = { ...scope, granted: [toSlice(one), toSlice(other)] }
    const context = JSON.stringify({ seed, one, other, query }, (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    expect(await readFacts(one, query, scope), context).toEqual(expectedOf(one, query, population))
    expect(await readFacts(one, query, granted), `restricted ${context}`).toEqual(expectedOf(one, query, visible))
  }

  async function readFacts(integration: Integration, query: RandomQuery, scope: Scope) {
    const { clickhouse } = app.app
    const filter = {
      rows: parseMessageRows(query.rows),
      ...(query.status === undefined ? {} : { status: query.status }),
    }
    const [facts, inside, outside] = await Promise.all([
      readSliceRows(clickhouse, integration, scope),
      readTexts(clickhouse, messageCounts({ ...filter, slice: toSlice(integration) }), scope),
      readTexts(clickhouse, messageCounts(filter), scope),
    ])
    return { ...facts, inside: inside[0], outside: outside[0] }
  }
})

/** Computes the expected rows by the reference, in the columns of the queries. */
function expectedOf(integration: Integration, query: RandomQuery, population: readonly SpanModel[]) {
  const { rows, status } = query
  const filter = { rows, ...(status === undefined ? {} : { status }) }
  return {
    ...sliceRowsOf(integration, population),
    inside: textsOf(countMessages(population, { ...filter, integration })),
    outside: textsOf(countMessages(population, filter)),
  }
}
