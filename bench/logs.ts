/** Measures a page of log records, newest first, for conditions that need different parts of the window. */
import type { ClickHouse } from '../server/clickhouse/client.ts'
import { createLearnedLogs } from '../server/logs/log-places.ts'
import { searchLogs } from '../server/logs/log-search.ts'
import { logRecords, parseConditions, type RawCondition, type Scope } from '../sql/index.ts'
import { indexValues, windowFromNs, windowToNs } from './dataset.ts'
import { measureIndexedLogs } from './indexed-ingest.ts'
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
  'a key of one record in 10,000': [{ attribute_key: 'rare.77', operator: 'exists' }],
  'a text in one body of five': [inBody('contains', 'declined')],
  'a text in no body': [inBody('contains', 'zebra')],
  'a pattern in no body': [inBody('matches', 'zeb[a-z]+ra')],
}

/** Conditions whose records the value index finds, which are also searched without it. */
const indexed = ['one customer in 10,000', 'no attribute has the value', 'a key of one record in 10,000']

export const logs: Section = {
  name: 'logs',
  async run({ server, seed, runs, progress }) {
    const { clickhouse } = server
    await loadLogs(clickhouse, { records, seed, progress })
    await indexValues({ server, progress })
    const figures: Figure[] = []
    for (const mode of ['off', 'auto'] as const) {
      const learned = createLearnedLogs({
        now: () => new Date(),
        config: { valueIndex: mode },
      })
      for (const [name, raw] of Object.entries(questions)) {
        if (mode === 'off' && !indexed.includes(name)) continue
        const conditions = parseConditions(raw, logRecords)
        const ask = (metered: ClickHouse) => {
          const telemetry = { clickhouse: metered, scope, signal, isBackground: false }
          return searchLogs({ telemetry, conditions, limit: 50, learned })
        }
        figures.push(await measure(clickhouse, mode === 'off' ? `${name}, without the index` : name, runs, ask))
      }
    }
    const title = `## ${records} log records, in the server's process`
    return [title, figuresTable('search page of 50', figures), await measureIndexedLogs({ seed, progress })].join(
      '\n\n',
    )
  },
}
