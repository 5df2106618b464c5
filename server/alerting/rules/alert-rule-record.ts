import type { components } from '../../../openapi/types.ts'
import type { Versioned } from '../../metadata/record-kind.ts'
import type { AlertRuleState } from './transition.ts'

export type AlertRuleRecord = components['schemas']['AlertRule']

/** What an alert rule says, whoever it is and whatever came of it, in the words of the wire. */
export type AlertRuleContent = Omit<AlertRuleRecord, 'id' | 'state' | 'version' | 'created_at' | 'updated_at'>

/** What evaluations have made of a rule. */
export interface StoredAlertRuleState extends AlertRuleState {
  /** Of the last evaluation; null when it had no data, and before the first one. */
  readonly value: number | null
  readonly evaluatedAt: string | null
  /** The open alert. */
  readonly alertId: string | null
  readonly lastError: string | null
}

export interface StoredAlertRule extends AlertRuleContent, Versioned {
  readonly org: string
  readonly state: StoredAlertRuleState
  /** Grows with every change of the rule or of its state. */
  readonly revision: number
}

/** What a stored rule says, alone. */
export function alertRuleContent(stored: StoredAlertRule): AlertRuleContent {
  const {
    org: _,
    id: __,
    state: ___,
    version: ____,
    revision: _____,
    created_at: ______,
    updated_at: _______,
    ...content
  } = stored
  return content
}

/** The record as callers read it. */
export function toAlertRuleRecord({
  org: _,
  revision: __,
  id,
  name,
  state,
  ...rule
}: StoredAlertRule): AlertRuleRecord {
  const { status, sinceMs, value, evaluatedAt, alertId, lastError } = state
  return {
    ...{ id, name, ...rule },
    state: {
      ...{ status, since: new Date(sinceMs).toISOString(), value },
      ...{ evaluated_at: evaluatedAt, alert_id: alertId, last_error: lastError },
    },
  }
}

/** What decides about a rule's value and what it says of it: a change of any of it ends what the rule said before. */
export function watchedBy(content: AlertRuleContent): unknown[] {
  const { kind, service, integration_id, conditions, measure, metric, window_s, comparator, threshold, for_s } = content
  return [
    ...[kind, service, integration_id, conditions, measure, metric, window_s],
    ...[comparator, threshold, for_s, content.enabled],
  ]
}
