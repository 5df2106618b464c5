import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  isRowWise,
  type MeasuredSpans,
  measuredSeries,
  measuredValues,
  parseConditions,
  renderInScope,
  type Scope,
  type Slice,
  type Sql,
} from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { randomImportedIntegration } from '../support/random-integration.ts'
import { randomQuery } from '../support/random-query.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { type MeasuredRule, ruleValue, traceMeasures } from '../support/reference-alert.ts'
import { toSlice } from '../support/slice-rows.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const batchesPerTraces = 5
const rulesPerBatch = 12
const pointsMax = 6
/** A case is one rule of a batch. */
const sets = setsOf('alert rules', batchesPerTraces * rulesPerBatch)

describe(`random alert rules on random traces, seed ${fuzzSettings.seed}, ${casesOf('alert rules')} cases`, () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())

  it('rules that share a query, and one rule at many times, have the values of the reference', {
    timeout: timeoutOf('alert rules'),
  }, async () => {
    for (const set of sets) await checkSet(set)
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const org = `alerts-${seed}`
    const traces = randomTraces(random, { org, startNs: drawnStartNs })
    for (const batch of traces.batches) await app.sendSpans(toOtlpJson(batch), { org, role: 'ingest' })
    for (let checked = 0; checked < cases; checked += rulesPerBatch) {
      await checkBatch(random, traces, seed)
      await checkSeries(random, traces, seed)
    }
  }

  async function checkBatch(random: Random, traces: RandomTraces, seed: number): Promise<void> {
    const { fromNs, toNs } = randomQuery(random, traces)
    const within = random.chance(0.4) ? randomImportedIntegration(random, traces) : undefined
    const rules = Array.from({ length: rulesPerBatch }, () => ({
      ...drawRule(random, traces),
      ...(within === undefined ? ownIntegration(random, traces) : { integration: within }),
      windowNs: toNs - fromNs,
    }))
    const measured = rules.map((rule) => (within === undefined ? toMeasured(rule) : toMeasured(rule, 'without slice')))
    const query = measuredValues(measured, within && toSlice(within))
    const [row] = await read(query, { org: traces.org, window: { fromNs, toNs } })
    const expected = rules.map((rule) => ruleValue(rule, traces.rows, traces.org, toNs))
    const found = rules.map((_, index) => row?.[`value_${index}`])
    expect(found, describeCase({ seed, rules, fromNs, toNs })).toEqual(expected)
  }

  async function checkSeries(random: Random, traces: RandomTraces, seed: number): Promise<void> {
    const window = randomQuery(random, traces)
    const integration = randomImportedIntegration(random, traces)
    const isReadable = isRowWise(toSlice(integration)) && random.chance(0.5)
    const windowNs = (window.toNs - window.fromNs) / BigInt(1 + random.below(4)) + 1n
    const rule: MeasuredRule = { ...drawRule(random, traces), ...(isReadable ? { integration } : {}), windowNs }
    const points = 1 + random.below(pointsMax)
    const intervalNs = (window.toNs - window.fromNs) / BigInt(points) + 1n
    const series = { fromNs: window.fromNs, intervalNs, points, windowNs }
    const times = Array.from({ length: points }, (_, point) => window.fromNs + BigInt(point) * intervalNs)
    const scope = { org: traces.org, window: { fromNs: window.fromNs - windowNs, toNs: times.at(-1) ?? 0n } }
    const rows = await read(measuredSeries(toMeasured(rule), series), scope)
    const byPoint = new Map(rows.map((row) => [Number(row.point), row.value_0]))
    const nothing = ruleValue(rule, [], traces.org, 0n)
    const found = times.map((_, point) => byPoint.get(point) ?? nothing)
    const expected = times.map((atNs) => ruleValue(rule, traces.rows, traces.org, atNs))
    expect(found, describeCase({ seed, rule, series })).toEqual(expected)
  }

  async function read(query: Sql, scope: Scope) {
    const { rows } = await app.app.clickhouse.read<Record<string, unknown>>(renderInScope(query, scope), {
      for: 'system',
      label: 'test',
    })
    return rows
  }
})

function drawRule(random: Random, traces: RandomTraces): Omit<MeasuredRule, 'windowNs'> {
  const conditions = randomQuery(random, traces).rows.map(({ includeDescendants: _, ...condition }) => condition)
  const service = random.chance(0.3) ? { service: random.pick(traces.rows).service } : {}
  return { measure: random.pick(traceMeasures), conditions, ...service }
}

function ownIntegration(random: Random, traces: RandomTraces) {
  return random.chance(0.3) ? { integration: randomImportedIntegration(random, traces) } : {}
}

function toMeasured(
  { measure, conditions, service, integration }: MeasuredRule,
  without?: 'without slice',
): MeasuredSpans {
  const slice: Slice | undefined = integration && !without ? toSlice(integration) : undefined
  return {
    measure,
    conditions: parseConditions(conditions),
    ...(service === undefined ? {} : { service }),
    ...(slice === undefined ? {} : { slice }),
  }
}

function describeCase(context: object): string {
  return JSON.stringify(context, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}
