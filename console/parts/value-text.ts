import type { components } from '../../openapi/types.ts'

/**
 * Writes a value of an attribute: texts as they are, everything else as JSON. An unset value has the empty text, which
 * is what conditions compare.
 */
export function textOf(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Writes a log record in short: its body or, for an event without one, the name of the event. */
export function textOfLog({ body, event_name }: components['schemas']['LogRecord']): string {
  return textOf(body.value) || event_name
}
