/** Measures a page of log records, newest first, for conditions that need different parts of the window. */
import type { ClickHouse } from '../server/clickhouse/client.ts'
import { searchLogs } from '../server/logs/log-search.ts'
import { createChunkLengths } from '../server/telemetry/chunk-lengths.ts'
import { logRecords, parseConditions, type RawCondition, type Scope } from '../sql/index.ts'
import { windowFromNs, windowToNs } from './dataset.ts'
import { loadLogs, logsOrg } from './logs-dataset.ts'
import { type Figure, figuresTable, measure } from './measure.ts'
import type { Section } from './section.ts'

const records = 1_000_000
const scope: Scope = { org: logsOrg, window: { fromNs: windowFromNs, toNs: windowToNs } }
const { signal } = new AbortController()
const inBody = (operator: string, value: string) => ({
  attribute_source: 'intrinsic',
  attribute_key: 'body',
  operator,
  value,
})

const questions: Readonly<Record<string, readonly RawCondition[]>> = {
  everything: [],
  'errors, one in six': [
    { attribute_source: 'intrinsic', attribute_key: 'severity_number', operator: 'gte', value: 17 },
  ],
  'one customer in 10,000': [{ attribute_key: 'customer.id', operator: 'eq', value: '77' }],
  'no attribute has the value': [{ attribute_key: 'customer.id', operator: 'eq', value: 'nobody' }],
  'a text in one body of five': [inBody('contains', 'declined')],
  'a text in no body': [inBody('contains', 'zebra')],
  'a pattern in no body': [inBody('matches', 'zeb[a-z]+ra')],
}

export const logs: Section = {
  name: 'logs',
  async run({ server: { clickhouse }, seed, runs, progress }) {
    await loadLogs(clickhouse, { records, seed, progress })
    const figures: Figure[] = []
    const chunkLengths = createChunkLengths()
    for (const [name, raw] of Object.entries(questions)) {
      const conditions = parseConditions(raw, logRecords)
      const ask = (metered: ClickHouse) =>
        searchLogs({
          telemetry: { clickhouse: metered, scope, signal, isBackground: false },
          conditions,
          limit: 50,
          chunkLengths,
        })
      figures.push(await measure(clickhouse, name, runs, ask))
    }
    return `## ${records} log records, in the server's process\n\n${figuresTable('search page of 50', figures)}`
  },
}
