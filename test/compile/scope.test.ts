import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { render, sql } from '../../sql/fragment.ts'
import {
  attributeValues,
  candidateMessages,
  classificationCounts,
  hotAttributeCounts,
  logRecordDetails,
  logRecordsOfTrace,
  type MeasuredSpans,
  type MetricQuery,
  measuredSeries,
  measuredValues,
  messageCounts,
  messageDetails,
  metricCatalogue,
  metricData,
  metricPoints,
  metricStreams,
  newestLogRecords,
  newestResources,
  parseMessageRows,
  renderInScope,
  resourceAttributeLists,
  type Scope,
  type ServiceRules,
  type Slice,
  type Sql,
  seriesWithIds,
  serviceProfiles,
  sliceCalls,
  sliceCounts,
  sliceServices,
  spanAttributePaths,
  spanAttributeTags,
  traceExists,
  traceSpans,
  type WidgetQuery,
  widgetData,
} from '../../sql/index.ts'
import { toSlice } from '../support/slice-facts.ts'

const window = { fromNs: 1n, toNs: 2n }
const scope: Scope = { org: 'acme', window }

const slices: Record<string, Slice> = Object.fromEntries(
  (['any', 'all'] as const).flatMap((rule_match) =>
    [false, true].map((include_descendants) => {
      const matchers = ['web', 'bank'].map((service) => ({
        ...{ match_group: service, service, service_match: 'exact' as const, include_descendants },
        ...{ attribute_key: 'tenant', operator: 'equals' as const, value: 't-1' },
      }))
      return [`${rule_match}${include_descendants ? ' with child spans' : ''}`, toSlice({ rule_match, matchers })]
    }),
  ),
)

const rows = parseMessageRows([
  { attribute_key: 'tenant', operator: 'eq', value: 't-1', includeDescendants: true },
  { attribute_key: 'tenant', operator: 'neq', value: 't-2' },
])

const route = { attributes: [{ source: 'any', key: 'http.route' }], reading: 'text' } as const
const widget: WidgetQuery = {
  ...{ service: 'web', spans: { kind: 'all' }, rules: [], measures: ['count'], groupings: [route], groupsMax: 10 },
}

const ofWeb: ServiceRules = { service: 'web', rules: [] }

const measured: MeasuredSpans = { measure: 'p95_ms', conditions: [], service: 'web' }
const moments = { fromNs: 1n, stepNs: 1n, points: 2, windowNs: 1n }

const metricQuery: MetricQuery = {
  ...{ metric: 'a', conditions: [], stream: { kind: 'sum', unit: '' }, aggregation: 'rate', groupBy: [], groupsMax: 1 },
  window,
}

/** Every query that sql/ makes, by the name of its maker. */
const queries: Record<string, (slice: Slice) => Sql> = {
  attributeValues: () => attributeValues({ source: 'any', key: 'tenant' }, { prefix: 't', limit: 10 }),
  candidateMessages: (slice) => candidateMessages({ rows, slice }, { narrowing: { fromNs: 0n }, limit: 10 }),
  classificationCounts: () => classificationCounts(ofWeb),
  hotAttributeCounts: () => hotAttributeCounts(),
  logRecordDetails: () => logRecordDetails(['1'], {}),
  logRecordsOfTrace: () => logRecordsOfTrace('1', { limit: 10 }),
  measuredSeries: () => measuredSeries(measured, moments),
  measuredValues: (slice) => measuredValues([measured], slice),
  messageCounts: (slice) => messageCounts({ rows, slice }),
  messageDetails: (slice) => messageDetails({ rows, slice }, ['1']),
  metricCatalogue: () => metricCatalogue({ prefix: 'a', limit: 1 }),
  metricData: () => metricData(metricQuery),
  metricPoints: () => metricPoints({ metric: 'a', conditions: [] }, { limit: 1 }),
  newestResources: () => newestResources(['web']),
  metricStreams: () => metricStreams({ metric: 'a', conditions: [] }),
  newestLogRecords: () => newestLogRecords([], { narrowing: {}, limit: 10 }),
  resourceAttributeLists: () => resourceAttributeLists(),
  seriesWithIds: () => seriesWithIds('a', ['1']),
  serviceProfiles: () => serviceProfiles({ rules: [ofWeb] }),
  sliceCalls,
  sliceCounts,
  sliceServices,
  spanAttributePaths: () => spanAttributePaths(),
  spanAttributeTags: () => spanAttributeTags(['tenant']),
  traceExists: () => traceExists('1'),
  traceSpans: () => traceSpans('1'),
  widgetData: () => widgetData(widget, { window }),
}

/** What stands beside makers of queries: how their rows are read, and with which settings they run. */
const besides = ['profileSettings', 'readProfile', 'widgetSettings']

const cases = Object.entries(queries).flatMap(([name, make]) =>
  Object.entries(slices).map(([title, slice]) => [name, title, make(slice), slice] as const),
)

it('every query of sql/ is among those asked here', () => {
  const door = readFileSync(new URL('../../sql/index.ts', import.meta.url), 'utf8')
  const exported = [
    ...door.matchAll(/^export \{([^}]*)\} from '\.\/compile\/(?!attribute|scope|slice|[a-z-]*surface)/gm),
  ]
  const made = exported.flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
  const values = made.filter((name) => /^[a-z]\w*$/.test(name))
  expect(values.sort()).toEqual([...Object.keys(queries), ...besides].sort())
})

it.each(cases)('%s over %s is not rendered without a scope', (_, __, query) => {
  expect(() => render(query)).toThrow('before it was given its scope')
})

it('a query that reads no telemetry cannot have been given its scope', () => {
  expect(() => renderInScope(sql`SELECT 1`, scope)).toThrow('could not be applied')
})

it.each(cases)(
  '%s over %s reads telemetry of one organization and window wherever it reads any',
  (_, __, query, slice) => {
    for (const granted of [undefined, [], [slice], Object.values(slices)]) {
      const { text, params } = renderInScope(query, { ...scope, ...(granted && { granted }) })
      const places = text.split(tables).slice(1)
      expect(places.length).toBeGreaterThan(0)
      for (const place of places) {
        const [, org = '', from = '', to = ''] = scoped.exec(place) ?? []
        expect([params[org], params[from], params[to]], place).toEqual(['acme', '1', '2'])
      }
    }
  },
)

const tables = /\b(?:spans|log_records|metric_points|metric_series)\b/
const bound = (type: string) => `\\{(p\\d+):${type}\\}`
const moment = `fromUnixTimestamp64Nano\\(${bound('Int64')}, 'UTC'\\)`
const scoped = new RegExp(
  `^(?: FINAL)? WHERE \\(org = ${bound('String')} AND \\w+ >= ${moment} AND \\w+ < ${moment} AND `,
)
