import {
  checkConditions,
  type MetricPointRow,
  metricPoints,
  type SeriesRow,
  seriesRecords,
  seriesWithIds,
  type TimeWindow,
} from '#sql'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { decodeCursor, encodeCursor, pageSizeDefault } from '../http/paging.ts'
import { raise } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/read-in-scope.ts'
import { readWindow } from '../telemetry/time-window.ts'
import type { MetricHandlerParts } from './metric-handlers.ts'
import { toMetricPoint, toSeries } from './metric-point.ts'

/** Restricted callers are kept out by the API document: grants are of spans. */
export function pointHandlers(parts: MetricHandlerParts): Handlers<'searchMetricPoints'> {
  return { searchMetricPoints: (request) => searchPoints(parts, request) }
}

async function searchPoints(
  { clickhouse, now }: MetricHandlerParts,
  { caller, body, signal }: HandlerRequest<'searchMetricPoints'>,
) {
  const { cursor, limit = pageSizeDefault, ...asked } = body
  const query = ['metric points', caller.org, asked]
  const place = typeof cursor === 'string' ? decodePlace(query, cursor) : undefined
  const window = place?.window ?? readWindow(asked, now(), '')
  const telemetry = { clickhouse, scope: { org: caller.org, window }, signal }
  const conditions = checkConditions(asked.conditions ?? [], seriesRecords)
  const page = { limit: limit + 1, ...(place === undefined ? {} : { after: place.after }) }
  const points = metricPoints({ metric: body.metric, conditions }, page)
  const rows = await readInScope<MetricPointRow>(telemetry, points, 'metric points')
  const shown = rows.slice(0, limit)
  const series = await readSeries(telemetry, body.metric, shown)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    status: 200 as const,
    body: {
      items: shown.map((row) => toMetricPoint(row, series.get(row.series) ?? raise(withoutSeries))),
      next_cursor: last === undefined ? null : encodePlace(query, window, last),
    },
  }
}

/** Every point lies in a row of its series that was stored before it. */
const withoutSeries = new Error('A point was stored without its series.')

async function readSeries(telemetry: ScopedTelemetry, metric: string, points: readonly MetricPointRow[]) {
  const ids = [...new Set(points.map(({ series }) => series))]
  if (ids.length === 0) return new Map<string, ReturnType<typeof toSeries>>()
  const rows = await readInScope<SeriesRow>(telemetry, seriesWithIds(metric, ids), 'metric points')
  return new Map(rows.map((row) => [row.series, toSeries(metric, row)]))
}

function encodePlace(query: unknown, { fromNs, toNs }: TimeWindow, { ns, series }: MetricPointRow): string {
  return encodeCursor(query, [BigInt(ns), BigInt(series), fromNs, toNs])
}

/** A window that was not asked for would move with the clock. */
function decodePlace(query: unknown, cursor: string) {
  const [ns = 0n, series = 0n, fromNs = 0n, toNs = 0n] = decodeCursor(query, cursor, 4)
  return { after: { ns: ns.toString(), series: series.toString() }, window: { fromNs, toNs } }
}
