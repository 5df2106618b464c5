import type { ClickHouse } from '../../clickhouse/client.ts'
import type { AlertRuleContent, StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { Reading } from '../rules/transition.ts'

/** Rules of one organization whose values are read together. */
export interface AlertRuleBatch {
  readonly rules: readonly StoredAlertRule[]
  /** The values at a moment of these rules of the batch, in their order. Rejects as a whole. */
  read(rules: readonly StoredAlertRule[], atMs: number, signal: AbortSignal): Promise<readonly Reading[]>
}

/** What rules of one organization look at. Reading ends when `signal` aborts. */
export interface OrgTelemetry {
  readonly clickhouse: ClickHouse
  readonly org: string
  readonly signal: AbortSignal
}

/** Moments at which a rule is evaluated in hindsight, from the first on. */
export interface EvaluationTimes {
  readonly fromMs: number
  readonly stepMs: number
  readonly points: number
}

/** The telemetry behind one kind of rule. Another kind joins by an entry of `RuleReaders`. */
export interface AlertRuleReader {
  /** @throws InvalidQuery for conditions that are malformed; `pointer` is where the rule stands in the request's body */
  check(content: AlertRuleContent, pointer: string): void
  /** @throws Problem 422 for a rule that is well formed but makes no sense for this kind */
  refuse(content: AlertRuleContent, pointer: string): void
  /** Puts rules together that share a scan. */
  batchesOf(org: string, rules: readonly StoredAlertRule[]): Promise<readonly AlertRuleBatch[]>
  /** The moments of one query; for some rules each moment is a query of its own, so they are few. */
  pointsMax(org: string, content: AlertRuleContent): Promise<number>
  readSeries(
    org: string,
    content: AlertRuleContent,
    moments: EvaluationTimes,
    signal: AbortSignal,
  ): Promise<readonly Reading[]>
  /** What is measured, as the subject of a sentence. */
  describe(content: AlertRuleContent, integrationName: string | undefined): string
}

export type AlertRuleReaders = Readonly<Record<AlertRuleContent['kind'], AlertRuleReader>>
