import { describe, expect, it } from 'vitest'
import { randomQuery } from '../support/random-query.ts'
import { seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { distinctSpans } from '../support/reference-descendants.ts'
import { searchMessages } from '../support/reference-messages.ts'
import { operators } from '../support/reference-operators.ts'
import { populationOf } from '../support/reference-population.ts'
import { invalidRows } from '../support/reference-validity.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const seeds = Array.from({ length: 60 }, (_, position) => position + 1)

function casesOf(seed: number) {
  const random = seededRandom(seed)
  const traces = randomTraces(random, { org: `fuzz-${seed}`, startNs: drawnStartNs })
  return { traces, queries: Array.from({ length: 20 }, () => randomQuery(random, traces)) }
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

  it('contain repeated rows, orphans, self-parents and roots', () => {
    const rows = cases.flatMap(({ traces }) => traces.rows)
    const shares = {
      repeated: cases.some(({ traces }) => distinctSpans(traces.rows).length < traces.rows.length),
      late: cases.some(({ traces }) => traces.batches.length > 1),
      selfParents: rows.some((row) => row.parentId === row.spanId),
      roots: rows.some((row) => row.parentId === ''),
      orphans: rows.some((row) => row.parentId === `0${(1_000_001).toString(16).padStart(15, '0')}`),
    }
    expect(Object.entries(shares).filter(([, present]) => !present)).toEqual([])
  })
})
