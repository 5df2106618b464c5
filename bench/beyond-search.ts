/** Queries beyond the search (docs/questions.md), each side by side with the count over the same messages. */
import type { Api } from './api.ts'
import { loadWorstCase } from './dataset.ts'
import { msOf } from './http-figure.ts'
import { openQuestions, type Search } from './questions.ts'
import type { Bench, Section } from './section.ts'
import { markdownTable, type Spread, spreadOf } from './spread.ts'

const org = 'beyond-search'

/** A request that is compared with a count. */
interface Variant {
  readonly name: string
  /** The most that it may cost, as a multiple of the count. */
  readonly timesMax: number
  readonly ask: (api: Api, search: Search) => Promise<unknown>
}

const asked = ['any', 'all', 'one trace in 10,000', 'child spans of one tenant in 100, status error'] as const
const withChanges = ['any', 'all', 'all, descendants on both rules'] as const

const slow = { attribute_source: 'message', attribute_key: 'duration_ms', operator: 'gte', value: 20 } as const
const manySteps = {
  attribute_source: 'message',
  attribute_key: 'matched_step_count',
  operator: 'gte',
  value: 2,
} as const
const byRoute = { group_by: [{ attribute_key: 'http.route' }], limit: 10 }

const variants: readonly Variant[] = [
  { name: 'count, a row on the duration', timesMax: 1.5, ask: (api, search) => countWith(api, search, slow) },
  { name: 'count, a row on the matched steps', timesMax: 1.5, ask: (api, search) => countWith(api, search, manySteps) },
  { name: 'page of 50, longest first', timesMax: 1.5, ask: page('longest') },
  { name: 'page of 50, most steps first', timesMax: 1.5, ask: page('most_steps') },
  { name: 'page of 50, oldest first', timesMax: 1.5, ask: page('oldest') },
  { name: 'histogram', timesMax: 2, ask: (api, search) => api.post('/messages/histogram', search) },
  {
    name: 'histogram with heatmap',
    timesMax: 2,
    ask: (api, search) => api.post('/messages/histogram', { ...search, heatmap: true }),
  },
  {
    name: 'breakdown by route',
    timesMax: 2,
    ask: (api, search) => api.post('/messages/breakdown', { ...search, ...byRoute }),
  },
  {
    name: 'histogram by route',
    timesMax: 4,
    ask: (api, search) => api.post('/messages/histogram', { ...search, ...byRoute }),
  },
]

const tenant = { service: 'checkout', attribute_key: 'tenant', operator: 'exists' }
const route = { service: 'ledger', attribute_key: 'http.route', operator: 'prefix', value: '/api' }

/** Changes of the integrations, beside the count of their messages. */
const changes: readonly Variant[] = [
  { name: 'diff, one tenant of all', timesMax: 2, ask: diff([{ ...tenant, operator: 'equals', value: 't-7' }, route]) },
  { name: 'diff, one more rule', timesMax: 2, ask: diff([tenant, route, { service: 'service-7' }]) },
  { name: 'diff, child spans', timesMax: 2, ask: diff([{ ...tenant, include_descendants: true }, route]) },
]

function diff(matchers: readonly object[]): Variant['ask'] {
  return (api, { from, to, integration_id }) => api.post(`/integrations/${integration_id}/diff`, { from, to, matchers })
}

function countWith(api: Api, search: Search, row: NonNullable<Search['rows']>[number]): Promise<unknown> {
  return api.post('/messages/count', { ...search, rows: [...(search.rows ?? []), row] })
}

function page(order: string): Variant['ask'] {
  return (api, search) => api.post('/messages/search', { ...search, order, limit: 50 })
}

export const beyondSearch: Section = {
  name: 'beyond-search',
  async run(bench) {
    await loadWorstCase(bench, org)
    const api = await bench.server.api(org)
    const { searches } = await openQuestions(api)
    const tables: string[] = []
    for (const name of asked) tables.push(await compareWithCount(bench, api, name, searches[name], variants))
    for (const name of withChanges)
      tables.push(await compareWithCount(bench, api, `${name}: changes`, searches[name], changes))
    return [
      `## Queries beyond the search: ${bench.spans} spans of the worst case`,
      'Each request runs in turns with the count over the same messages.',
      ...tables,
      `Comparisons with all other messages. Target: a median of ${comparisonMsMax} ms at 1.2 million spans.`,
      await measureComparisons(bench, api, searches),
    ].join('\n\n')
  },
}

const comparisonMsMax = 1_000

/** Compares the messages of each search with all others of the window and integration. */
async function measureComparisons(
  bench: Bench,
  api: Api,
  searches: Readonly<Record<(typeof asked)[number], Search>>,
): Promise<string> {
  const rows: (string | number)[][] = []
  for (const name of asked) {
    const compare = () => api.post('/messages/compare', { a: searches[name] })
    const times: number[] = []
    for (let run = 0; run < bench.runs; run++) times.push(await msOf(compare))
    const { median, p95 } = spreadOf(times)
    const reads = await bench.server.readsOf(compare)
    const [read, peak] = [reads.bytesRead / 1e6, reads.memoryBytes / 1e6].map((mb) => mb.toFixed(1))
    rows.push([name, median.toFixed(1), p95.toFixed(1), reads.queries, reads.rowsRead, `${read}`, `${peak}`])
  }
  return markdownTable(['compare', 'median ms', 'p95 ms', 'queries', 'rows read', 'MB read', 'peak MB'], rows)
}

const runsUncounted = 2

/** Runs the count and every variant in turns, so that other load on the machine affects all of them. */
async function compareWithCount(
  bench: Bench,
  api: Api,
  title: string,
  search: Search,
  compared: readonly Variant[],
): Promise<string> {
  const count: Variant = { name: 'count', timesMax: 1, ask: (to, body) => to.post('/messages/count', body) }
  const all = [count, ...compared]
  const times = all.map((): number[] => [])
  for (let run = -runsUncounted; run < bench.runs; run++)
    for (const [index, { ask }] of all.entries()) {
      const ms = await msOf(() => ask(api, search))
      if (run >= 0) times[index]?.push(ms)
    }
  const spreads = times.map(spreadOf)
  const rows: (string | number)[][] = []
  for (const [index, { name, timesMax, ask }] of all.entries()) {
    const reads = await bench.server.readsOf(() => ask(api, search))
    const { median, p95 } = spreads[index] as Spread
    const figures = [median.toFixed(1), p95.toFixed(1), (median / (spreads[0] as Spread).median).toFixed(2), timesMax]
    rows.push([name, ...figures, reads.queries, reads.rowsRead, (reads.bytesRead / 1e6).toFixed(1)])
  }
  return markdownTable(
    [title, 'median ms', 'p95 ms', 'times the count', 'at most', 'queries', 'rows read', 'MB read'],
    rows,
  )
}
