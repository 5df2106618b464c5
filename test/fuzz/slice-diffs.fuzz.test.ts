import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { checkSets } from '../support/concurrent-sets.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { randomIntegration, randomOrNoIntegration } from '../support/random-integration.ts'
import { randomQuery } from '../support/random-query.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces, shapeOf } from '../support/random-traces.ts'
import { ruleValue, traceMeasures } from '../support/reference-alert.ts'
import { type Integration, type Matcher, servicesJoinedWithOr } from '../support/reference-integration.ts'
import { populationOf } from '../support/reference-population.ts'
import { sliceDiffOf } from '../support/reference-slice-diff.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toOtlpJson } from '../support/span-model.ts'

type Diff = components['schemas']['IntegrationDiff']

/** A case is one change of an integration on one set of traces. */
const sets = setsOf('slice diffs', 20)
const spansPerRequest = 5_000

describe(`random changes of integrations, seed ${fuzzSettings.seed}, ${casesOf('slice diffs')} cases`, () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())

  it('have the spans, messages and alert values of the reference', { timeout: timeoutOf('slice diffs') }, async () => {
    await checkSets(sets, checkSet)
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const org = `diffs-${seed}`
    const shape = shapeOf(seed, { largeTraceEvery: 25, manyTracesEvery: 5 })
    const traces = randomTraces(random, { org, shape })
    for (const spans of traces.batches)
      for (let at = 0; at < spans.length; at += spansPerRequest)
        await app.sendSpans(toOtlpJson(spans.slice(at, at + spansPerRequest)), { org, role: 'ingest' })
    for (let done = 0; done < cases; done++) await checkChange(random, traces, seed)
  }

  async function checkChange(random: Random, traces: RandomTraces, seed: number): Promise<void> {
    const before = randomOrNoIntegration(random, traces)
    const after = drawChange(random, traces, before)
    const { fromNs, toNs, rows } = randomQuery(random, traces)
    const { id } = await ask<{ id: string }>(traces.org, '/integrations', { name: crypto.randomUUID(), ...before })
    const rule = {
      kind: 'trace',
      name: random.chance(0.4) ? `${crypto.randomUUID()}` : '',
      measure: random.pick(traceMeasures),
      conditions: rows.map(({ includeDescendants: _, ...condition }) => condition).slice(0, 1),
      integration_id: id,
      comparator: 'gt',
      threshold: 1,
      window_s: random.pick([10, 600, 86_400]),
    }
    if (rule.name !== '') await ask(traces.org, '/alerting/rules', rule)
    const body = { from: toRfc3339(fromNs), to: toRfc3339(toNs), ...after }
    const context = JSON.stringify({ seed, before, body, rule })
    const { integration_version, alert_rules, alert_rule_count, grants, ...found } = await ask<Diff>(
      traces.org,
      `/integrations/${id}/diff`,
      body,
    )
    const expected = sliceDiffOf(before, after, populationOf(traces.rows, traces.org, { fromNs, toNs }))
    expect(found, context).toEqual(expected)
    const readings = [before, after].map((integration) => {
      const measured = { ...rule, integration, windowNs: BigInt(rule.window_s) * 1_000_000_000n }
      const value = ruleValue(measured, traces.rows, traces.org, toNs)
      return { value, violated: value !== null && value > rule.threshold }
    })
    const rules = [{ name: rule.name, enabled: true, before: readings[0], after: readings[1] }]
    expect(
      alert_rules.map(({ id: _, ...fields }) => fields),
      context,
    ).toEqual(rule.name === '' ? [] : rules)
    expect({ integration_version, alert_rule_count, grants }, context).toEqual({
      integration_version: 1,
      alert_rule_count: alert_rules.length,
      grants: { subject_count: 0, subjects: [] },
    })
  }

  function ask<Body>(org: string, path: string, body: object): Promise<Body> {
    return app.ask(`/api/v1${path}`, { json: body, whom: { org } })
  }
})

/** Draws another integration, or mostly one that differs in a few matchers. */
function drawChange(random: Random, traces: RandomTraces, before: Integration): Integration {
  if (random.chance(0.2)) return randomOrNoIntegration(random, traces)
  const added = random.chance(0.6) ? renamed(randomIntegration(random, traces).matchers) : []
  const kept = before.matchers.filter(() => random.chance(0.7))
  const matchers = [...kept, ...added].map((matcher) =>
    random.chance(0.1) ? { ...matcher, include_descendants: matcher.include_descendants !== true } : matcher,
  )
  const changed = { rule_match: random.pick(['any', 'all'] as const), matchers }
  return servicesJoinedWithOr(changed).length > 0 ? { ...changed, rule_match: 'any' } : changed
}

function renamed(matchers: readonly Matcher[]): Matcher[] {
  return matchers.map((matcher) => ({ ...matcher, match_group: `added ${matcher.match_group}` }))
}
