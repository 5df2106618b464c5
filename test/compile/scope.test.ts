import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { render, sql } from '../../sql/fragment.ts'
import { type Query, renderInScope, type Scope } from '../../sql/index.ts'
import { everyQuery, slices } from './every-query.ts'

const window = { fromNs: 1n, toNs: 2n }
const scope: Scope = { org: 'acme', window }
const queries = everyQuery({ window, traceIds: ['1'], seriesIds: ['1'], logIds: ['1'] })
const cluster = { name: 'shards', shardDatabase: 'acme_shard' }

/** Exports of compiler files that are not queries: readers of rows, settings, tables that are sent, and limits. */
const besides = [
  'askedSpansTable',
  'behindMetric',
  'claimsOf',
  'claimsOfLogs',
  'isAscending',
  'isFilterable',
  'positionOfText',
  'profileSettings',
  'readOfSeveral',
  'readProfile',
  'rulesPerGroup',
  'widgetSettings',
]

const cases = Object.entries(queries).flatMap(([name, make]) =>
  Object.entries(slices).map(([title, slice]) => [name, title, make(slice), slice] as const),
)

it('every query of sql/ is tested here', () => {
  const index = readFileSync(new URL('../../sql/index.ts', import.meta.url), 'utf8')
  const exported = [...index.matchAll(/^export \{([^}]*)\} from '\.\/compile\/(?!attribute|scope|slice)/gm)]
  const made = exported.flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
  const values = made.filter((name) => /^[a-z]\w*$/.test(name))
  expect(values.sort()).toEqual([...Object.keys(queries), ...besides].sort())
})

it.each(cases)('%s over %s is not rendered without a scope', (_, __, query) => {
  expect(() => render(query)).toThrow('before it was given its scope')
})

it('a query that reads no telemetry is refused', () => {
  expect(() => renderInScope(sql`SELECT 1`, scope)).toThrow('could not be applied')
})

it.each(cases)(
  '%s over %s reads telemetry of one organization and window wherever it reads any',
  (_, __, query, slice) => {
    for (const granted of [undefined, [], [slice], Object.values(slices)]) {
      const rendered = renderInScope(query, { ...scope, ...(granted && { granted }) })
      expectScoped(rendered)
      expectScoped(rendered.onCluster(cluster))
    }
  },
)

it.each(cases)('%s over %s shows a restricted caller spans only', (_, __, query, slice) => {
  const { text } = renderInScope(query, { ...scope, granted: [slice] })
  const reads = text.split(/\b(?:log_records|metric_points|metric_series)\b/).slice(1)
  for (const read of reads) expect(read).toContain(' AND 0 AND ')
})

it.each(cases)('%s over %s evaluates the filter of links over stored rows only', (_, __, query, slice) => {
  // With FINAL, the index would leave out the row without a link that replaces one with it.
  const { text } = renderInScope(query, { ...scope, granted: [slice] })
  expect(text.includes('extractAll(links') && text.includes(' FINAL')).toBe(false)
})

function expectScoped({ text, params }: Query): void {
  const [, ...reads] = text.split(tables)
  expect(reads.length).toBeGreaterThan(0)
  for (let at = 0; at < reads.length; at += 2) {
    const [table = '', read = ''] = reads.slice(at, at + 2)
    const [, org = '', from = '', to = '', fromExactly = '', toExactly = ''] = scoped.exec(read) ?? []
    expect([params[org], params[from], params[to]], read).toEqual(['acme', ...comparedTimes(table)])
    if (table === 'spans') expect([params[fromExactly], params[toExactly]], read).toEqual(['1', '2'])
  }
}

/** The times with which a read begins: those of the window, or of the intervals of ten seconds that contain it. */
function comparedTimes(table: string): readonly [from: string, to: string] {
  if (table === 'spans') return ['0', '10000000000']
  return [table === 'value_index' ? '0' : '1', '2']
}

const tables = /\b(value_index|spans|trace_intervals|repeated_spans|log_records|metric_points|metric_series)\b/
const bound = (type: string) => `\\{(p\\d+):${type}\\}`
const time = `fromUnixTimestamp64Nano\\(${bound('Int64')}, 'UTC'\\)`
const exactly = (comparison: string) => `toUInt8\\(start ${comparison} ${time}\\) AND `
const ofTraces = ' PREWHERE has\\(\\{p\\d+:Array\\(UInt128\\)\\}, trace_id\\)'
const scoped = new RegExp(
  `^(?: FINAL(?:${ofTraces})?)? WHERE ` +
    `\\(org = ${bound('String')} AND \\w+ >= ${time} AND \\w+ < ${time} AND ` +
    `(?:${exactly('>=')}${exactly('<')})?`,
)
