/** Measures the compiler: from rows and matchers of a request to the text and parameters of a query. */
import { candidateMessages, messageCounts, parseMatchers, renderInScope, sliceOf } from '../sql/index.ts'
import { parseMessageRows } from '../sql/parse/message-query.ts'
import { windowFromNs, windowToNs } from './dataset.ts'
import type { Section } from './section.ts'
import { markdownTable, spreadOf } from './spread.ts'

const targetMs = 0.2
const batches = 20
const callsPerBatch = 200
/** Warm-up, until the JavaScript engine has optimized the code. */
const batchesUncounted = 10

const scope = { org: 'compile', window: { fromNs: windowFromNs, toNs: windowToNs } }

const rows = [
  { attribute_key: 'customer.id', operator: 'eq', value: '77', includeDescendants: true },
  { attribute_key: 'http.status_code', operator: 'neq', value: 500 },
] as const

const matchers = [
  { service: 'checkout', attribute_key: 'tenant', operator: 'exists', include_descendants: true },
  { service: 'ledger', attribute_key: 'http.route', operator: 'prefix', value: '/api' },
] as const

const works: Readonly<Record<string, () => unknown>> = {
  'search: two rows with child spans, `all` of two rules': () => {
    const query = { rows: parseMessageRows(rows), slice: sliceOf('all', parseMatchers(matchers)) }
    return renderInScope(candidateMessages(query, { bounds: { fromNs: windowFromNs }, limit: 51 }), scope)
  },
  'count: the same': () => {
    const query = { rows: parseMessageRows(rows), slice: sliceOf('all', parseMatchers(matchers)) }
    return renderInScope(messageCounts(query), scope)
  },
  'search: one row': () => {
    const query = { rows: parseMessageRows(rows.slice(0, 1)) }
    return renderInScope(candidateMessages(query, { bounds: { fromNs: windowFromNs }, limit: 51 }), scope)
  },
}

export const compile: Section = {
  name: 'compile',
  async run() {
    const figures = Object.entries(works).map(([name, work]) => {
      const { median, p95 } = spreadOf(timesOf(work))
      return [name, targetMs, median.toFixed(3), p95.toFixed(3)]
    })
    return [
      '## The compiler',
      [
        'From the rows and matchers of a request to the text and parameters of a query:',
        `CPU time of one call, in ${batches} batches of ${callsPerBatch} calls.`,
      ].join(' '),
      markdownTable(['parse, compile, scope and render', 'target ms', 'median CPU ms', 'p95 CPU ms'], figures),
    ].join('\n\n')
  },
}

/** Returns the CPU milliseconds of one call in each batch after the warm-up. */
function timesOf(work: () => unknown): number[] {
  const measured: number[] = []
  for (let batch = -batchesUncounted; batch < batches; batch++) {
    const before = process.cpuUsage()
    for (let call = 0; call < callsPerBatch; call++) work()
    const { user, system } = process.cpuUsage(before)
    if (batch >= 0) measured.push((user + system) / 1_000 / callsPerBatch)
  }
  return measured
}
