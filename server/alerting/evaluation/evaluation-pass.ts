import type { Deps } from '../../feature.ts'
import type { Lease } from '../../metadata/lease.ts'
import { Problem } from '../../problem/problem.ts'
import type { CreateNotifications, NotifiedEvaluation } from '../alerts/alert-notifications.ts'
import type { AlertRuleBatch, AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import { type AlertRuleReading, type Evaluation, evaluate, planBatches, readBatch } from './evaluate.ts'
import { type EvaluationStore, LeaseLost } from './evaluation-store.ts'

/** Evaluates once every enabled rule that was not evaluated since `sinceMs`. @throws LeaseLost */
export type EvaluationPass = (lease: Lease, sinceMs: number, stopping: Stopping) => Promise<void>

/** How a pass ends early: `batches` prevents further batches from starting, `queries` cancels running queries. */
export interface Stopping {
  readonly batches: AbortSignal
  readonly queries: AbortSignal
}

export interface EvaluationPassDeps extends Pick<Deps, 'now' | 'newId' | 'logger' | 'prometheus'> {
  readonly readers: AlertRuleReaders
  readonly notificationsOf: CreateNotifications
  readonly store: EvaluationStore
}

/**
 * Maximum number of concurrent batches, and thus of queries. It leaves most of ClickHouse's capacity to user requests.
 */
const batchesConcurrentMax = 2

export function createEvaluationPass(deps: EvaluationPassDeps): EvaluationPass {
  return async (lease, sinceMs, stopping) => {
    const rules = (await deps.store.enabledRules()).filter((rule) => isDue(rule, sinceMs, deps.now()))
    const waiting = [...(await planBatches(deps.readers, rules))].values()
    let hasFailed = false
    const work = async () => {
      for (const batch of waiting) {
        if (hasFailed || stopping.batches.aborted) return
        await evaluateBatch(deps, lease, batch, stopping.queries)
      }
    }
    const workers = Array.from({ length: batchesConcurrentMax }, () =>
      work().catch((error) => {
        hasFailed = true
        throw error
      }),
    )
    // A pass that fails still waits for all workers, so that no rule is evaluated by two passes at once.
    for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason
  }
}

/** A rule is also due if its last evaluation is in the future, because the clock was set back. */
function isDue({ state: { evaluatedAt } }: StoredAlertRule, sinceMs: number, now: Date): boolean {
  const evaluatedMs = evaluatedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(evaluatedAt)
  return evaluatedMs < sinceMs || evaluatedMs > now.getTime()
}

async function evaluateBatch(
  deps: EvaluationPassDeps,
  lease: Lease,
  batch: AlertRuleBatch,
  signal: AbortSignal,
): Promise<void> {
  const { store, notificationsOf, now, newId, prometheus } = deps
  const readings = await readBatch(batch, now().getTime(), signal)
  // Readings that were cancelled have not failed. Their rules are due again in the next pass.
  signal.throwIfAborted()
  reportFailures(deps, readings)
  const evaluations = readings.map((reading) => evaluate(reading, newId))
  const quiet = evaluations.filter((evaluation) => !isNotified(evaluation))
  const notified = evaluations.filter(isNotified)
  await unlessUnavailable(deps, () => store.keep(lease, quiet))
  for (const [index, context] of (await notificationsOf(notified, signal)).entries()) {
    const evaluation = notified[index]
    if (evaluation === undefined) continue
    const isWritten = await unlessUnavailable(deps, () => store.notify(lease, evaluation, context))
    if (isWritten) prometheus.alerting.alerts.inc({ event: evaluation.event.state })
  }
}

function isNotified(evaluation: Evaluation): evaluation is Evaluation & NotifiedEvaluation {
  return evaluation.event !== undefined
}

/** Logs a failed write, so that the other rules are still written. Throws when no further write can succeed. */
async function unlessUnavailable<T>({ logger }: EvaluationPassDeps, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (err) {
    if (err instanceof LeaseLost || (err instanceof Problem && err.code === 'unavailable')) throw err
    logger.error({ err }, 'Could not record the evaluation of alert rules')
    return undefined
  }
}

/** Counts all evaluations and logs the failed ones. A rule that keeps failing is logged once. */
function reportFailures({ logger, prometheus }: EvaluationPassDeps, readings: readonly AlertRuleReading[]): void {
  for (const { rule, outcome } of readings) {
    const failed = 'error' in outcome
    prometheus.alerting.evaluations.inc({ outcome: failed ? 'failed' : 'evaluated' })
    if (!failed || rule.state.lastError !== null) continue
    logger.warn({ err: outcome.error, org: rule.org, rule: rule.id }, 'Could not evaluate an alert rule')
  }
}
