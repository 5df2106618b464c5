import type { Receiver } from '../channels/receiver.ts'
import { compileTemplate, renderTemplate, type Template } from '../templates/template.ts'
import { canonicalPayload, cloudEvent, type Notification } from './json-format.ts'

/** What is posted, to the byte (in UTF-8), and signed. */
export interface Body {
  readonly contentType: string
  readonly text: string
  /** Why the canonical payload stands in the place of the template's; for the log of deliveries. */
  readonly templateError?: string
}

export type RenderBody = (receiver: Pick<Receiver, 'format' | 'bodyTemplate'>, notification: Notification) => Body

const templatesKeptMax = 256

/** The one renderer of deliveries and test sends. Each template is compiled once for as long as it is in use. */
export function createBodyRenderer(): RenderBody {
  const compiled = new Map<string, Template>()
  const compile = (text: string) => {
    const template = compiled.get(text) ?? compileTemplate(text)
    // The last one used is the last one in the map, so the first one is the one to let go.
    compiled.delete(text)
    compiled.set(text, template)
    if (compiled.size > templatesKeptMax) compiled.delete(compiled.keys().next().value ?? text)
    return template
  }
  return ({ format, bodyTemplate }, notification) => {
    if (format === 'cloudevents') {
      return {
        contentType: 'application/cloudevents+json',
        text: JSON.stringify(cloudEvent(notification)),
      }
    }
    if (format === 'json') return canonicalBody(notification)
    try {
      const template = compile(bodyTemplate ?? '')
      return { contentType: 'application/json', text: renderTemplate(template, notification.context) }
    } catch (error) {
      return { ...canonicalBody(notification), templateError: error instanceof Error ? error.message : String(error) }
    }
  }
}

function canonicalBody(notification: Notification): Body {
  return { contentType: 'application/json', text: JSON.stringify(canonicalPayload(notification)) }
}
