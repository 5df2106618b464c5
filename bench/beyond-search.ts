/** Queries beyond the search (docs/questions.md), each side by side with the count over the same messages. */
import type { Api } from './api.ts'
import { loadWorstCase } from './dataset.ts'
import { cpuMsOf, measureOneClient, msOf, type OneClientFigure, oneClientTable } from './http-figure.ts'
import { openQuestions, type Search, searchWindow } from './questions.ts'
import type { Bench, Section } from './section.ts'
import { markdownTable, type Spread, spreadOf } from './spread.ts'

const org = 'beyond-search'

/** A request that is compared with a count. */
interface Variant {
  readonly name: string
  /** The most that it may cost, as a multiple of the count. */
  readonly timesMax: number
  readonly ask: (api: Api, search: Search) => Promise<unknown>
  /** The variant whose cost is added to that of the count, by its name. */
  readonly beside?: string
}

const searchNames = ['any', 'all', 'one trace in 10,000', 'child spans of one tenant in 100, status error'] as const
const withChanges = { any: 'any', all: 'all', 'all, descendants on both rules': 'all' } as const

const withDescendants = ['all, descendants on both rules'] as const

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
    timesMax: 2,
    ask: (api, search) => api.post('/messages/histogram', { ...search, ...byRoute }),
  },
]

const tenant = { service: 'checkout', attribute_key: 'tenant', operator: 'exists' }
const route = { service: 'ledger', attribute_key: 'http.route', operator: 'prefix', value: '/api' }

const changedMatchers = {
  'one tenant of all': [{ ...tenant, operator: 'equals', value: 't-7' }, route],
  'one more rule': [tenant, route, { service: 'service-7' }],
  'child spans': [{ ...tenant, include_descendants: true }, route],
} as const

/**
 * Returns changes of an integration, beside the counts of its messages and of those that it would have. A comparison of
 * two slices cannot cost less than counting the larger one, so both counts are the measure.
 */
async function openChanges(api: Api, integration: string, rule_match: 'any' | 'all'): Promise<Variant[]> {
  const variants: Variant[] = []
  for (const [name, matchers] of Object.entries(changedMatchers)) {
    const proposed = { name: `${integration}, ${name}`, rule_match, matchers }
    const { id: integration_id } = await api.post<{ id: string }>('/integrations', proposed)
    const count = { name: `count, ${name}`, timesMax: Number.POSITIVE_INFINITY }
    variants.push(
      { ...count, ask: (to, search) => to.post('/messages/count', { ...search, integration_id }) },
      { name: `diff, ${name}`, timesMax: 1, ask: diff(matchers), beside: count.name },
    )
  }
  return variants
}

function diff(matchers: readonly object[]): Variant['ask'] {
  return (api, { from, to, integration_id }) => api.post(`/integrations/${integration_id}/diff`, { from, to, matchers })
}

const checkout = [
  { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'checkout' },
] as const
const ledger = [{ ...checkout[0], value: 'ledger' }] as const
const slowLedger = [...ledger, { attribute_key: 'http.status_code', operator: 'eq', value: 500 }] as const

/** Counts of relations alone, beside a count with descendants. */
const relations: readonly Variant[] = [
  { name: 'followed by', timesMax: 2, ask: related({ kind: 'followed_by', within_ms: 5 }) },
  { name: 'not followed by', timesMax: 2, ask: related({ kind: 'not_followed_by', within_ms: 5 }) },
  { name: 'contains', timesMax: 2, ask: related({ kind: 'contains' }) },
  { name: 'not called by', timesMax: 2, ask: related({ kind: 'not_called_by', from: slowLedger, to: checkout }) },
]

function related(relation: { readonly kind: string } & Readonly<Record<string, unknown>>): Variant['ask'] {
  const body = { ...searchWindow, relations: [{ from: checkout, to: slowLedger, ...relation }] }
  return (api) => api.post('/messages/count', body)
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
    for (const name of searchNames) tables.push(await compareWithCount(bench, api, name, searches[name], variants))
    for (const [name, rule_match] of Object.entries(withChanges)) {
      const changes = await openChanges(api, name, rule_match)
      const search = searches[name as keyof typeof withChanges]
      tables.push(await compareWithCount(bench, api, `${name}: changes`, search, changes))
    }
    for (const name of withDescendants)
      tables.push(await compareWithCount(bench, api, `${name}: relations`, searches[name], relations))
    return [
      `## Queries beyond the search: ${bench.spans} spans of the worst case`,
      'Each request runs in turns with the count over the same messages. A change is compared with the sum of that ' +
        'count and the one of the messages of the changed integration.',
      ...tables,
      'Comparisons with all other messages, or with those that are named. Target: a median of ' +
        `${comparisonMsMax} ms at 1.2 million spans.`,
      await measureComparisons(bench, api, searches),
    ].join('\n\n')
  },
}

const comparisonMsMax = 1_000
/** A comparison takes seconds. */
const comparisonRuns = 5

/** Another tenant than the one of the question. */
const otherTenant = { attribute_key: 'tenant', operator: 'eq', value: 't-8', includeDescendants: true } as const
const otherCustomer = { attribute_key: 'customer.id', operator: 'eq', value: '78' } as const

/**
 * Compares the messages of each search with all others of the window and integration, and of two searches with those of
 * another customer or tenant.
 */
async function measureComparisons(
  bench: Bench,
  api: Api,
  searches: Readonly<Record<(typeof searchNames)[number], Search>>,
): Promise<string> {
  const figures: OneClientFigure[] = []
  const measured = { server: bench.server, runs: Math.min(bench.runs, comparisonRuns) }
  const customer = searches['one trace in 10,000']
  const tenant = searches['child spans of one tenant in 100, status error']
  const bodies = [
    ...searchNames.map((name) => [name, { a: searches[name] }] as const),
    ['one trace in 10,000, with another customer', { a: customer, b: { ...customer, rows: [otherCustomer] } }],
    ['child spans of one tenant, with another tenant', { a: tenant, b: { ...tenant, rows: [otherTenant] } }],
  ] as const
  for (const [name, body] of bodies)
    figures.push(await measureOneClient(measured, name, () => api.post('/messages/compare', body)))
  return oneClientTable('compare', figures)
}

const runsUncounted = 2
const runsOfCpu = 3

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
  const cpu: number[] = []
  for (const { ask } of all) {
    const before = await cpuMsOf(bench.server)
    for (let run = 0; run < runsOfCpu; run++) await ask(api, search)
    cpu.push(((await cpuMsOf(bench.server)) - before) / runsOfCpu)
  }
  const rows: (string | number)[][] = []
  for (const [index, { name, timesMax, ask, beside }] of all.entries()) {
    const reads = await bench.server.readsOf(() => ask(api, search))
    const { median, p95 } = spreads[index] as Spread
    const measure = [0, ...(beside === undefined ? [] : [all.findIndex((other) => other.name === beside)])]
    const sum = (costs: readonly number[]) => measure.reduce((total, at) => total + (costs[at] ?? 0), 0)
    const times = [median / sum(spreads.map((spread) => spread.median)), (cpu[index] ?? 0) / sum(cpu)]
    const figures = [median, p95, cpu[index] ?? 0].map((ms) => ms.toFixed(1))
    rows.push([
      name,
      ...figures,
      ...times.map((each) => each.toFixed(2)),
      Number.isFinite(timesMax) ? timesMax : '',
      reads.queries,
      reads.rowsRead,
      (reads.bytesRead / 1e6).toFixed(1),
    ])
  }
  return markdownTable(
    [
      title,
      'median ms',
      'p95 ms',
      'CPU ms',
      'times the count',
      'in CPU time',
      'at most',
      'queries',
      'rows read',
      'MB read',
    ],
    rows,
  )
}
