import { cloudEventsFormat } from './cloudevents-format.ts'
import { jsonFormat } from './json-format.ts'
import { templateFormat } from './template-format.ts'
import type { FormatSettings, Notification, WebhookFormat } from './webhook-format.ts'

/** Every payload format. CONTRIBUTING.md lists what a new one needs. */
export const webhookFormats = {
  json: jsonFormat,
  cloudevents: cloudEventsFormat,
  template: templateFormat,
} as const satisfies Readonly<Record<string, WebhookFormat>>

export type ChannelFormat = keyof typeof webhookFormats

/** The body of a webhook. Exactly these bytes, in UTF-8, are signed and posted. */
export interface Body {
  readonly contentType: string
  readonly text: string
  /** Why the body is in the fallback format. It is recorded in the delivery log. */
  readonly templateError?: string
}

/** Renders the body for a channel. If its format fails, renders the fallback of that format. */
export function renderBody(
  { format, ...settings }: FormatSettings & { readonly format: ChannelFormat },
  notification: Notification,
): Body {
  const { contentType, render, fallback }: WebhookFormat = webhookFormats[format]
  try {
    return { contentType, text: render(notification, settings) }
  } catch (error) {
    if (fallback === undefined) throw error
    const templateError = error instanceof Error ? error.message : String(error)
    return { contentType: fallback.contentType, text: fallback.render(notification, settings), templateError }
  }
}
