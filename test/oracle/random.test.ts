import { describe, expect, it } from 'vitest'
import { randomSearch } from '../support/random-filter.ts'
import { randomLogQuery, randomLogs } from '../support/random-logs.ts'
import { randomMetricQuestion, randomMetrics } from '../support/random-metrics.ts'
import { randomQuery } from '../support/random-query.ts'
import { randomSearchWithRelations } from '../support/random-relations.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { randomTraceQl } from '../support/random-traceql.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { distinctSpans, groupByTrace } from '../support/reference-descendants.ts'
import { searchLogs } from '../support/reference-logs.ts'
import { type MessageQuery, searchMessages } from '../support/reference-messages.ts'
import { metricLines } from '../support/reference-metrics.ts'
import { operators } from '../support/reference-operators.ts'
import { populationOf, type Window } from '../support/reference-population.ts'
import { select } from '../support/reference-traceql.ts'
import { invalidRows } from '../support/reference-validity.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const casesPerSeed = 20
const seeds = Array.from({ length: 60 }, (_, position) => position + 1)

function casesOf(seed: number) {
  const random = seededRandom(seed)
  const traces = randomTraces(random, { org: `fuzz-${seed}` })
  return { traces, queries: Array.from({ length: casesPerSeed }, () => randomQuery(random, traces)) }
}

const cases = seeds.map(casesOf)
const queries = cases.flatMap(({ traces, queries }) => queries.map((query) => ({ traces, query })))

describe('random cases', () => {
  it('are the same for the same seed', () => expect(casesOf(7)).toEqual(cases[6]))

  it('have only valid rows', () => {
    const faults = queries.filter(({ query }) => invalidRows(query.rows).rows.length > 0)
    expect(faults).toEqual([])
  })

  it('usually find something, and rarely everything', () => {
    const found = queries.map(({ traces, query }) => {
      const population = populationOf(traces.rows, traces.org, query)
      const all = new Set(population.map((span) => span.traceId)).size
      return { found: searchMessages(population, query).length, all }
    })
    const some = found.filter((answer) => answer.found > 0).length
    const everything = found.filter((answer) => answer.found > 0 && answer.found === answer.all).length
    expect(some / found.length).toBeGreaterThan(0.5)
    expect(everything / found.length).toBeLessThan(0.4)
  })

  it.each(operators)(
    '%s decides: it is in queries that find something and in queries that find nothing',
    (operator) => {
      const answers = queries
        .filter(({ query }) => query.rows.some((row) => row.operator === operator))
        .map(({ traces, query }) => searchMessages(populationOf(traces.rows, traces.org, query), query).length > 0)
      expect(answers.filter(Boolean).length).toBeGreaterThan(5)
      expect(answers.filter((answer) => !answer).length).toBeGreaterThan(1)
    },
  )

  it.each([
    ['searches', findsMessages(randomSearch), 0.5],
    ['queries with relations', findsMessages(randomSearchWithRelations), 0.5],
    ['TraceQL', traceQlFindsSpans, 1 / 3],
    ['log queries', findsLogs, 0.5],
    ['metric queries', findsPoints, 0.5],
  ] as const)('usually find something when they are %s', (_, results, least) => {
    const found = seeds.flatMap(results)
    expect(found.filter(Boolean).length / found.length).toBeGreaterThan(least)
  })

  it('contain repeated rows, orphans, self-parents, roots, spans of 1970 and services without a name', () => {
    const rows = cases.flatMap(({ traces }) => traces.rows)
    const shares = {
      repeated: cases.some(({ traces }) => distinctSpans(traces.rows).length < traces.rows.length),
      late: cases.some(({ traces }) => traces.batches.length > 1),
      selfParents: rows.some((row) => row.parentId === row.spanId),
      roots: rows.some((row) => row.parentId === ''),
      of1970: rows.some((row) => row.startNs < drawnStartNs),
      nameless: rows.some((row) => row.resourceAttributes.every(([key]) => key !== 'service.name')),
      orphans: rows.some((row) => row.parentId === `0${(1_000_001).toString(16).padStart(15, '0')}`),
    }
    expect(Object.entries(shares).filter(([, present]) => !present)).toEqual([])
  })
})

/** Draws traces and queries on them, and returns for each query whether it finds some message. */
function findsMessages(draw: (random: Random, traces: RandomTraces) => MessageQuery & Window) {
  return (seed: number): boolean[] => {
    const random = seededRandom(seed)
    const traces = randomTraces(random, { org: `fuzz-${seed}` })
    return everyCase(() => {
      const query = draw(random, traces)
      return searchMessages(populationOf(traces.rows, traces.org, query), query).length > 0
    })
  }
}

function traceQlFindsSpans(seed: number): boolean[] {
  const random = seededRandom(seed)
  const traces = randomTraces(random, { org: `fuzz-${seed}` })
  const grouped = [...groupByTrace(distinctSpans(traces.rows)).values()]
  return everyCase(() => {
    const query = randomTraceQl(random, traces)
    return grouped.some((trace) => select(query, trace).length > 0)
  })
}

function findsLogs(seed: number): boolean[] {
  const random = seededRandom(seed)
  const logs = randomLogs(random)
  return everyCase(() => searchLogs(logs.records, randomLogQuery(random, logs)).length > 0)
}

function findsPoints(seed: number): boolean[] {
  const random = seededRandom(seed)
  const metrics = randomMetrics(random)
  return everyCase(() => metricLines(metrics.series, randomMetricQuestion(random, metrics)).length > 0)
}

function everyCase(findsSomething: () => boolean): boolean[] {
  return Array.from({ length: casesPerSeed }, findsSomething)
}
