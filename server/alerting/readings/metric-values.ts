import type { Condition, MetricStream, TimeWindow } from '#sql'
import { fittingStreams, type MetricRequest, readData } from '../../metrics/metric-query.ts'
import { refused } from '../../problem/problem.ts'
import { nsOfMs } from '../../telemetry/time-units.ts'
import type { Reading } from '../rules/transition.ts'
import type { EvaluationTimes, OrgTelemetry } from './alert-rule-reader.ts'
import type { WatchedMetric } from './metric-alert-rules.ts'
import { windowBefore } from './moments.ts'

/**
 * The values over the rule's window before each moment; null where there was nothing.
 * @throws Problem 422 when the chosen series are of several kinds or units, or none has the aggregation
 */
export async function readMetricValues(
  telemetry: OrgTelemetry,
  watched: WatchedMetric,
  { fromMs, stepMs, points }: EvaluationTimes,
): Promise<Reading[]> {
  const window = {
    fromNs: windowBefore(fromMs, watched.windowS).fromNs,
    toNs: nsOfMs(fromMs + (points - 1) * stepMs),
  }
  const stream = await readStream(telemetry, watched, window)
  const values: Reading[] = []
  for (let point = 0; point < points; point += 1) {
    const moment = windowBefore(fromMs + point * stepMs, watched.windowS)
    const scope = { org: telemetry.org, window: moment }
    const [row] = stream === undefined ? [] : await readData({ ...telemetry, scope }, toRequest(watched), stream)
    values.push(row?.value ?? null)
  }
  return values
}

/** The unit of the values over the rule's window before a moment; empty when there are none. */
export async function readUnit(telemetry: OrgTelemetry, watched: WatchedMetric, atMs: number): Promise<string> {
  return (await readStream(telemetry, watched, windowBefore(atMs, watched.windowS)))?.unit ?? ''
}

async function readStream(
  telemetry: OrgTelemetry,
  watched: WatchedMetric,
  window: TimeWindow,
): Promise<MetricStream | undefined> {
  const scope = { org: telemetry.org, window }
  const streams = await fittingStreams({ ...telemetry, scope }, toRequest(watched), '/measure')
  if (streams.length > 1) throw severalStreams(streams)
  return streams[0]
}

function toRequest({ metric, service, conditions, aggregation }: WatchedMetric): MetricRequest {
  const own = service === undefined ? [] : [isOfService(service)]
  return { metric, conditions: [...own, ...conditions], aggregation, groupBy: [], groupsMax: 1 }
}

function isOfService(service: string): Condition {
  const attribute = { source: 'intrinsic', key: 'service' } as const
  return { attribute, test: { kind: 'eq', value: service }, negated: false }
}

/** One value cannot be made of them. */
function severalStreams(streams: readonly MetricStream[]) {
  const told = streams.map(({ kind, unit }) => (unit === '' ? kind : `${kind} in ${unit}`)).join(', ')
  const message = `The chosen series are of several kinds or units (${told}): choose one with conditions.`
  return refused('/metric', 'several_units', message)
}
