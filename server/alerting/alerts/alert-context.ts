import type { AlertContext, AlertState } from '../../webhooks/templates/template-variables.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { AlertDetails } from './alert-details.ts'

/** One event of an alert. */
export interface Noticed {
  readonly rule: StoredAlertRule
  readonly alertId: string
  readonly state: AlertState
  readonly startedAt: Date
  /** When it happened. */
  readonly at: Date
  /** What was found, in one sentence. */
  readonly summary: string
  readonly facts: AlertDetails
}

/** Where a rule can be read; undefined when the server does not know its own address. */
export type LinkOf = (rule: StoredAlertRule) => string | undefined

export function linksUnder(publicUrl: string | undefined): LinkOf {
  return ({ id }) => (publicUrl === undefined ? undefined : `${publicUrl}/api/v1/alerting/rules/${id}`)
}

/** All that a notification of the event may say. Pure. */
export function alertContext(noticed: Noticed, linkOf: LinkOf, sentAt: Date): AlertContext {
  const { rule, facts } = noticed
  const { id, name, kind, measure, comparator, threshold, window_s, org, include } = rule
  return {
    alert: alertOf(noticed, linkOf),
    rule: { id, name, kind, measure, comparator, threshold, window_s },
    ...facts,
    org: { id: org, name: org },
    sent_at: sentAt.toISOString(),
    include,
  }
}

function alertOf({ rule, alertId, state, startedAt, at, summary }: Noticed, linkOf: LinkOf): AlertContext['alert'] {
  // The clock may have been set back since the alert began.
  const resolvedAt = at < startedAt ? startedAt : at
  return {
    ...{ id: alertId, state, severity: rule.severity, summary, link: linkOf(rule) ?? null },
    ...{ started_at: startedAt.toISOString(), resolved_at: state === 'resolved' ? resolvedAt.toISOString() : null },
  }
}
