import type { Deps } from '../../feature.ts'
import type { AlertContext, AlertState } from '../../webhooks/templates/template-variables.ts'
import { type AlertRuleReaders, describeReading } from '../readings/alert-rule-reader.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { AlertDetails, ReadAlertDetails } from './alert-details.ts'
import { findAlert } from './alert-store.ts'

/** The firing or the resolution of an alert. */
export interface AlertEvent {
  readonly state: AlertState
  readonly alertId: string
  readonly value: number
}

/** An evaluation that triggers a notification. */
export interface NotifiedEvaluation {
  readonly rule: StoredAlertRule
  readonly atMs: number
  readonly event: AlertEvent
}

/**
 * Creates the notification of each evaluation, in the same order. All rules must belong to one organization and have
 * been evaluated at the same time.
 */
export type CreateNotifications = (
  evaluations: readonly NotifiedEvaluation[],
  signal: AbortSignal,
) => Promise<readonly AlertContext[]>

export interface NotificationDeps extends Pick<Deps, 'metadata' | 'now'> {
  readonly config: Pick<Deps['config'], 'publicUrl' | 'console'>
  readonly readers: AlertRuleReaders
  readonly readDetails: ReadAlertDetails
}

export function createNotifications(deps: NotificationDeps): CreateNotifications {
  const { metadata, config, now, readers, readDetails } = deps
  const contextOf = async ({ rule, atMs, event }: NotifiedEvaluation, details: AlertDetails) => {
    const at = new Date(atMs)
    const { state, alertId, value } = event
    const measured = readers[rule.content.kind].describe(rule.content, details.integration?.name)
    const summary = `${rule.content.name}: ${describeReading(measured, rule.content, value)}.`
    const fired = state === 'firing' ? undefined : await findAlert(metadata, rule.org, alertId)
    const startedAt = fired === undefined ? at : new Date(fired.started_at)
    return alertContext({ rule, alertId, state, startedAt, at, summary, details }, config, now())
  }
  return async (evaluations, signal) => {
    const [first] = evaluations
    if (first === undefined) return []
    const measured = evaluations.map(({ rule, event }) => ({ rule, value: event.value }))
    const details = await readDetails(measured, first.atMs, signal)
    const contexts: AlertContext[] = []
    for (const evaluation of evaluations)
      contexts.push(await contextOf(evaluation, details.get(evaluation.rule.id) ?? {}))
    return contexts
  }
}

/** The content of one notification. */
export interface NotificationContent {
  readonly rule: StoredAlertRule
  readonly alertId: string
  readonly state: AlertState
  readonly startedAt: Date
  /** The time of the evaluation that caused the event. */
  readonly at: Date
  /** The reading, in one sentence. */
  readonly summary: string
  readonly details: AlertDetails
}

type LinkConfig = NotificationDeps['config']

/** Returns the values of all template variables. Without a public address of the server they have no link. */
export function alertContext(content: NotificationContent, config: LinkConfig, sentAt: Date): AlertContext {
  const { rule, alertId, state, startedAt, at, summary, details } = content
  const { name, kind, severity, measure, comparator, threshold, window_s, include } = rule.content
  // After the clock was set back, the evaluation may precede the start of the alert.
  const resolvedAt = at < startedAt ? startedAt : at
  return {
    alert: {
      id: alertId,
      state,
      severity,
      summary,
      link: linkTo(rule, config),
      started_at: startedAt.toISOString(),
      resolved_at: state === 'resolved' ? resolvedAt.toISOString() : null,
    },
    rule: { id: rule.id, name, kind, measure, comparator, threshold, window_s },
    ...details,
    org: { id: rule.org, name: rule.org },
    sent_at: sentAt.toISOString(),
    include,
  }
}

/** Returns the address of a rule in the console, or in the API if the console is off. */
function linkTo({ id }: StoredAlertRule, { publicUrl, console: hasConsole }: LinkConfig): string | null {
  if (publicUrl === undefined) return null
  return hasConsole ? `${publicUrl}/alerts/rules/${id}` : `${publicUrl}/api/v1/alerting/rules/${id}`
}
