import { alertData } from './json-format.ts'
import { refuseBodyTemplate, type WebhookFormat } from './webhook-format.ts'

/** A CloudEvents 1.0 event in structured mode. Its `data` equals the `data` of the canonical body. */
export const cloudEventsFormat: WebhookFormat = {
  contentType: 'application/cloudevents+json',
  checkSettings: refuseBodyTemplate,
  render({ id, event, context }) {
    return JSON.stringify({
      specversion: '1.0',
      id,
      source: `urn:tracefold:${encodeURIComponent(context.org.id)}:rule:${context.rule.id}`,
      type: `io.tracefold.alert.${event}`,
      subject: context.alert.id,
      time: context.sent_at,
      datacontenttype: 'application/json',
      data: alertData(context),
    })
  },
}
