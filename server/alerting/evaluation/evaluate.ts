/** Evaluates alert rules: plans batches, reads their values, and turns each reading into a new state. */
import { InvalidQuery } from '#sql'
import { Problem } from '../../problem/problem.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import type { AlertEvent } from '../alerts/alert-notifications.ts'
import type { AlertRuleBatch, AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import type { StoredAlertRule, StoredAlertRuleState } from '../rules/alert-rule-record.ts'
import { type MeasuredValue, transition } from '../rules/transition.ts'

/**
 * Groups rules of one organization into batches. Rules whose last evaluation failed are in separate batches at the
 * end, so that the retries that isolate a failing rule do not delay other rules.
 */
export async function planBatches(
  readers: AlertRuleReaders,
  rules: readonly StoredAlertRule[],
): Promise<readonly AlertRuleBatch[]> {
  const sound = rules.filter(({ state }) => state.lastError === null)
  const failed = rules.filter(({ state }) => state.lastError !== null)
  const planned: AlertRuleBatch[] = []
  for (const group of [...groupsOf(sound), ...groupsOf(failed)]) planned.push(...(await planGroup(readers, group)))
  return planned
}

/**
 * Reads the current value of each rule of a batch. Never rejects: if reading a rule fails, its outcome is the error.
 */
export function readBatch(
  { rules, read }: AlertRuleBatch,
  atMs: number,
  signal: AbortSignal,
): Promise<AlertRuleReading[]> {
  return bisect<StoredAlertRule, AlertRuleReading>(rules, {
    async work(some) {
      const values = await read(some, atMs, signal)
      return some.map((rule, index) => ({ rule, atMs, outcome: { value: values[index] ?? null } }))
    },
    failed: (rule, error) => ({ rule, atMs, outcome: { error } }),
    failsAll: (error) => signal.aborted || isStoreFailure(error),
  })
}

/** The value of a rule at one time, or the error of reading it. */
export interface AlertRuleReading {
  readonly rule: StoredAlertRule
  readonly atMs: number
  readonly outcome: { readonly value: MeasuredValue } | { readonly error: unknown }
}

/** The state of a rule after a reading. */
export interface Evaluation {
  readonly rule: StoredAlertRule
  readonly atMs: number
  readonly state: StoredAlertRuleState
  /** The event to notify; absent when nothing changed. */
  readonly event?: AlertEvent
}

/** Evaluates a reading. The function is pure, except that it calls `newId()` for a new alert. */
export function evaluate({ rule, atMs, outcome }: AlertRuleReading, newId: () => string): Evaluation {
  const evaluatedAt = new Date(atMs).toISOString()
  // A failed reading says nothing about the rule, so its status and value stay.
  if ('error' in outcome) {
    return { rule, atMs, state: { ...rule.state, evaluatedAt, lastError: messageOf(outcome.error) } }
  }
  const { value } = outcome
  const next = transition(rule.content, rule.state, value, atMs)
  const state = { ...next.state, value, evaluatedAt, lastError: null, alertId: rule.state.alertId }
  if (next.event === undefined || value === null) return { rule, atMs, state }
  if (next.event === 'firing') {
    const alertId = newId()
    return { rule, atMs, state: { ...state, alertId }, event: { state: 'firing', alertId, value } }
  }
  const { alertId } = rule.state
  const ended = { rule, atMs, state: { ...state, alertId: null } }
  return alertId === null ? ended : { ...ended, event: { state: 'resolved', alertId, value } }
}

/**
 * Returns the error message that the organization may see. Internal errors may quote data of other organizations, so
 * they are only logged.
 */
function messageOf(error: unknown): string {
  // Without the pointer of its detail: the readers of the message have sent no request.
  if (error instanceof Problem) return error.extras.errors?.[0]?.message ?? error.message
  if (error instanceof InvalidQuery) return error.message
  return 'Could not evaluate the rule because of an internal server error.'
}

/** Groups rules by kind. */
function groupsOf(rules: readonly StoredAlertRule[]): StoredAlertRule[][] {
  return [...groupedBy(rules, ({ content }) => content.kind).values()]
}

function planGroup(readers: AlertRuleReaders, rules: readonly StoredAlertRule[]): Promise<AlertRuleBatch[]> {
  return bisect<StoredAlertRule, AlertRuleBatch>(rules, {
    async work(some) {
      const [first] = some
      return first === undefined ? [] : readers[first.content.kind].batchesOf(first.org, some)
    },
    failed: (rule, error) => ({ rules: [rule], read: () => Promise.reject(error) }),
    failsAll: isStoreFailure,
  })
}

/** Reports whether a store is unavailable or overloaded, so that reading any other rule would fail as well. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'unavailable' || error.code === 'too_many_requests')
}

export interface BisectedWork<Item, Result> {
  /** Works on several items at once. Rejects if any of them fails, without saying which. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly failed: (item: Item, error: unknown) => Result
  /** Reports whether an error is independent of the items, so that fewer items would fail as well. */
  readonly failsAll: (error: unknown) => boolean
}

/**
 * Works on all items at once. If that fails, works on each half of them, down to the single items that fail. One
 * failing item among n costs about 2 log2(n) attempts and affects no other item.
 */
export async function bisect<Item, Result>(items: readonly Item[], how: BisectedWork<Item, Result>): Promise<Result[]> {
  try {
    return [...(await how.work(items))]
  } catch (error) {
    if (items.length <= 1 || how.failsAll(error)) return items.map((item) => how.failed(item, error))
  }
  const middle = items.length >> 1
  return [...(await bisect(items.slice(0, middle), how)), ...(await bisect(items.slice(middle), how))]
}
