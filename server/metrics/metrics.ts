import { checkConditions, parseAttributes, rfc3339OfNs, seriesRecords } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { bucketsOf, seriesBuckets } from '../telemetry/buckets.ts'
import { groupedBy } from '../telemetry/grouped-by.ts'
import { telemetryIn } from '../telemetry/scope.ts'
import { readWindow } from '../telemetry/time-window.ts'
import { listMetrics } from './metric-catalog.ts'
import { readMetric, type StreamData } from './metric-query.ts'
import { searchPoints } from './point-search.ts'

const groupsDefault = 10

/** Creates the metric catalog, queries of metrics, and the search of data points. */
export function createMetrics(deps: Deps) {
  const handlers: Handlers<'listMetrics' | 'queryMetric' | 'searchMetricPoints'> = {
    listMetrics: (request) => listMetrics(deps, request),
    queryMetric: (request) => queryMetric(deps, request),
    searchMetricPoints: (request) => searchPoints(deps, request),
  }
  return { handlers }
}

async function queryMetric(deps: Deps, request: HandlerRequest<'queryMetric'>) {
  const { body } = request
  const window = readWindow(body, deps.now(), '')
  const { stepS, stepNs } = bucketsOf(window, body.step_s, seriesBuckets, '/step_s')
  const streams = await readMetric(await telemetryIn(deps, request, window), {
    metric: body.metric,
    conditions: checkConditions(body.conditions ?? [], seriesRecords),
    aggregation: body.aggregation,
    groupBy: parseAttributes(body.group_by ?? [], seriesRecords, '/group_by'),
    groupsMax: body.groups_max ?? groupsDefault,
    bucketNs: stepNs,
  })
  const group_count = streams.reduce((total, { rows }) => total + Number(rows[0]?.group_count ?? 0), 0)
  return { status: 200 as const, body: { step_s: stepS, group_count, series: streams.flatMap(toSeries) } }
}

function toSeries({ stream, rows }: StreamData): components['schemas']['MetricDataSeries'][] {
  return [...groupedBy(rows, ({ group_rank }) => group_rank).values()].map((group) => ({
    ...stream,
    group: [...group[0].names],
    points: group.map(({ step_ns, value }) => [rfc3339OfNs(BigInt(step_ns)), value]),
  }))
}
