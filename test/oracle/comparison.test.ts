import { expect, it } from 'vitest'
import { compareMessages, shrinkRows } from '../fuzz/compare-messages.ts'
import type { MessageSubject, RequestBody } from '../fuzz/message-subject.ts'
import { randomQuery } from '../support/random-query.ts'
import { seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { countMessages, type MessageQuery, pageAfter, type Row, searchMessages } from '../support/reference-messages.ts'
import { populationOf } from '../support/reference-population.ts'
import { fromRfc3339 } from '../support/reference-time.ts'
import { toWireMessage } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

/** A subject that uses the reference after applying mistakes to its rows and queries. */
function subjectOver(
  rows: readonly SpanModel[],
  mistake: { readonly rows?: (rows: readonly SpanModel[]) => SpanModel[]; readonly query?: (row: Row) => Row },
): MessageSubject {
  const ask = (org: string, body: RequestBody) => {
    const window = { fromNs: fromRfc3339(body.from), toNs: fromRfc3339(body.to) }
    const query: MessageQuery = {
      rows: body.rows.map(mistake.query ?? ((row) => row)),
      ...(body.status && { status: body.status }),
    }
    return { population: populationOf(mistake.rows?.(rows) ?? rows, org, window), query }
  }
  return {
    store: async () => {},
    createIntegration: () => Promise.reject(new Error('No query names an integration.')),
    count: async (org, body) => {
      const { population, query } = ask(org, body)
      return countMessages(population, query)
    },
    search: async (org, { limit, cursor, ...body }) => {
      const { population, query } = ask(org, body)
      const found = searchMessages(population, query)
      const after = found.find((message) => message.traceId === cursor) ?? null
      const page = pageAfter(found, after, limit)
      const last = page.at(-1)
      const isLastPage = last === undefined || last === found.at(-1)
      return { messages: page.map(toWireMessage), next_cursor: isLastPage ? null : last.traceId }
    },
  }
}

/** Few queries meet some mistakes, such as one about equal numbers. */
const worldsMax = 600

function worldOf(seed: number) {
  const random = seededRandom(seed)
  const traces = randomTraces(random, { org: `org-${seed}`, startNs: drawnStartNs })
  return { traces, queries: Array.from({ length: 20 }, () => randomQuery(random, traces)) }
}

/** Returns the first difference that is reported in some worlds. */
async function firstDifference(
  mistake: Parameters<typeof subjectOver>[1],
  worldCount = worldsMax,
): Promise<string | undefined> {
  for (let seed = 0; seed < worldCount; seed++) {
    const { traces, queries } = worldOf(seed)
    for (const query of queries) {
      const { difference } = await compareMessages(subjectOver(traces.rows, mistake), traces, query)
      if (difference !== undefined) return difference
    }
  }
  return undefined
}

it('a correct subject has no reported difference', async () => expect(await firstDifference({}, 15)).toBeUndefined())

it.each<[string, Parameters<typeof subjectOver>[1]]>([
  ['child spans are forgotten', { query: ({ includeDescendants: _, ...row }) => row }],
  [
    'exists is true of a carried value only',
    { query: (row) => (row.operator === 'exists' ? { ...row, operator: 'neq', value: '' } : row) },
  ],
  [
    'numbers compare as texts only',
    { query: (row) => (row.operator === 'eq' ? { ...row, operator: 'matches', value: `^\\Q${row.value}\\E$` } : row) },
  ],
  ['bounds are taken as exclusive', { query: (row) => (row.operator === 'gte' ? { ...row, operator: 'gt' } : row) }],
  [
    'span attributes only',
    { query: (row) => (row.attribute_source === undefined ? { ...row, attribute_source: 'span' } : row) },
  ],
  ['a late span is missed', { rows: (rows) => rows.slice(0, -1) }],
  ['ints are rounded to doubles', { rows: (rows) => rows.map(withRoundedInts) }],
])('a wrong subject is detected: %s', async (_, mistake) => {
  expect(await firstDifference(mistake)).toBeDefined()
})

it('a difference is reported with the fewest rows that show it', async () => {
  const mistake = { query: ({ includeDescendants: _, ...row }: Row): Row => row }
  for (let seed = 0; seed < worldsMax; seed++) {
    const { traces, queries } = worldOf(seed)
    const subject = subjectOver(traces.rows, mistake)
    const wrong = await firstWrong(subject, traces, queries)
    if (wrong === undefined || wrong.rows.length < 2) continue
    const report = await shrinkRows(subject, traces, wrong, '')
    const rows: Row[] = JSON.parse(/query (.*) in pages/.exec(report)?.[1] ?? '{}').rows
    expect(rows.length).toBeLessThanOrEqual(wrong.rows.length)
    expect(rows.some((row) => row.includeDescendants === true)).toBe(true)
    return
  }
  throw new Error('No world showed the mistake.')
})

async function firstWrong(
  subject: MessageSubject,
  traces: RandomTraces,
  queries: readonly ReturnType<typeof randomQuery>[],
) {
  for (const query of queries) {
    if ((await compareMessages(subject, traces, query)).difference !== undefined) return query
  }
  return undefined
}

function withRoundedInts(row: SpanModel): SpanModel {
  const attributes = row.attributes.map(([key, value]) =>
    'intValue' in value
      ? ([key, { intValue: String(BigInt(Number(value.intValue))) }] as const)
      : ([key, value] as const),
  )
  return { ...row, attributes }
}
