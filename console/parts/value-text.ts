import type { components } from '../../openapi/types.ts'

/**
 * Formats a value of an attribute: texts as they are, everything else as JSON. An unset value is the empty text, with
 * which conditions compare it.
 */
export function textOf(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Summarizes a log record by its body or, for an event without one, by the name of the event. */
export function textOfLog({ body, event_name }: components['schemas']['LogRecord']): string {
  return textOf(body.value) || event_name
}

/** A visible character: neither white space nor one without width. */
const seen = /[^\p{White_Space}\p{C}\p{Default_Ignorable_Code_Point}]/u
const escaped = /[^!-~]/g

/**
 * Returns a text in a visible form, which can be clicked and read aloud. A text without a visible character, such as a
 * space as the name of a service, is quoted, with an escape for each character.
 */
export function visibleText(text: string): string {
  if (seen.test(text)) return text
  return `"${text.replace(escaped, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}
