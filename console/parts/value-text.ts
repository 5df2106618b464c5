/** Writes a value of an attribute: texts as they are, everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
