import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  messageCounts,
  parseMatchers,
  parseMessageRows,
  renderInScope,
  type Scope,
  type Slice,
  type Sql,
  sliceCalls,
  sliceCounts,
  sliceOf,
  sliceServices,
} from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { randomIntegration } from '../support/random-integration.ts'
import { type RandomQuery, randomQuery } from '../support/random-query.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { type Integration, slice, visiblePopulation } from '../support/reference-integration.ts'
import { countMessages } from '../support/reference-messages.ts'
import { populationOf } from '../support/reference-population.ts'
import { flowEdges, statsOf } from '../support/reference-slice-stats.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import { fuzzSettings } from './fuzz-settings.ts'

const integrationsPerTraces = 20
const casesDefault = 1_000
const cases = Math.min(fuzzSettings.cases, Number(process.env.FUZZ_CASES ?? casesDefault))
const noIntegration: Integration = { rule_match: 'any', matchers: [] }

describe(`random integrations on random traces, seed ${fuzzSettings.seed}, ${cases} cases`, () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())

  it('stats, flow graph, searches inside and granted traffic are those of the reference', {
    timeout: 3_600_000,
  }, async () => {
    const sets = Math.ceil(cases / integrationsPerTraces)
    for (let at = 0; at < sets; at++) await checkSet(fuzzSettings.seed + at)
  })

  async function checkSet(seed: number): Promise<void> {
    const random = seededRandom(seed)
    const org = `slices-${seed}`
    const traces = randomTraces(random, { org, startNs: drawnStartNs })
    for (const batch of traces.batches) await app.sendSpans(toOtlpJson(batch), { org, role: 'ingest' })
    for (let asked = 0; asked < integrationsPerTraces; asked++) await checkIntegration(random, traces, seed)
  }

  async function checkIntegration(random: Random, traces: RandomTraces, seed: number): Promise<void> {
    const query = randomQuery(random, traces)
    const [one, other] = [drawIntegration(random, traces), drawIntegration(random, traces)]
    const population = populationOf(traces.rows, traces.org, query)
    const visible = visiblePopulation(traces.rows, traces.org, query, [one, other])
    const window = { fromNs: query.fromNs, toNs: query.toNs }
    const scope: Scope = { org: traces.org, window }
    const granted: Scope = { ...scope, granted: [toSlice(one), toSlice(other)] }
    const context = JSON.stringify({ seed, one, other, query }, (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    expect(await readFacts(one, query, scope), context).toEqual(factsOf(one, query, population))
    expect(await readFacts(one, query, granted), `restricted ${context}`).toEqual(factsOf(one, query, visible))
  }

  async function readFacts(integration: Integration, query: RandomQuery, scope: Scope) {
    const of = toSlice(integration)
    const asked = {
      rows: parseMessageRows(query.rows),
      ...(query.status === undefined ? {} : { status: query.status }),
    }
    const [counts, services, calls, inside, outside] = await Promise.all([
      read(sliceCounts(of), scope),
      read(sliceServices(of), scope),
      read(sliceCalls(of), scope),
      read(messageCounts({ ...asked, slice: of }), scope),
      read(messageCounts(asked), scope),
    ])
    return { stats: counts[0], services, calls, inside: inside[0], outside: outside[0] }
  }

  async function read(query: Sql, scope: Scope): Promise<Record<string, unknown>[]> {
    const { rows } = await app.app.clickhouse.read<Record<string, unknown>>(renderInScope(query, scope), {
      label: 'fuzz',
    })
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])))
  }
})

function drawIntegration(random: Random, traces: RandomTraces): Integration {
  return random.chance(0.05) ? noIntegration : randomIntegration(random, traces)
}

function toSlice({ rule_match, matchers }: Integration): Slice {
  return sliceOf(rule_match, parseMatchers(matchers))
}

/** The same facts by the reference, in the columns of the queries. */
function factsOf(integration: Integration, query: RandomQuery, population: readonly SpanModel[]) {
  const spans = slice(integration, population)
  const { trace_count, error_trace_count, span_count, error_span_count, services } = statsOf(spans)
  const { rows, status } = query
  const asked = { rows, ...(status === undefined ? {} : { status }) }
  return {
    stats: textsOf({
      message_count: trace_count,
      error_message_count: error_trace_count,
      matched_step_count: span_count,
      error_step_count: error_span_count,
    }),
    services: services.toSorted(byCodePoints).map((service) => {
      const own = [...spans].filter((span) => span.service === service)
      return textsOf({
        service,
        span_count: own.length,
        error_count: own.filter((span) => span.status === 'error').length,
      })
    }),
    calls: flowEdges(spans, population)
      .map(({ from, to, callCount, errorCount, durationsNs }) =>
        textsOf({
          from_service: from,
          to_service: to,
          call_count: callCount,
          error_count: errorCount,
          p50_ns: nearestRank(durationsNs, 50),
          p95_ns: nearestRank(durationsNs, 95),
        }),
      )
      .sort((left, right) =>
        byCodePoints(`${left.from_service}\n${left.to_service}`, `${right.from_service}\n${right.to_service}`),
      ),
    inside: textsOf(countMessages(population, { ...asked, integration })),
    outside: textsOf(countMessages(population, asked)),
  }
}

function nearestRank(ascending: readonly bigint[], percent: number): bigint {
  return ascending[Math.ceil((ascending.length * percent) / 100) - 1] ?? 0n
}

function textsOf(facts: object): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]))
}

function byCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
