/** Numbers of messages over time and by attribute. */
import {
  type Bounds,
  type BreakdownRow,
  type GroupRow,
  type HistogramRow,
  type LargestGroupRow,
  largestGroups,
  type MessageNumbersRow,
  type MessageQuery,
  messageBreakdown,
  messageHistogram,
  parseGroupBy,
  rfc3339OfNs,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { type Buckets, bucketsOf, histogramBuckets } from '../telemetry/buckets.ts'
import { telemetryIn } from '../telemetry/scope.ts'
import { msOfNs } from '../telemetry/time-units.ts'
import { readFilter } from './message-filter.ts'
import { type LearnedPlaces, type MatchingSpans, readMatches, spansOfMatches } from './search/matching-spans.ts'

type Bucket = components['schemas']['MessageBucket']
type GroupBy = ReturnType<typeof parseGroupBy>

/** The defaults of the API document. Requests reach handlers without them. */
const groupsDefault = 50
const seriesDefault = 10

export function totalsHandlers(
  deps: Deps,
  learned: LearnedPlaces,
): Handlers<'countMessagesOverTime' | 'countMessagesByAttribute'> {
  return {
    countMessagesOverTime: (request) => readHistogram(deps, learned, request),
    countMessagesByAttribute: (request) => readBreakdown(deps, learned, request),
  }
}

async function readBreakdown(deps: Deps, learned: LearnedPlaces, request: HandlerRequest<'countMessagesByAttribute'>) {
  const { group_by, limit = groupsDefault, ...filter } = request.body
  const { query, window, summary } = await readFilter(deps, request.caller, filter)
  const groupBy = parseGroupBy(group_by)
  const found = await spansOfMatches(learned, await telemetryIn(deps, request, window), query)
  const breakdown = (narrowed: MessageQuery, bounds: Bounds) => messageBreakdown(narrowed, groupBy, limit, bounds)
  const rows = await readMatches<BreakdownRow>(found, breakdown, 'message groups')
  const total = rows.find(({ is_total }) => is_total === 1)
  const groups = rows.filter(({ is_total }) => is_total === 0)
  const groupCount = Number(total?.group_count ?? 0)
  const body = {
    groups: groups.map((row) => ({
      values: valuesOf(row.message_group),
      ...numbersOf(row),
      matched_step_count: Number(row.matched_step_count),
    })),
    total: { ...numbersOf(total), matched_step_count: Number(total?.matched_step_count ?? 0) },
    group_count: groupCount,
    other_group_count: groupCount - groups.length,
    summary,
  }
  return { status: 200 as const, body }
}

async function readHistogram(deps: Deps, learned: LearnedPlaces, request: HandlerRequest<'countMessagesOverTime'>) {
  const { step_s, heatmap: hasBands = false, group_by = [], limit = seriesDefault, ...filter } = request.body ?? {}
  const { query, window, summary } = await readFilter(deps, request.caller, filter)
  const buckets = bucketsOf(window, step_s, histogramBuckets, '/step_s')
  const groupBy = parseGroupBy(group_by)
  const found = await spansOfMatches(learned, await telemetryIn(deps, request, window), query)
  const groups = groupBy.length === 0 ? [] : await readLargestGroups(found, groupBy, limit)
  const options = { stepNs: buckets.stepNs, hasBands, groupBy, groups }
  const histogram = (narrowed: MessageQuery, bounds: Bounds) => messageHistogram(narrowed, options, bounds)
  const rows = await readMatches<HistogramRow>(found, histogram, 'messages over time')
  const series = (number: number) => fillBuckets(rows, number, buckets, hasBands)
  const grouped = {
    series: groups.map((group, index) => ({ values: valuesOf(group), buckets: series(index + 1) })),
    other: series(groups.length + 1),
  }
  const body = { step_s: buckets.stepS, buckets: series(0), ...(groupBy.length === 0 ? {} : grouped), summary }
  return { status: 200 as const, body }
}

async function readLargestGroups(found: MatchingSpans, groupBy: GroupBy, limit: number): Promise<GroupRow[]> {
  const largest = (query: MessageQuery, bounds: Bounds) => largestGroups(query, groupBy, limit, bounds)
  const rows = await readMatches<LargestGroupRow>(found, largest, 'largest groups')
  return rows.map(({ message_group }) => message_group)
}

/** Returns every bucket of one series, those without messages too. */
function fillBuckets(rows: readonly HistogramRow[], series: number, buckets: Buckets, hasBands: boolean): Bucket[] {
  const ofSeries = new Map(rows.filter((row) => row.series === series).map((row) => [BigInt(row.bucket), row]))
  return Array.from({ length: buckets.count }, (_, index) => {
    const number = buckets.first + BigInt(index)
    const row = ofSeries.get(number)
    const bands = hasBands ? { bands: bandsOf(row?.bands) } : {}
    return { at: rfc3339OfNs(number * buckets.stepNs), ...numbersOf(row), ...bands }
  })
}

/** The unit of the ends of bands, in milliseconds. */
const bandUnitMs = 2 ** -20

function bandsOf([ends, counts]: HistogramRow['bands'] = [[], []]): components['schemas']['MessageBand'][] {
  return ends.map((end, index) => {
    const fromMs = Number(end) * bandUnitMs
    return { from_ms: fromMs, to_ms: fromMs === 0 ? bandUnitMs : 2 * fromMs, message_count: Number(counts[index]) }
  })
}

function valuesOf([isNull, ...texts]: GroupRow): (string | null)[] {
  return isNull === 1 ? texts.map(() => null) : texts
}

function numbersOf(row: MessageNumbersRow | undefined) {
  if (row === undefined) return { message_count: 0, error_message_count: 0, duration_ms: null }
  return {
    message_count: Number(row.message_count),
    error_message_count: Number(row.error_message_count),
    duration_ms: { p50: msOfNs(row.p50_ns), p95: msOfNs(row.p95_ns), max: msOfNs(row.max_ns) },
  }
}
