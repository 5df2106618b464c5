import { InvalidQuery } from '#sql'
import { Problem } from '../../problem/problem.ts'
import type { AlertState } from '../../webhooks/templates/template-variables.ts'
import type { StoredAlertRule, StoredAlertRuleState } from '../rules/alert-rule-record.ts'
import { type Reading, transition } from '../rules/transition.ts'

/** What was read for a rule at a moment, or why it could not be. */
export interface AlertRuleReading {
  readonly rule: StoredAlertRule
  readonly atMs: number
  readonly outcome: { readonly value: Reading } | { readonly error: unknown }
}

/** What an evaluation makes of a rule. */
export interface Evaluation {
  readonly rule: StoredAlertRule
  readonly state: StoredAlertRuleState
  readonly atMs: number
  /** What there is to tell. */
  readonly event?: EvaluationEvent
}

export interface EvaluationEvent {
  readonly state: AlertState
  readonly alertId: string
  readonly value: number
}

/** Pure. An alert that begins to fire is given the id `newId()`. */
export function evaluate({ rule, atMs, outcome }: AlertRuleReading, newId: () => string): Evaluation {
  const evaluatedAt = new Date(atMs).toISOString()
  // A failed reading says nothing about the rule, so all that is known of it stays.
  if ('error' in outcome)
    return { rule, atMs, state: { ...rule.state, evaluatedAt, lastError: wordsOf(outcome.error) } }
  const { value } = outcome
  const next = transition(rule, rule.state, value, atMs)
  const evaluated = { ...next.state, value, evaluatedAt, lastError: null, alertId: rule.state.alertId }
  if (next.event === undefined || value === null) return { rule, atMs, state: evaluated }
  if (next.event === 'firing') {
    const alertId = newId()
    return { rule, atMs, state: { ...evaluated, alertId }, event: { state: 'firing', alertId, value } }
  }
  const { alertId } = rule.state
  const ended = { rule, atMs, state: { ...evaluated, alertId: null } }
  return alertId === null ? ended : { ...ended, event: { state: 'resolved', alertId, value } }
}

/** For the owner of the rule. Errors of our own may quote what is not theirs; those are in the log. */
function wordsOf(error: unknown): string {
  if (error instanceof Problem || error instanceof InvalidQuery) return error.message
  return 'The rule could not be evaluated, because the server failed.'
}
