import { checkConditions, parseAttributes, rfc3339OfNs, seriesRecords } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { bucketSeconds } from '../telemetry/bucket-width.ts'
import { groupedBy } from '../telemetry/grouped-by.ts'
import { nsOfSeconds } from '../telemetry/time-units.ts'
import { readWindow } from '../telemetry/time-window.ts'
import { readMetric, type StreamData } from './metric-reader.ts'

export interface MetricHandlerParts {
  readonly clickhouse: ClickHouse
  readonly now: () => Date
}

type DataSeries = components['schemas']['MetricDataSeries']

const groupsDefault = 10

/** Restricted callers are kept out by the API document: grants are of spans. */
export function metricHandlers(parts: MetricHandlerParts): Handlers<'queryMetric'> {
  return { queryMetric: (request) => queryMetric(parts, request) }
}

async function queryMetric(
  { clickhouse, now }: MetricHandlerParts,
  { caller, body, signal }: HandlerRequest<'queryMetric'>,
) {
  const window = readWindow(body, now(), '')
  const step_s = bucketSeconds(window, body.step_s, '/step_s')
  const answer = await readMetric(
    { clickhouse, scope: { org: caller.org, window }, signal },
    {
      metric: body.metric,
      conditions: checkConditions(body.conditions ?? [], seriesRecords),
      aggregation: body.aggregation,
      groupBy: parseAttributes(body.group_by ?? [], seriesRecords, '/group_by'),
      groupsMax: body.groups_max ?? groupsDefault,
      bucketNs: nsOfSeconds(step_s),
    },
  )
  const group_count = answer.reduce((total, { rows }) => total + Number(rows[0]?.group_count ?? 0), 0)
  return { status: 200 as const, body: { step_s, group_count, series: answer.flatMap(toSeries) } }
}

function toSeries({ stream, rows }: StreamData): DataSeries[] {
  return [...groupedBy(rows, ({ place }) => place).values()].map((ofGroup) => ({
    ...stream,
    group: [...ofGroup[0].names],
    points: ofGroup.map(({ step_ns, value }) => [rfc3339OfNs(BigInt(step_ns)), value]),
  }))
}
