/** Every query that sql/ can make, for tests that hold for all of them. */

import { raise } from '../../server/problem/problem.ts'
import {
  attributeValues,
  candidateMessages,
  checkTraceQl,
  claimsOf,
  classificationCounts,
  explainedFields,
  explainedSpans,
  explainedValues,
  findPlaces,
  foundSpans,
  type GroupAttribute,
  hashOfText,
  hotAttributeCounts,
  indexedValueCounts,
  largestGroups,
  lastCatalogMetric,
  linkingSpans,
  linkingTraces,
  logPositions,
  logRecordDetails,
  logRecordsOfTrace,
  type MeasuredSpans,
  type MetricQuery,
  matchedSteps,
  matchingTraceIds,
  measuredSeries,
  measuredValues,
  messageBreakdown,
  messageCounts,
  messageDetails,
  messageHistogram,
  messagePositions,
  metricCatalog,
  metricData,
  metricPoints,
  metricStreams,
  newestLogRecords,
  newestMessages,
  newestResources,
  newestSeriesResources,
  type Places,
  parseMessageFilter,
  placesOfTraces,
  profiledSpans,
  rankedMessages,
  recordsWithin,
  repeatsOfTraces,
  resourceAttributeLists,
  ruleCounts,
  type ServiceRules,
  type Slice,
  type Sql,
  seriesWithIds,
  serviceProfiles,
  servicesAfter,
  sliceCalls,
  sliceDiff,
  sliceStats,
  spanAttributePaths,
  spanAttributeTags,
  spansOutside,
  type TimeWindow,
  timesOfTrace,
  traceExists,
  traceNodes,
  traceOutlines,
  traceSpans,
  tracesBefore,
  tracesWithSpan,
  type WidgetQuery,
  widgetData,
} from '../../sql/index.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import { toSlice } from '../support/slice-rows.ts'
import { comparisonQueries } from './comparison-queries.ts'

/** The subject of the queries. */
export interface QuerySubject {
  readonly window: TimeWindow
  /** Decimal texts of the ids of traces, series and log records. */
  readonly traceIds: readonly [string, ...string[]]
  readonly seriesIds: readonly string[]
  readonly logIds: readonly string[]
}

export const slices: Record<string, Slice> = Object.fromEntries(
  (['any', 'all'] as const).flatMap((rule_match) =>
    [false, true].map((include_descendants) => {
      const matchers = ['web', 'bank'].map((service) => ({
        match_group: service,
        service,
        service_match: 'exact' as const,
        include_descendants,
        attribute_key: 'tenant',
        operator: 'equals' as const,
        value: 't-1',
      }))
      return [`${rule_match}${include_descendants ? ' with child spans' : ''}`, toSlice({ rule_match, matchers })]
    }),
  ),
)

/** The length of the parts of a window by which spans of services are counted. */
const countedNs = 14_000_000_000n

const rows = parseMessageRows([
  { attribute_key: 'tenant', operator: 'eq', value: 't-1', includeDescendants: true },
  { attribute_key: 'tenant', operator: 'neq', value: 't-2' },
])

const fieldRows = parseMessageRows([
  { attribute_source: 'message', attribute_key: 'duration_ms', operator: 'gt', value: 5 },
])

const related = parseMessageFilter({
  relations: ['followed_by', 'not_contains', 'called_by'].map((kind) => ({
    kind,
    from: [{ attribute_key: 'tenant', operator: 'eq', value: 't-1' }],
    to: [{ attribute_key: 'tenant', operator: 'neq', value: 't-2' }],
    ...(kind === 'followed_by' ? { within_ms: 1_000 } : {}),
  })),
})

const { spansets } = checkTraceQl(
  '({ rootName = "step 0" } &>> { .tenant = "t-1" }) && ({ } < { duration > 1ns } | count() > 0)',
)

const route = { attributes: [{ source: 'any', key: 'http.route' }], reading: 'text' } as const
const widget: WidgetQuery = {
  service: 'web',
  spans: { kind: 'all' },
  rules: [],
  measures: ['count'],
  groupings: [route],
  groupsMax: 10,
}

const groupBy: readonly GroupAttribute[] = [{ source: 'any', key: 'tenant' }, { field: 'root.name' }]

const ofWeb: ServiceRules = { service: 'web', rules: [] }

const measured: MeasuredSpans = { measure: 'p95_ms', conditions: [], service: 'web' }
/** Makes every query, by the name of the function that compiles it. */
export function everyQuery({
  window,
  traceIds,
  seriesIds,
  logIds,
}: QuerySubject): Record<string, (slice: Slice) => Sql> {
  const lengthNs = window.toNs - window.fromNs
  const series = {
    fromNs: window.fromNs + lengthNs / 2n,
    intervalNs: lengthNs / 4n + 1n,
    points: 2,
    windowNs: lengthNs / 2n,
  }
  const metricQuery: MetricQuery = {
    metric: 'a',
    conditions: [],
    stream: { kind: 'sum', unit: '' },
    aggregation: 'rate',
    groupBy: [],
    groupsMax: 1,
    window,
  }
  return {
    ...messageQueries({ window, traceIds }),
    ...comparisonQueries({ window, traceIds, rows, related }),
    attributeValues: () => attributeValues({ source: 'any', key: 'tenant' }, { prefix: 't', limit: 10 }),
    classificationCounts: () => classificationCounts(ofWeb, { countedNs }),
    explainedFields: (slice) =>
      explainedFields({ rows: fieldRows, slice }, traceIds[0], { step_count: 1, failed_step_count: 0 }),
    explainedSpans: (slice) => explainedSpans({ ...related, rows, slice }, traceIds[0]),
    explainedValues: () => explainedValues(traceIds[0], ['1'], [{ source: 'any', key: 'tenant' }]),
    spansOutside: (slice) => spansOutside({ rows, slice }, traceIds[0], window, [0]),
    hotAttributeCounts: () => hotAttributeCounts(),
    logRecordsOfTrace: () => logRecordsOfTrace(traceIds[0], { limit: 10 }),
    measuredSeries: () => measuredSeries(measured, series),
    measuredValues: (slice) => measuredValues([measured], slice),
    metricData: () => metricData(metricQuery),
    metricPoints: () => metricPoints({ metric: 'a', conditions: [] }, { limit: 100 }),
    newestResources: () => newestResources(['web']),
    newestSeriesResources: () => newestSeriesResources(['web'], ['a']),
    metricStreams: () => metricStreams({ metric: 'a', conditions: [] }),
    resourceAttributeLists: () => resourceAttributeLists(),
    seriesWithIds: () => seriesWithIds('a', seriesIds),
    ruleCounts,
    sliceCalls,
    sliceDiff: (after) =>
      sliceDiff({ before: slices['all with child spans'] ?? after, after }, { messagesMax: 20, servicesMax: 10 }),
    sliceStats,
    spanAttributePaths: () => spanAttributePaths(),
    spanAttributeTags: () => spanAttributeTags(['tenant']),
    ...indexQueries(window, traceIds),
    ...listQueries(),
    ...logQueries(window, logIds),
    repeatsOfTraces: () => repeatsOfTraces(traceIds, ['1', '2']),
    widgetData: () => widgetData(widget, { window }),
  }
}

/** Returns the queries of log records. */
function logQueries(window: TimeWindow, logIds: QuerySubject['logIds']): Record<string, (slice: Slice) => Sql> {
  return {
    logPositions: () => logPositions([], { bounds: {}, order: 'oldest', limit: 10 }),
    logRecordDetails: () => logRecordDetails(logIds, {}),
    newestLogRecords: () => {
      const places: Places = { slots: [{ fromNs: window.fromNs, slots: 5n }], range: window }
      return newestLogRecords([], { bounds: { places }, limit: 10 })
    },
  }
}

/** Returns the queries of pages of services and of the catalog of metrics. */
function listQueries(): Record<string, (slice: Slice) => Sql> {
  return {
    metricCatalog: () => metricCatalog({ prefix: 'a', limit: 100, lastMetric: 'b' }),
    lastCatalogMetric: () => lastCatalogMetric({ prefix: 'a', limit: 0 }),
    servicesAfter: () => servicesAfter(['a', 0n], 100),
    serviceProfiles: () => serviceProfiles({ rules: [ofWeb], countedNs }),
  }
}

/** The span of which the queries look for links. */
export const linkedSpan = { hexTraceId: '5b8efff798038103d269b633813fc60c', hexSpanId: 'eee19b7ec3c1b174' } as const

/** Makes the queries about messages. */
function messageQueries({
  window,
  traceIds,
}: Pick<QuerySubject, 'window' | 'traceIds'>): Record<string, (slice: Slice) => Sql> {
  return {
    candidateMessages: (slice) =>
      candidateMessages({ rows, slice }, { bounds: { fromNs: window.fromNs - 1n }, limit: 10 }),
    messageCounts: (slice) => messageCounts({ rows, slice }),
    matchedSteps: (slice) => matchedSteps({ ...related, rows, slice }, traceIds[0]),
    matchingTraceIds: (slice) => matchingTraceIds({ ...related, slice }, 10),
    messageBreakdown: (slice) => messageBreakdown({ rows, slice }, groupBy, 10),
    largestGroups: (slice) => largestGroups({ rows, slice }, groupBy, 10),
    foundSpans: () => foundSpans({ traceIds, spanIds: ['1'], attributes: [{ source: 'any', key: 'tenant' }] }),
    messageHistogram: (slice) =>
      messageHistogram(
        { rows, slice },
        { stepNs: 1_000_000_000n, hasBands: true, groupBy, groups: [[0, 't-1', 'buy']] },
      ),
    messageDetails: (slice) => messageDetails({ ...related, rows, slice }, { traceIds, fromNs: window.fromNs }),
    messagePositions: (slice) => messagePositions({ rows, slice, spansets }, 'oldest', 10),
    newestMessages: (slice) => newestMessages({ rows, slice }, { bounds: { fromNs: window.fromNs - 1n }, limit: 10 }),
    linkingSpans: () => linkingSpans(linkedSpan, 100, { traceIds }),
    linkingTraces: () => linkingTraces(linkedSpan, 1_001),
    traceExists: () => traceExists(traceIds[0]),
    tracesBefore: () => tracesBefore(traceIds, window.toNs),
    traceNodes: () => traceNodes(traceIds[0]),
    traceOutlines: () => traceOutlines(traceIds[0]),
    profiledSpans: () => profiledSpans(traceIds[0], { rules: [ofWeb], limit: 10 }),
    traceSpans: () => traceSpans(traceIds[0]),
    rankedMessages: (slice) => rankedMessages({ rows, slice }, { order: 'longest', limit: 10 }),
  }
}

/** Makes the queries of the value index. */
function indexQueries(window: TimeWindow, traceIds: QuerySubject['traceIds']): Record<string, (slice: Slice) => Sql> {
  const middleNs = (window.fromNs + window.toNs) / 2n
  const fromNs = middleNs
  const places: Places = {
    slots: [{ fromNs, slots: 5n }, { fromNs }],
    traces: [[fromNs, traceIds[0]]],
    range: { fromNs, toNs: window.toNs },
    allBeforeNs: window.fromNs,
  }
  const options = { placesMax: 10, coveredFromNs: window.fromNs }
  const terms = [[1, 2], [3]]
  const keyHashes = ['tenant', 'http.route'].map((key) => hashOfText(key) >>> 0)
  return {
    indexedValueCounts: () => indexedValueCounts(keyHashes, { hashesMax: 10, retainedFromNs: window.toNs }),
    findPlaces: () => findPlaces([[terms], [[[3]]]], terms, options),
    placesOfTraces: () => placesOfTraces(traceIds, 1_000),
    recordsWithin: () => recordsWithin('spans', { fromNs: window.fromNs }),
    timesOfTrace: () => timesOfTrace(traceIds[0], options),
    tracesWithSpan: (slice) => {
      // Some slices alone make a whole claim; with these rows, none does.
      const claim = claimsOf({ rows: [], slice })[0] ?? claimsOf({ rows, slice })[0]
      const limits = { tracesMax: 10, stepsMax: 10 }
      return tracesWithSpan(claim ?? raise(new Error('The query has no claim.')), { places }, limits)
    },
  }
}
