const expected = 'must be an RFC 3339 timestamp with a time zone, such as 2026-03-01T09:00:00Z'

/** The units in which programs count the time since 1970, by the number of digits that such times have today. */
const units: ReadonlyMap<number, readonly [name: string, perMillisecond: number]> = new Map([
  [10, ['seconds', 1e-3]],
  [13, ['milliseconds', 1]],
  [16, ['microseconds', 1e3]],
  [19, ['nanoseconds', 1e6]],
])

/** Returns the message for a value that is not a timestamp, with what its sender may have meant. */
export function timestampMessage(value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const [, whole] = /^(\d{10,19})(?:\.\d+)?$/.exec(text) ?? []
  const unit = whole === undefined ? undefined : units.get(whole.length)
  if (unit !== undefined) {
    const [name, perMillisecond] = unit
    return `${expected}; this may be the time in ${name}, ${timeOf(Number(text) / perMillisecond)}`
  }
  if (typeof value === 'number') return `${expected}, not a number`
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?$/.test(text)) return `${expected}; add Z if this one is in UTC`
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})? \d\d:?\d\d$/.test(text)) return `${expected}; a URL needs %2B for +`
  if (/\.\d{10}/.test(text)) return `${expected}; its fraction has at most nine digits`
  return expected
}

function timeOf(ms: number): string {
  return new Date(Math.trunc(ms)).toISOString().replace('.000Z', 'Z')
}
