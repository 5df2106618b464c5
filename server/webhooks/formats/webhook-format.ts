import { refused } from '../../problem/problem.ts'
import type { AlertContext, AlertState } from '../templates/template-variables.ts'

/** The kind of a notification. A `test` reports a sample alert that never fired. */
export type NotificationEvent = AlertState | 'test'

/** A message about an alert, before it is rendered as the body of a webhook. */
export interface Notification {
  /** Sent as the `webhook-id` header. Every attempt of a delivery has the same id. */
  readonly id: string
  readonly event: NotificationEvent
  readonly context: AlertContext
}

/** The settings of a channel, besides its format, that determine the body. */
export interface FormatSettings {
  readonly bodyTemplate: string | null
}

/** A payload format: how a notification is rendered as the body of a webhook. */
export interface WebhookFormat {
  /** The media type of the body. */
  readonly contentType: string
  /**
   * Checks the settings of a channel that uses the format. `pointer` locates the channel's `config` in the request
   * body.
   * @throws Problem 422 that names the setting which the format requires or does not accept
   */
  readonly checkSettings: (settings: FormatSettings, pointer: string) => void
  /** Returns the body. It may throw only if the format has a `fallback`. */
  readonly render: (notification: Notification, settings: FormatSettings) => string
  /** The format of the body that is posted if `render` throws. */
  readonly fallback?: WebhookFormat
}

/** Refuses a template. It is the `checkSettings` of formats without templates. */
export function refuseBodyTemplate({ bodyTemplate }: FormatSettings, pointer: string): void {
  if (bodyTemplate === null) return
  const message = 'The `body_template` of a channel must be null or omitted unless its `format` is `template`.'
  throw refused(`${pointer}/body_template`, 'format_not_template', message)
}
