import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { isRowWise } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { closeIndexStates, type IndexStates, openIndexStates, serversOf } from '../support/index-states.ts'
import { randomFilter } from '../support/random-filter.ts'
import { randomIntegration } from '../support/random-integration.ts'
import { randomQuery } from '../support/random-query.ts'
import { randomRelations } from '../support/random-relations.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { comparators, type MeasuredRule, notified, ruleValue, traceMeasures } from '../support/reference-alert.ts'
import type { Integration } from '../support/reference-integration.ts'
import type { MessageQuery } from '../support/reference-messages.ts'
import { toSlice } from '../support/slice-rows.ts'
import { toOtlpJson } from '../support/span-model.ts'

type Preview = components['schemas']['AlertRulePreview']

/** A case is one preview on one set of traces. */
const sets = setsOf('alert previews', 20)

const cases = casesOf('alert previews')

describe(`previews of random alert rules on random traces, seed ${fuzzSettings.seed}, ${cases} cases`, () => {
  let servers: IndexStates<TestApp>
  /** The server that answers for the current set. */
  let app: TestApp
  beforeAll(async () => {
    servers = await openIndexStates((env) => startApp({ env: { LOG_LEVEL: 'error', ...env } }))
  })
  afterAll(() => closeIndexStates(servers))

  it('have the values and the notifications of the reference at every evaluation time', {
    timeout: timeoutOf('alert previews'),
  }, async () => {
    for (const set of sets) await checkSet(set)
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const org = `previews-${seed}`
    const { subject, writer, delivered } = serversOf(servers, seed)
    const traces = delivered(randomTraces(random, { org }))
    app = subject
    for (const [position, batch] of traces.batches.entries())
      await writer(position).sendSpans(toOtlpJson(batch), { org, role: 'ingest' })
    for (let done = 0; done < cases; done++) await checkPreview(random, traces, seed)
  }

  async function checkPreview(random: Random, traces: RandomTraces, seed: number): Promise<void> {
    const { rows } = randomQuery(random, traces)
    const conditions = rows.map(({ includeDescendants: _, ...condition }) => condition)
    const integration = random.chance(0.4) ? randomIntegration(random, traces) : undefined
    const window = drawWindow(random, traces)
    const filter = random.chance(0.3) ? drawFilter(random, traces) : undefined
    // Alert rules refuse the null character, which PostgreSQL cannot store.
    const services = traces.services.filter((name) => !name.includes('\0'))
    const service =
      filter === undefined && integration === undefined && random.chance(0.3) ? random.pick(services) : undefined
    const rule = {
      kind: 'trace',
      measure: filter === undefined ? random.pick(traceMeasures) : ('message_count' as const),
      conditions: filter === undefined ? conditions : [],
      ...filter,
      ...(service === undefined ? {} : { service }),
      comparator: random.pick(comparators),
      threshold: random.pick([0, 1, 1, 2, 5, 0.5, 12]),
      window_s: random.pick([10, 60, 300, 3_600, 86_400]),
      for_s: random.pick([0, 0, 1, 15, 60, 3_600]),
    }
    const windowNs = BigInt(rule.window_s) * 1_000_000_000n
    const ofFilter = filter === undefined ? {} : { filter }
    const measured: MeasuredRule = {
      ...rule,
      ...ofFilter,
      ...(integration === undefined ? {} : { integration }),
      windowNs,
    }
    const body = { ...rule, ...window, ...(await sentIntegration(traces.org, integration)) }
    const found = await ask<Preview>(traces.org, '/alerting/rules/preview', body)
    const evaluated = found.points.map(({ at }) => {
      const atMs = Date.parse(at)
      return { atMs, value: ruleValue(measured, traces.rows, traces.org, BigInt(atMs) * 1_000_000n) }
    })
    const context = JSON.stringify({ seed, body, integration })
    expect(
      found.points.map(({ value }) => value),
      context,
    ).toEqual(evaluated.map(({ value }) => value))
    const expected = notified({ ...rule, forMs: rule.for_s * 1_000 }, evaluated)
    const notifications = found.notifications.map(({ at, state }) => ({ atMs: Date.parse(at), state }))
    expect(notifications, context).toEqual(expected)
    expect(found.points.length, context).toBeLessThanOrEqual(filter !== undefined || isWalked(integration) ? 24 : 240)
  }

  async function sentIntegration(org: string, integration: Integration | undefined) {
    if (integration === undefined) return {}
    const body = { name: crypto.randomUUID(), ...integration }
    return { integration_id: (await ask<{ id: string }>(org, '/integrations', body)).id }
  }

  function ask<Body>(org: string, path: string, body: object): Promise<Body> {
    return app.ask(`/api/v1${path}`, { json: body, whom: { org } })
  }
})

/** Draws a filter of a few rows, or of relations. */
function drawFilter(random: Random, traces: RandomTraces): Pick<MessageQuery, 'rows' | 'relations'> {
  const query = randomFilter(random, traces)
  const relations = randomRelations(random, traces, query)
  if (query.rows.length === 0 || random.chance(0.4)) return { rows: query.rows.slice(0, 1), relations }
  return { rows: query.rows.slice(0, 2) }
}

function isWalked(integration: Integration | undefined): boolean {
  return integration !== undefined && !isRowWise(toSlice(integration))
}

/** Draws a window of some seconds to some days that may hold spans. */
function drawWindow(random: Random, traces: RandomTraces) {
  const { startNs } = random.pick(traces.rows)
  const lengthNs =
    BigInt(random.pick([1, 20, 600, 3_600, 86_400, 300_000])) * 1_000_000_000n + BigInt(random.below(1_000))
  const beforeNs = (lengthNs * BigInt(random.below(5))) / 4n
  const fromNs = startNs < beforeNs ? 0n : startNs - beforeNs
  return { from: timestampOf(fromNs), to: timestampOf(fromNs + lengthNs) }
}

function timestampOf(ns: bigint): string {
  const seconds = new Date(Number(ns / 1_000_000_000n) * 1_000).toISOString().slice(0, 19)
  return `${seconds}.${(ns % 1_000_000_000n).toString().padStart(9, '0')}Z`
}
