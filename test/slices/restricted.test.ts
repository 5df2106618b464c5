import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDocument } from '../../server/http/contract/document.ts'
import { listOperations } from '../../server/http/contract/operations.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { setsOf } from '../support/fuzz-settings.ts'
import { randomFacetSettings, withPairs } from '../support/random-facets.ts'
import { randomIntegration } from '../support/random-integration.ts'
import { randomQuery } from '../support/random-query.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { type Integration, visiblePopulation } from '../support/reference-integration.ts'
import { populationOf } from '../support/reference-population.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import { aboutTheCaller, type QuestionContext, questions } from './restricted-questions.ts'
import { fitsGranted, type Granted, openSides, type Side } from './two-sides.ts'

const seeds = setsOf('grants', 30).map(({ seed }) => seed)

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

it('every operation of restricted callers is covered', () => {
  const allowed = listOperations(readDocument()).filter(({ role }) => role === 'restricted')
  const covered = [...Object.keys(questions), ...aboutTheCaller]
  expect(covered.sort()).toEqual(allowed.map(({ id }) => id).sort())
})

describe.each(seeds)('with two slices granted, seed %i, a restricted caller sees in', (seed) => {
  let context: QuestionContext
  let sides: [Side, Side]
  beforeAll(async () => {
    const random = seededRandom(seed)
    const traces = withPairs(random, randomTraces(random, { org: 'drawn', startNs: drawnStartNs }))
    const grants = drawGrants(random, traces)
    const drawn = { ...grants, facets: randomFacetSettings(random, traces) }
    const services = traces.services.filter((service) => fitsGranted(drawn, service))
    context = { random, traces, window: drawn.window, services, customFacets: drawn.facets.custom }
    sides = await openSides(app, { ...drawn, batches: traces.batches })
  })

  it.each(Object.entries(questions))('%s the same as an organization that stores nothing else', async (_, draw) => {
    const questionsFor = draw(context)
    const [restricted, fresh] = sides
    const pairs = questionsFor(restricted.ids).map(
      (question, position) => [question, questionsFor(fresh.ids)[position] ?? question] as const,
    )
    expect(pairs.length).toBeGreaterThan(0)
    for (const [ofRestricted, ofFresh] of pairs) {
      const [seen, expected] = await Promise.all([restricted.ask(ofRestricted), fresh.ask(ofFresh)])
      expect(seen, JSON.stringify(ofRestricted)).toEqual(expected)
    }
  })
})

/** Draws a window and integrations until some of the spans in the window are granted and others are not. */
function drawGrants(random: Random, traces: RandomTraces): Omit<Granted, 'batches' | 'facets'> {
  for (;;) {
    const { fromNs, toNs } = randomQuery(random, traces)
    const window = { fromNs, toNs }
    const [one, two, hidden] = [0, 1, 2].map(() => randomIntegration(random, traces)) as [
      Integration,
      Integration,
      Integration,
    ]
    const visibleCount = visiblePopulation(traces.rows, traces.org, window, [one, two]).length
    const isPart = visibleCount > 0 && visibleCount < populationOf(traces.rows, traces.org, window).length
    if (isPart) return { window, one, two, hidden }
  }
}
