import type { Deps } from '../../feature.ts'
import type { Lease } from '../../metadata/lease.ts'
import { createOutageLog, type OutageLog } from '../../observability/outage-log.ts'
import { Problem } from '../../problem/problem.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import type { CreateNotifications, NotifiedEvaluation } from '../alerts/alert-notifications.ts'
import type { AlertRuleBatch, AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import { type AlertRuleReading, type Evaluation, evaluate, isStoreFailure, planBatches, readBatch } from './evaluate.ts'
import { type EvaluationStore, LeaseLost } from './evaluation-store.ts'

/**
 * Begins to evaluate once every enabled rule that was not evaluated since `sinceMs`, except the rules of organizations
 * that an earlier pass is still evaluating. Resolves when the rules have been read.
 */
export type EvaluationPass = (lease: Lease, sinceMs: number, stopping: Stopping) => Promise<PassInProgress>

export interface PassInProgress {
  /** Resolves when the pass is complete. @throws LeaseLost */
  readonly ended: Promise<void>
}

/** How a pass ends early: `batches` prevents further batches from starting, `queries` cancels running queries. */
export interface Stopping {
  readonly batches: AbortSignal
  readonly queries: AbortSignal
}

export interface EvaluationPassDeps extends Pick<Deps, 'now' | 'newId' | 'logger' | 'prometheus'> {
  readonly config: Pick<Deps['config'], 'alertPeriodSeconds'>
  readonly readers: AlertRuleReaders
  readonly notificationsOf: CreateNotifications
  readonly store: EvaluationStore
}

/** An outage is logged once for all rules, and is over when none has failed by it for some periods. */
const outagePeriods = 2
const outageMessages = {
  failure: 'Could not evaluate alert rules, which keep their states',
  recovery: 'Alert rules are evaluated again',
}

interface OutageDeps extends EvaluationPassDeps {
  readonly outages: OutageLog
}

/**
 * Organizations are evaluated independently: each evaluates one batch at a time, and the queries of all of them take
 * turns (clickhouse/fair-queue.ts). So the heavy rules of one delay only its own, whose next pass they skip.
 */
export function createEvaluationPass(given: EvaluationPassDeps): EvaluationPass {
  const quietMs = outagePeriods * given.config.alertPeriodSeconds * 1_000
  const deps = { ...given, outages: createOutageLog(given.logger, outageMessages, { quietMs }) }
  const evaluating = new Set<string>()
  return async (lease, sinceMs, stopping) => {
    const rules = (await deps.store.enabledRules()).filter((rule) => isDue(rule, sinceMs, deps.now()))
    const pass = { lease, stopping, hasFailed: false }
    const organizations = [...groupedBy(rules, ({ org }) => org)].filter(([org]) => !evaluating.has(org))
    const ended = organizations.map(async ([org, due]) => {
      evaluating.add(org)
      try {
        await evaluateOrganization(deps, pass, due)
      } catch (error) {
        pass.hasFailed = true
        throw error
      } finally {
        evaluating.delete(org)
      }
    })
    return { ended: allEnded(ended) }
  }
}

interface Pass {
  readonly lease: Lease
  readonly stopping: Stopping
  /** Set when no other organization can be evaluated either. */
  hasFailed: boolean
}

/**
 * Evaluates rules of one organization. Begins no batch after its time budget of one period, so that rules which have
 * changed meanwhile are read again. The batches that were evaluated the longest time ago come first, so that all of
 * them get their turn in later passes.
 */
async function evaluateOrganization(deps: OutageDeps, pass: Pass, due: StoredAlertRule[]): Promise<void> {
  const { lease, stopping } = pass
  const endMs = performance.now() + deps.config.alertPeriodSeconds * 1_000
  const batches = (await planBatches(deps.readers, due)).toSorted(longestAgoFirst)
  for (const [index, batch] of batches.entries()) {
    const isOverBudget = index > 0 && performance.now() >= endMs
    if (isOverBudget || pass.hasFailed || stopping.batches.aborted) return
    await evaluateBatch(deps, lease, batch, stopping.queries)
  }
}

function longestAgoFirst(left: AlertRuleBatch, right: AlertRuleBatch): number {
  const [atLeft, atRight] = [evaluatedAt(left), evaluatedAt(right)]
  if (atLeft === atRight) return 0
  return atLeft < atRight ? -1 : 1
}

/** Returns the time at which the first rule of a batch was evaluated; empty if one of them never was. */
function evaluatedAt({ rules }: AlertRuleBatch): string {
  return rules.map(({ state }) => state.evaluatedAt ?? '').reduce((first, at) => (at < first ? at : first))
}

/** Waits for all, even if one fails, so that no rule is evaluated by two passes at once. */
async function allEnded(ended: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(ended)) if (end.status === 'rejected') throw end.reason
}

/** A rule is also due if its last evaluation is in the future, because the clock was set back. */
function isDue({ state: { evaluatedAt } }: StoredAlertRule, sinceMs: number, now: Date): boolean {
  const evaluatedMs = evaluatedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(evaluatedAt)
  return evaluatedMs < sinceMs || evaluatedMs > now.getTime()
}

async function evaluateBatch(
  deps: OutageDeps,
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

/** Counts all evaluations and logs the failed ones. A rule that keeps failing is logged once, as an outage is. */
function reportFailures({ logger, prometheus, outages }: OutageDeps, readings: readonly AlertRuleReading[]): void {
  for (const { rule, outcome } of readings) {
    const failed = 'error' in outcome
    prometheus.alerting.evaluations.inc({ outcome: failed ? 'failed' : 'evaluated' })
    if (!failed) outages.succeeded()
    else if (isStoreFailure(outcome.error)) outages.failed(outcome.error)
    else if (rule.state.lastError === null)
      logger.warn({ err: outcome.error, org: rule.org, rule: rule.id }, 'Could not evaluate an alert rule')
  }
}
