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

/** A character that is seen: neither white space nor one without width. */
const seen = /[^\p{White_Space}\p{C}\p{Default_Ignorable_Code_Point}]/u
const escaped = /[^!-~]/g

/**
 * Writes a text so that it is seen, and can be clicked and read aloud. A text without a character that is seen, such as
 * a space as the name of a service, is written in quotes, with an escape for each character.
 */
export function visibleText(text: string): string {
  if (seen.test(text)) return text
  return `"${text.replace(escaped, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}
