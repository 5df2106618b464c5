/** Parses time windows that a person types in words. */
import { formatTime, fractionInThrees, secondsOf, unitOfWord, type WindowSearch } from './time.ts'

const hourMs = 3_600_000

/**
 * Parses a window in words: `15m`, `3 hours`, `last 3h`, `today`, `yesterday`, `2026-03-01 09:00 to 2026-03-01 10:00`,
 * `09:00 to 10:00` (the last time that this began), `09:00 to now`. Returns undefined for anything else.
 */
export function parseWindow(words: string, now: Date, isUtc: boolean): WindowSearch | undefined {
  const text = words.trim().toLowerCase()
  if (secondsOf(text) !== undefined) return { last: text }
  const length = text.replace(/^(?:the )?(?:last|past) /, '')
  const one = length === text ? undefined : '1'
  const [, digits = one, unit, word = ''] = /^(\d{1,10})? ?(?:([smhdw])|([a-z]{2,}?)s?)$/.exec(length) ?? []
  const last = `${Number(digits)}${unit ?? unitOfWord(word)}`
  if (secondsOf(last) !== undefined) return { last }
  const today = startOfDay(now, isUtc)
  if (text === 'today') return { from: today.toISOString(), to: now.toISOString() }
  const yesterday = startOfDay(new Date(today.getTime() - 1), isUtc)
  if (text === 'yesterday') return { from: yesterday.toISOString(), to: today.toISOString() }
  const [first = '', second = '', ...more] = words.trim().split(/\s+(?:to|until|–|-)\s+/)
  const isPast = (time: string) => Date.parse(time) <= now.getTime()
  const from = parseTime(first, isUtc) ?? timeOfDay(first, [today, yesterday], isUtc).find(isPast)
  if (from === undefined || more.length > 0) return undefined
  const day = startOfDay(new Date(from), isUtc)
  // Daylight saving time may begin or end in between.
  const nextDay = new Date(day.getTime() + 36 * hourMs)
  const ends = second.toLowerCase() === 'now' ? [now.toISOString()] : timeOfDay(second, [day, nextDay], isUtc)
  const to = [parseTime(second, isUtc), ...ends].find((end) => end !== undefined && isBefore(from, end))
  return to === undefined ? undefined : { from, to }
}

/**
 * Parses a time without a date, `9:05` or `09:05:30`, on each of some days. Returns an empty array for anything else.
 */
function timeOfDay(text: string, days: readonly Date[], isUtc: boolean): string[] {
  if (!/^\d{1,2}:\d{2}(:|$)/.test(text)) return []
  const times = days.map((day) => {
    const date = formatTime(day.toISOString(), isUtc).slice(0, 10)
    return parseTime(`${date} ${text.replace(/^\d:/, '0$&')}`, isUtc)
  })
  return times.filter((time) => time !== undefined)
}

/** Compares two timestamps in UTC, which may have different numbers of digits. */
function isBefore(from: string, to: string): boolean {
  const padded = (time: string) => `${time.replace(/(\.\d+)?Z$/, '')}${fractionInThrees(time).padEnd(9, '0')}`
  return padded(from) < padded(to)
}

function startOfDay(date: Date, isUtc: boolean): Date {
  const start = new Date(date)
  if (isUtc) start.setUTCHours(0, 0, 0, 0)
  else start.setHours(0, 0, 0, 0)
  return start
}

/** Parses `2026-03-01 09:00[:05[.123456789]]` in the chosen time zone, or an RFC 3339 timestamp. */
function parseTime(text: string, isUtc: boolean): string | undefined {
  const pattern = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:\d{2})?$/
  const [, day, clock = '00:00', seconds = ':00', zone = isUtc ? 'Z' : ''] = pattern.exec(text.trim()) ?? []
  if (day === undefined || !isDay(day)) return undefined
  const fraction = seconds.slice(3)
  const at = new Date(`${day}T${clock}${seconds.slice(0, 3)}${zone}`)
  if (Number.isNaN(at.getTime())) return undefined
  return at.toISOString().replace('.000Z', `${fraction}Z`)
}

/** Reports whether a date exists. Browsers parse the 30th of February as the 2nd of March. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}
