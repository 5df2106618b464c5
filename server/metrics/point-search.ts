import {
  checkConditions,
  type MetricPointRow,
  metricPoints,
  type SeriesRow,
  seriesRecords,
  seriesWithIds,
  type TimeWindow,
} from '#sql'
import type { Deps } from '../feature.ts'
import type { HandlerRequest } from '../http/contract/handlers.ts'
import { decodeSearchCursor, encodeSearchCursor, type SearchCursor } from '../http/cursor.ts'
import { pageSizeDefault } from '../http/paging.ts'
import { raise } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry, telemetryIn } from '../telemetry/scope.ts'
import { readWindow } from '../telemetry/time-window.ts'
import { toMetricPoint, toSeries } from './point-record.ts'

/** Finds the newest data points of the series of a metric that satisfy all conditions. */
export async function searchPoints(
  deps: Pick<Deps, 'clickhouse' | 'granted' | 'now'>,
  request: HandlerRequest<'searchMetricPoints'>,
) {
  const { cursor: sentCursor, limit = pageSizeDefault, ...filter } = request.body
  const cursorKey = ['metric points', request.caller.org, filter]
  const cursor = typeof sentCursor === 'string' ? decodeSearchCursor(cursorKey, sentCursor, '/cursor') : undefined
  const window = cursor?.window ?? readWindow(filter, deps.now(), '')
  const telemetry = await telemetryIn(deps, request, window)
  const conditions = checkConditions(filter.conditions ?? [], seriesRecords)
  const page = { limit: limit + 1, ...(cursor === undefined ? {} : { after: toPosition(cursor) }) }
  const points = metricPoints({ metric: filter.metric, conditions }, page)
  const rows = await readInScope<MetricPointRow>(telemetry, points, 'metric points')
  const shown = rows.slice(0, limit)
  const series = await readSeries(telemetry, filter.metric, shown)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    status: 200 as const,
    body: {
      items: shown.map((row) => toMetricPoint(row, series.get(row.series) ?? raise(missingSeries()))),
      next_cursor: last === undefined ? null : encodePointCursor(cursorKey, window, last),
    },
  }
}

/** Returns the error for a point without a series. Ingest stores the row of a series before its points. */
function missingSeries(): Error {
  return new Error('A point was stored without its series.')
}

async function readSeries(telemetry: ScopedTelemetry, metric: string, points: readonly MetricPointRow[]) {
  const ids = [...new Set(points.map(({ series }) => series))]
  if (ids.length === 0) return new Map<string, ReturnType<typeof toSeries>>()
  const rows = await readInScope<SeriesRow>(telemetry, seriesWithIds(metric, ids), 'metric points')
  return new Map(rows.map((row) => [row.series, toSeries(metric, row)]))
}

function encodePointCursor(cursorKey: unknown, window: TimeWindow, { ns, series }: MetricPointRow): string {
  return encodeSearchCursor(cursorKey, { after: { timeNs: BigInt(ns), id: series }, window })
}

function toPosition({ after }: Pick<SearchCursor, 'after'>) {
  return { ns: after.timeNs.toString(), series: after.id }
}
