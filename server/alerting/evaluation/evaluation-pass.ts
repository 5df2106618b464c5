import type { Metadata } from '../../metadata/database.ts'
import type { Lease } from '../../metadata/lease.ts'
import type { Logger } from '../../observability/logging.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import { Problem } from '../../problem/problem.ts'
import { type DrawNotices, isEventful } from '../alerts/alert-notifications.ts'
import type { AlertRuleBatch, AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import { enabledAlertRules } from '../rules/alert-rule-queries.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import { planBatches, readBatch } from './alert-rule-batches.ts'
import { type AlertRuleReading, evaluate } from './evaluate.ts'
import { type EvaluationStore, LeaseLost } from './evaluation-store.ts'

/** Evaluates, once, every rule that was not evaluated since `sinceMs`. @throws LeaseLost */
export type EvaluationPass = (lease: Lease, sinceMs: number, stopping: Stopping) => Promise<void>

/** How a pass is ended early: first no more batches are begun, then running queries are cut off. */
export interface Stopping {
  readonly batches: AbortSignal
  readonly queries: AbortSignal
}

export interface EvaluationPassParts {
  readonly metadata: Metadata
  readonly readers: AlertRuleReaders
  readonly drawNotices: DrawNotices
  readonly record: EvaluationStore
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  readonly logger: Logger
  readonly metrics: Prometheus['alerting']
}

/** Batches at work, and with it queries: what people ask of ClickHouse meanwhile goes first. */
const batchesAtOnceMax = 2

export function createEvaluationPass(parts: EvaluationPassParts): EvaluationPass {
  return async (lease, sinceMs, stopping) => {
    const rules = (await enabledAlertRules(parts.metadata.db)).filter((rule) => isDue(rule, sinceMs, parts.now()))
    const waiting = [...(await planBatches(parts.readers, rules))].values()
    let isOver = false
    const work = async () => {
      for (const batch of waiting) {
        if (isOver || stopping.batches.aborted) return
        await evaluateBatch(parts, lease, batch, stopping.queries)
      }
    }
    const working = Array.from({ length: batchesAtOnceMax }, () =>
      work().catch((error) => {
        isOver = true
        throw error
      }),
    )
    // All of it has ended before the pass does, also when it fails: nothing is evaluated by two passes at once.
    for (const ended of await Promise.allSettled(working)) if (ended.status === 'rejected') throw ended.reason
  }
}

/** What seems to have been evaluated in the future was, before the clock was set back. */
function isDue({ state: { evaluatedAt } }: StoredAlertRule, sinceMs: number, now: Date): boolean {
  const evaluatedMs = evaluatedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(evaluatedAt)
  return evaluatedMs < sinceMs || evaluatedMs > now.getTime()
}

async function evaluateBatch(
  parts: EvaluationPassParts,
  lease: Lease,
  batch: AlertRuleBatch,
  signal: AbortSignal,
): Promise<void> {
  const { record, drawNotices, now, newId, metrics } = parts
  const readings = await readBatch(batch, now().getTime(), signal)
  // What was cut off has not failed: it is evaluated anew by whoever comes next.
  signal.throwIfAborted()
  noteFailures(parts, readings)
  const evaluations = readings.map((reading) => evaluate(reading, newId))
  const quiet = evaluations.filter((evaluation) => !isEventful(evaluation))
  await unlessOver(parts, () => record.keep(lease, quiet))
  for (const notice of await drawNotices(evaluations.filter(isEventful), signal)) {
    const isTold = await unlessOver(parts, () => record.tell(lease, notice))
    if (isTold) metrics.alerts.inc({ event: notice.event.state })
  }
}

/** What cannot be written of some rules stops no others, unless nothing more can be written at all. */
async function unlessOver<T>({ logger }: EvaluationPassParts, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (err) {
    if (err instanceof LeaseLost || (err instanceof Problem && err.code === 'unavailable')) throw err
    logger.error({ err }, 'What came of evaluating alert rules could not be recorded')
    return undefined
  }
}

/** A rule that goes on failing is told of once. */
function noteFailures({ logger, metrics }: EvaluationPassParts, readings: readonly AlertRuleReading[]): void {
  for (const { rule, outcome } of readings) {
    const failed = 'error' in outcome
    metrics.evaluations.inc({ outcome: failed ? 'failed' : 'evaluated' })
    if (!failed || rule.state.lastError !== null) continue
    logger.warn({ err: outcome.error, org: rule.org, rule: rule.id }, 'An alert rule could not be evaluated')
  }
}
