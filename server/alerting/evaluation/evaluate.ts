import { InvalidQuery } from '#sql'
import { Problem } from '../../problem/problem.ts'
import type { AlertEvent } from '../alerts/alert-notifications.ts'
import type { StoredAlertRule, StoredAlertRuleState } from '../rules/alert-rule-record.ts'
import { type Reading, transition } from '../rules/transition.ts'

/** The value of a rule at one time, or the error of reading it. */
export interface AlertRuleReading {
  readonly rule: StoredAlertRule
  readonly atMs: number
  readonly outcome: { readonly value: Reading } | { readonly error: unknown }
}

/** The state of a rule after a reading. */
export interface Evaluation {
  readonly rule: StoredAlertRule
  readonly atMs: number
  readonly state: StoredAlertRuleState
  /** What is notified, if anything. */
  readonly event?: AlertEvent
}

/** Evaluates a reading. Pure, except that a new alert gets the id `newId()`. */
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
 * Returns an error as its organization may read it. An internal error may quote data of others, so only the log has it.
 */
function messageOf(error: unknown): string {
  if (error instanceof Problem || error instanceof InvalidQuery) return error.message
  return 'Could not evaluate the rule because of an internal server error.'
}
