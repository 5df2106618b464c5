import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { casesOf, fuzzSettings, timeoutOf } from '../support/fuzz-settings.ts'
import { randomFacetSettings, withManyServices, withPairs } from '../support/random-facets.ts'
import { randomWindow } from '../support/random-query.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import {
  explainMappings,
  type FacetSettings,
  facetsOf,
  listCarriers,
  listServices,
  profileOf,
  sectionOrder,
} from '../support/reference-facets.ts'
import { populationOf, type Window } from '../support/reference-population.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { type FacetSubject, facetSubject, rangeOf } from './facet-subject.ts'

/** The number of settings for a set of traces, and of windows for each of them. */
const settingsPerTraces = 4
const windowsPerSettings = 3
/** A case is one service that has spans, with its settings, in one window. */
const cases = casesOf('facets')
const pageSizes = [5, 200]

interface Case {
  readonly random: Random
  readonly traces: RandomTraces
  readonly settings: FacetSettings
  readonly window: Window
  readonly population: readonly SpanModel[]
}

describe(`facets of random services, seed ${fuzzSettings.seed}, ${cases} cases`, () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())

  it('profiles, the services list, carriers, overrides and explained rules are those of the reference', {
    timeout: timeoutOf('facets'),
  }, async () => {
    let checked = 0
    for (let seed = fuzzSettings.seed; checked < cases; seed++) checked += await checkSet(seed)
  })

  /** Checks a set of traces and returns the number of cases. */
  async function checkSet(seed: number): Promise<number> {
    const random = seededRandom(seed)
    const subject = facetSubject(app, `facets-${seed}`)
    const { org } = subject
    const drawn = randomTraces(random, { org })
    const traces = withPairs(random, withManyServices(random, drawn))
    for (const batch of traces.batches) await app.sendSpans(toOtlpJson(batch), { org, role: 'ingest' })
    let checked = 0
    for (let configured = 0; configured < settingsPerTraces; configured++) {
      const settings = randomFacetSettings(random, traces)
      await subject.configure(settings)
      for (let done = 0; done < windowsPerSettings; done++) {
        const window = randomWindow(random, traces)
        const population = populationOf(traces.rows, org, window)
        const found = { random, traces, settings, window, population }
        checked += await checkServices(subject, found, seed)
        await checkOneService(subject, found, seed)
      }
    }
    return checked
  }
})

async function checkServices(subject: FacetSubject, found: Case, seed: number): Promise<number> {
  const { random, settings, window, population } = found
  const context = describeCase(found, seed)
  const listed = listServices(population, settings)
  const profiles = listed.map(({ name }) => {
    const ofService = population.filter(({ service }) => service === name)
    return [name, profileOf(ofService, settings.mappings.get(name) ?? [])] as const
  })
  expect(await subject.profiles(settings, window), context).toEqual(new Map(profiles))
  expect(await subject.services(window, random.pick(pageSizes)), context).toEqual(listed)
  const slug = random.pick([...sectionOrder, ...settings.custom])
  const { services } = await subject.get(`/service-facets/${slug}`, window)
  expect(services, `${slug} ${context}`).toEqual(listCarriers(slug, population, settings))
  return listed.length
}

async function checkOneService(subject: FacetSubject, found: Case, seed: number): Promise<void> {
  const { random, traces, settings, window, population } = found
  const service = random.pick([...traces.services, 'without spans'])
  const spans = population.filter((span) => span.service === service)
  const context = `${JSON.stringify(service)} ${describeCase(found, seed)}`
  const path = `/services/${encodeURIComponent(service)}`
  const { facets } = await subject.get(`${path}/facet-overrides`, window)
  expect(facets, context).toEqual(facetsOf(service, spans, settings))
  const { explain } = await subject.get(`${path}/facet-mappings`, window, { explain: 'true' })
  const { rules, ...counts } = explain as { rules: { decided_span_count: number }[] }
  const decided = rules.map(({ decided_span_count }) => decided_span_count)
  expect({ ...counts, decided }, context).toEqual(explainMappings(spans, settings.mappings.get(service) ?? []))
}

function describeCase({ settings: { custom, overrides, mappings }, window }: Case, seed: number): string {
  return JSON.stringify({ seed, ...rangeOf(window), custom, overrides: [...overrides], mappings: [...mappings] })
}
