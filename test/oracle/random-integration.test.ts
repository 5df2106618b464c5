import { expect, it } from 'vitest'
import { randomIntegration } from '../support/random-integration.ts'
import { seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { always } from '../support/reference-ask.ts'
import { type Integration, servicesJoinedWithOr, slice } from '../support/reference-integration.ts'
import { populationOf } from '../support/reference-population.ts'
import type { SpanModel } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

interface Case {
  readonly population: readonly SpanModel[]
  readonly integration: Integration
}

const cases: Case[] = Array.from({ length: 40 }, (_, seed) => {
  const random = seededRandom(seed)
  const traces = randomTraces(random, { org: 'acme', startNs: drawnStartNs })
  const population = populationOf(traces.rows, 'acme', always)
  return Array.from({ length: 10 }, () => ({ population, integration: randomIntegration(random, traces) }))
}).flat()

const sliceOf = ({ population, integration }: Case, change: Partial<Integration> = {}) =>
  slice({ ...integration, ...change }, population)

it('random integrations usually have a slice, and rarely everything', () => {
  const sizes = cases.map((one) => sliceOf(one).size / one.population.length)
  expect(sizes.filter((share) => share > 0).length / sizes.length).toBeGreaterThan(0.5)
  expect(sizes.filter((share) => share === 1).length / sizes.length).toBeLessThan(0.3)
})

it('the slice of all is part of the slice of any', () => {
  for (const one of cases) {
    const any = sliceOf(one, { rule_match: 'any' })
    expect([...sliceOf(one, { rule_match: 'all' })].filter((span) => !any.has(span))).toEqual([])
  }
})

it('including descendants only ever adds spans', () => {
  for (const one of cases) {
    const matchers = one.integration.matchers.map((matcher) => ({ ...matcher, include_descendants: false }))
    const whole = sliceOf(one)
    expect([...sliceOf(one, { matchers })].filter((span) => !whole.has(span))).toEqual([])
  }
})

it('no integration with all joins a service with or', () =>
  expect(
    cases.filter((one) => one.integration.rule_match === 'all' && servicesJoinedWithOr(one.integration).length > 0),
  ).toEqual([]))
