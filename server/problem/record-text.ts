import { invalid } from './problem.ts'

/**
 * The text of a name at a pointer, as it is. Invisible characters would make two names look alike, and Postgres cannot
 * store the character 0.
 */
export function checkName(name: string, pointer: string): string {
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw invalid(pointer, 'control_character', 'must not hold control characters')
  return name
}

/** A text of several lines. */
export function checkText(text: string, pointer: string): string {
  if (/[\p{Cc}\p{Cs}]/u.test(text.replace(/[\t\r\n]/g, '')))
    throw invalid(pointer, 'control_character', 'must not hold control characters')
  return text
}

/** Any text that both stores keep in a column of its own: names of services may hold control characters. */
export function checkStorable(text: string, pointer: string): string {
  if (/[\0\p{Cs}]/u.test(text)) throw invalid(pointer, 'control_character', 'must not hold the character 0')
  return text
}

/** The order in which both stores, and telemetry, list texts: by code points, not by UTF-16 units. */
export function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
