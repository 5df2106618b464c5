import type { ClickHouse } from '../../clickhouse/client.ts'
import type { Logger } from '../../observability/logging.ts'
import type { AlertContext } from '../../webhooks/templates/template-variables.ts'
import { toWatchedMetric } from '../readings/metric-alert-rules.ts'
import { readUnit } from '../readings/metric-values.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'

/** What a rule about a metric measured at a moment; undefined of other rules. */
export type ReadCheckFact = (
  rule: StoredAlertRule,
  value: number,
  atMs: number,
  signal: AbortSignal,
) => Promise<AlertContext['check']>

export function createCheckFacts(clickhouse: ClickHouse, logger: Logger): ReadCheckFact {
  return async (rule, value, atMs, signal) => {
    const { kind, metric, threshold, org } = rule
    if (kind !== 'metric' || metric === undefined) return undefined
    try {
      const unit = await readUnit({ clickhouse, org, signal }, toWatchedMetric(rule), atMs)
      return { metric, value, threshold, unit }
    } catch (err) {
      if (signal.aborted) throw err
      // That there is an alert is known, and is told, whatever else cannot be said.
      logger.warn({ err, org }, 'The unit of a metric that an alert is about could not be read')
      return { metric, value, threshold, unit: '' }
    }
  }
}
