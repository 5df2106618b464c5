import type { AlertContext, AlertState } from '../templates/template-variables.ts'

/** What a notification tells of. A test tells of an alert that there never was. */
export type NotificationEvent = AlertState | 'test'

export interface Notification {
  /** Sent as `webhook-id`, the same in every attempt. */
  readonly id: string
  readonly event: NotificationEvent
  readonly context: AlertContext
}

/** What an alert is, where no template says otherwise: the variables of templates under their own names. */
type AlertData = Partial<Omit<AlertContext, 'alert' | 'sent_at' | 'include'>> & {
  readonly alert: Partial<AlertContext['alert']>
}

/** The canonical body, in the shape that the Standard Webhooks specification recommends. */
export function canonicalPayload({ event, context }: Notification) {
  return { type: `alert.${event}`, timestamp: context.sent_at, data: alertData(context) }
}

/** The CloudEvents 1.0 form of the same, in structured mode. */
export function cloudEvent(notification: Notification) {
  const { id, event, context } = notification
  return {
    specversion: '1.0',
    id,
    source: `urn:tracefold:${encodeURIComponent(context.org.id)}:rule:${context.rule.id}`,
    type: `io.tracefold.alert.${event}`,
    subject: context.alert.id,
    time: context.sent_at,
    datacontenttype: 'application/json',
    data: alertData(context),
  }
}

/** What the rule does not ask for is left out, and so is what does not apply to it. */
function alertData({ alert, rule, check, service, integration, org, include }: AlertContext): AlertData {
  const { link, summary, ...facts } = alert
  return {
    alert: { ...facts, ...(include.summary && { summary }), ...(include.link && { link }) },
    rule,
    ...(include.check && check && { check }),
    ...(include.service && service && { service }),
    ...(include.integration && integration && { integration }),
    org,
  }
}
