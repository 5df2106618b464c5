import type { AlertContext } from '../templates/template-variables.ts'
import { type Notification, refuseBodyTemplate, type WebhookFormat } from './webhook-format.ts'

/** The canonical body, structured as the Standard Webhooks specification recommends. */
export const jsonFormat: WebhookFormat = {
  contentType: 'application/json',
  checkSettings: refuseBodyTemplate,
  render({ event, context }) {
    return JSON.stringify({ type: `alert.${event}`, timestamp: context.sent_at, data: alertData(context) })
  },
}

/** The details of an alert. They have the same names as the variables of templates. */
type AlertData = Partial<Omit<AlertContext, 'alert' | 'sent_at' | 'include'>> & {
  readonly alert: Partial<AlertContext['alert']>
}

/** Returns the details that apply to the alert and that its rule includes. */
export function alertData({
  alert,
  rule,
  check,
  service,
  integration,
  org,
  include,
}: Notification['context']): AlertData {
  const { link, summary, ...details } = alert
  return {
    alert: { ...details, ...(include.summary && { summary }), ...(include.link && { link }) },
    rule,
    ...(include.check && check && { check }),
    ...(include.service && service && { service }),
    ...(include.integration && integration && { integration }),
    org,
  }
}
