import {
  type Condition,
  describeMetric,
  type MetricAggregation,
  type MetricStream,
  parseConditions,
  seriesRecords,
  type TimeWindow,
} from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { fittingStreams, type MetricRequest, readData } from '../../metrics/metric-query.ts'
import { refused } from '../../problem/problem.ts'
import { inBatches } from '../../telemetry/in-batches.ts'
import { nsOfMs } from '../../telemetry/time-units.ts'
import type { AlertRuleContent, StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { MeasuredValue } from '../rules/transition.ts'
import {
  type AlertRuleBatch,
  type AlertRuleReader,
  type EvaluationTimes,
  type OrgTelemetry,
  windowBefore,
  windowOfTimes,
} from './alert-rule-reader.ts'

/** Maximum number of evaluation times of a series. Each takes a separate query. */
const timesMax = 24

/**
 * Maximum number of rules of a batch, which are read at once and written together. It keeps the background queries that
 * an organization may run at once busy. More rules would be read again to find one that fails.
 */
const rulesPerBatchMax = 4

/** Reads the values of metric alert rules. */
export function metricAlertRules(clickhouse: ClickHouse): AlertRuleReader {
  return {
    batchesOf: async (org, rules) => inBatches(rules, rulesPerBatchMax).map((batch) => toBatch(clickhouse, org, batch)),
    timesMax: async () => timesMax,
    readSeries: (org, content, times, signal) =>
      readSeries({ clickhouse, org, signal, isBackground: false }, toMeasured(content), times),
    describe: (content) => describeMetric(toMeasured(content)),
  }
}

function toBatch(clickhouse: ClickHouse, org: string, batch: readonly StoredAlertRule[]): AlertRuleBatch {
  return {
    rules: batch,
    async read(rules, atMs, signal) {
      const times = { firstMs: atMs, intervalMs: 1, count: 1 }
      const telemetry = { clickhouse, org, signal, isBackground: true }
      const series = await Promise.all(rules.map(({ content }) => readSeries(telemetry, toMeasured(content), times)))
      return series.flat()
    },
  }
}

/** The series of one metric that a rule selects, and how their points are aggregated. */
interface MeasuredMetric {
  readonly metric: string
  readonly service?: string
  readonly conditions: readonly Condition[]
  readonly aggregation: MetricAggregation
  readonly windowS: number
}

/** Takes a checked rule: it has a metric, and its measure is an aggregation. */
function toMeasured({ metric = '', service, conditions, measure, window_s }: AlertRuleContent): MeasuredMetric {
  return {
    metric,
    conditions: parseConditions(conditions, seriesRecords),
    aggregation: measure as MetricAggregation,
    windowS: window_s,
    ...(service === undefined ? {} : { service }),
  }
}

/** @throws Problem 422 if the series have several kinds or units, or a kind without the aggregation */
async function readSeries(
  telemetry: OrgTelemetry,
  measured: MeasuredMetric,
  times: EvaluationTimes,
): Promise<MeasuredValue[]> {
  const { firstMs, intervalMs, count } = times
  const stream = await readStream(telemetry, measured, windowOfTimes(times, measured.windowS))
  const values: MeasuredValue[] = []
  for (let at = 0; at < count; at += 1) {
    const scope = { org: telemetry.org, window: windowBefore(nsOfMs(firstMs + at * intervalMs), measured.windowS) }
    const [row] = stream === undefined ? [] : await readData({ ...telemetry, scope }, toRequest(measured), stream)
    values.push(row?.value ?? null)
  }
  return values
}

/** Returns the unit of the values of a metric rule; empty when there are no values. */
export async function readUnit(telemetry: OrgTelemetry, content: AlertRuleContent, atMs: number): Promise<string> {
  const stream = await readStream(telemetry, toMeasured(content), windowBefore(nsOfMs(atMs), content.window_s))
  return stream?.unit ?? ''
}

async function readStream(
  telemetry: OrgTelemetry,
  measured: MeasuredMetric,
  window: TimeWindow,
): Promise<MetricStream | undefined> {
  const scope = { org: telemetry.org, window }
  const streams = await fittingStreams({ ...telemetry, scope }, toRequest(measured), '/measure')
  if (streams.length > 1) throw severalStreams(streams)
  return streams[0]
}

function toRequest({ metric, service, conditions, aggregation }: MeasuredMetric): MetricRequest {
  const ofService = service === undefined ? [] : [isOfService(service)]
  return { metric, conditions: [...ofService, ...conditions], aggregation, groupBy: [], groupsMax: 1 }
}

function isOfService(service: string): Condition {
  const attribute = { source: 'intrinsic', key: 'service' } as const
  return { attribute, test: { kind: 'eq', value: service }, negated: false }
}

function severalStreams(streams: readonly MetricStream[]) {
  const found = streams.map(({ kind, unit }) => (unit === '' ? kind : `${kind} in ${unit}`)).join(', ')
  const message = `The series have several kinds or units (${found}). Add conditions that select one of them.`
  return refused('/metric', 'several_units', message)
}
