import {
  type Condition,
  checkConditions,
  describeMetric,
  type MetricAggregation,
  metricAggregations,
  parseConditions,
  seriesRecords,
} from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { refused } from '../../problem/problem.ts'
import type { AlertRuleContent, StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { AlertRuleBatch, AlertRuleReader } from './alert-rule-reader.ts'
import { readMetricValues } from './metric-values.ts'

/** Every moment is a query of its own. */
const pointsMax = 24

/** Rules about metrics. */
export function metricAlertRules(clickhouse: ClickHouse): AlertRuleReader {
  return {
    check,
    refuse,
    describe: (content) => describeMetric(toWatchedMetric(content)),
    batchesOf: async (org, rules) => rules.map((rule) => batchOf(clickhouse, org, rule)),
    pointsMax: async () => pointsMax,
    readSeries: (org, content, moments, signal) =>
      readMetricValues({ clickhouse, org, signal }, toWatchedMetric(content), moments),
  }
}

/** What a rule looks at. */
export interface WatchedMetric {
  readonly metric: string
  readonly service?: string
  readonly conditions: readonly Condition[]
  readonly aggregation: MetricAggregation
  readonly windowS: number
}

/** Of a rule that was checked and not refused: it has a metric, and its measure is an aggregation. */
export function toWatchedMetric({
  metric = '',
  service,
  conditions,
  measure,
  window_s,
}: AlertRuleContent): WatchedMetric {
  return {
    ...{ metric, aggregation: measure as MetricAggregation, windowS: window_s },
    conditions: parseConditions(conditions, seriesRecords),
    ...(service === undefined ? {} : { service }),
  }
}

function check({ conditions }: AlertRuleContent, pointer: string): void {
  checkConditions(conditions, seriesRecords, `${pointer}/conditions`)
}

function refuse({ measure, metric, integration_id }: AlertRuleContent, pointer: string): void {
  if (metric === undefined) throw refused(`${pointer}/metric`, 'missing', 'A rule about a metric names the metric.')
  if (!isAggregation(measure)) throw refused(`${pointer}/measure`, 'not_of_kind', `A metric has no measure ${measure}.`)
  if (integration_id !== undefined)
    throw refused(`${pointer}/integration_id`, 'not_of_kind', 'An integration is a slice of spans and has no metrics.')
}

function isAggregation(measure: string): boolean {
  return metricAggregations.some((aggregation) => aggregation === measure)
}

function batchOf(clickhouse: ClickHouse, org: string, rule: StoredAlertRule): AlertRuleBatch {
  return {
    rules: [rule],
    async read(asked, atMs, signal) {
      const moment = { fromMs: atMs, stepMs: 1, points: 1 }
      const telemetry = { clickhouse, org, signal }
      return (await Promise.all(asked.map((one) => readMetricValues(telemetry, toWatchedMetric(one), moment)))).flat()
    },
  }
}
