/**
 * Times and windows of the console. A window is relative to now, or absolute. Timestamps stay the texts that the server
 * sent, because a Date has milliseconds and no nanoseconds.
 */

import { counted } from '../counted.ts'
import { without } from '../without.ts'

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** The search parameters of the window, by default the last hour. */
export interface WindowSearch {
  /** A relative window, such as `15m`. */
  readonly last?: string
  readonly from?: string
  readonly to?: string
}

export interface TimeWindow {
  readonly from: string
  readonly to: string
}

export const relativeWindows: readonly (readonly [last: string, words: string])[] = [
  ['5m', 'Last 5 minutes'],
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['6h', 'Last 6 hours'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
]

/** The default window. */
const lastDefault = '1h'

/** A relative window is at most as long as the API allows in a saved view: 100 years. */
const relativeSecondsMax = 3_153_600_000

/** Returns the seconds of a relative window such as `15m`, or undefined. */
export function secondsOf(last: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,10})([smhdw])$/.exec(last) ?? []
  const seconds = Number(digits) * (secondsPerUnit[unit] ?? Number.NaN)
  return seconds > 0 && seconds <= relativeSecondsMax ? seconds : undefined
}

/** Returns the seconds of the window of an address, or undefined for an absolute one. */
export function relativeSecondsOf({ last = lastDefault, from, to }: WindowSearch): number | undefined {
  return from !== undefined && to !== undefined ? undefined : (secondsOf(last) ?? secondsOf(lastDefault))
}

/** Reports whether a text is a timestamp that the API accepts. */
export function isTimestamp(text: string): boolean {
  const isWritten = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i.test(text)
  return isWritten && !Number.isNaN(Date.parse(text))
}

/** Returns a relative window of some seconds in the largest unit that leaves a whole number, such as `15m`. */
export function relativeWindow(seconds: number): string {
  const [unit = 's', size = 1] =
    Object.entries(secondsPerUnit).findLast(([, each]) => seconds >= each && seconds % each === 0) ?? []
  return `${seconds / size}${unit}`
}

/** Resolves the window of an address at a given time. */
export function windowAt(window: WindowSearch, now: Date): TimeWindow {
  const { from, to } = window
  if (from !== undefined && to !== undefined) return { from, to }
  const seconds = relativeSecondsOf(window) ?? 0
  // One second later, so that spans of this moment are included.
  const end = new Date(Math.ceil(now.getTime() / 1_000) * 1_000)
  return { from: new Date(end.getTime() - seconds * 1_000).toISOString(), to: end.toISOString() }
}

/** Describes a window, for example for the button that changes it. */
export function describeWindow(window: WindowSearch, isUtc: boolean, digits = 0): string {
  const { last, from, to } = window
  if (from !== undefined && to !== undefined) {
    return `${formatTime(from, isUtc, digits)} to ${formatTime(to, isUtc, digits)}`
  }
  const seconds = relativeSecondsOf(window)
  const known = relativeWindows.find(([each]) => secondsOf(each) === seconds)
  return known?.[1] ?? `Last ${lengthWords(last ?? lastDefault)}`
}

/** Returns the length of a relative window in words: `25 minutes`, `day`. */
function lengthWords(last: string): string {
  const [count, noun] = [Number(last.slice(0, -1)), wordOf(last.slice(-1))]
  return count === 1 ? noun : counted(count, noun)
}

/** Returns a part of the window, clamped to it. */
export function within({ fromMs, toMs }: { fromMs: number; toMs: number }, window: TimeWindow): TimeWindow {
  return {
    from: fromMs <= Date.parse(window.from) ? window.from : new Date(Math.round(fromMs)).toISOString(),
    to: toMs >= Date.parse(window.to) ? window.to : new Date(Math.round(toMs)).toISOString(),
  }
}

/** A wider window than one without results, with words that end a sentence beginning with "In". */
export interface WiderWindow {
  readonly words: string
  readonly window: WindowSearch
}

/** Factors by which the windows around an absolute one are longer, and the lengths of others in seconds. */
const around = { times: [2, 10], seconds: [86_400, 604_800] } as const
/** The range of times that can be stored. */
const storable = { fromMs: 0, toMs: Date.UTC(2262, 3, 11) } as const

/** The window that contains everything that is stored. */
export const storedWindow: TimeWindow = {
  from: new Date(storable.fromMs).toISOString(),
  to: new Date(storable.toMs).toISOString(),
}

/** Returns wider windows around the one of an address, the shortest first. Relative windows all end now. */
export function widerWindows(search: WindowSearch, at: Date, isUtc: boolean): WiderWindow[] {
  const { from, to } = windowAt(search, at)
  const [fromMs, toMs] = [Date.parse(from), Math.ceil(Date.parse(to) / 1_000) * 1_000]
  const seconds = (toMs - fromMs) / 1_000
  if (search.from === undefined) {
    return relativeWindows
      .filter(([last]) => (secondsOf(last) ?? 0) > seconds)
      .map(([last, words]) => ({ words: `the ${words.toLowerCase()}`, window: { last } }))
  }
  const lengths = [...around.times.map((times) => times * seconds), ...around.seconds.filter((each) => each > seconds)]
  return lengths
    .toSorted((a, b) => a - b)
    .map((length) => {
      const margin = Math.ceil((length - seconds) / 2) * 1_000
      const wider = {
        from: new Date(Math.max(fromMs - margin, Math.min(fromMs, storable.fromMs))).toISOString(),
        to: new Date(Math.min(toMs + margin, Math.max(toMs, storable.toMs))).toISOString(),
      }
      return { words: `the time from ${describeWindow(wider, isUtc)}`, window: wider }
    })
}

/** Returns the window of an address if it contains a given time, otherwise the hour around that time. */
export function windowWith(moment: string, search: WindowSearch, now: Date): WindowSearch {
  const { last, ...window } = search
  const { from, to } = windowAt(search, now)
  const [at, halfHour] = [Date.parse(moment), 1_800_000]
  if (Date.parse(from) <= at && at < Date.parse(to)) return last === undefined ? window : { last }
  return { from: new Date(at - halfHour).toISOString(), to: new Date(at + halfHour).toISOString() }
}

/** Returns a search without its window, to which another one can be added. */
export function withoutWindow<Search extends WindowSearch>(search: Search): Omit<Search, keyof WindowSearch> {
  return without(search, 'last', 'from', 'to')
}

const unitWords: Readonly<Record<string, string>> = {
  second: 's',
  sec: 's',
  minute: 'm',
  min: 'm',
  hour: 'h',
  hr: 'h',
  day: 'd',
  week: 'w',
}

function wordOf(unit: string): string {
  return Object.entries(unitWords).find(([, each]) => each === unit)?.[0] ?? unit
}

/** Returns the letter of a unit of time that is given as a word, or undefined. */
export function unitOfWord(word: string): string | undefined {
  return unitWords[word]
}

/** Returns the digits of the fraction of a second. */
function fractionOf(timestamp: string): string {
  return /\.(\d+)Z$/.exec(timestamp)?.[1] ?? ''
}

/**
 * Formats a timestamp in the chosen time zone, with milliseconds or with all of its digits. In the hour that occurs
 * twice when daylight saving time ends it also has its offset, as `parseTime` accepts it.
 */
export function formatTime(timestamp: string, isUtc: boolean, digits = 0): string {
  const date = new Date(timestamp)
  const pad = (value: number) => String(value).padStart(2, '0')
  const fraction = fractionOf(timestamp).padEnd(digits, '0').slice(0, digits)
  const [year, month, day, hour, minute, second] = isUtc
    ? [
        date.getUTCFullYear(),
        date.getUTCMonth(),
        date.getUTCDate(),
        date.getUTCHours(),
        date.getUTCMinutes(),
        date.getUTCSeconds(),
      ]
    : [date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()]
  const clock = `${pad(hour)}:${pad(minute)}:${pad(second)}${digits > 0 ? `.${fraction}` : ''}`
  return `${year}-${pad(month + 1)}-${pad(day)} ${clock}${isUtc ? '' : offsetIfTwice(date)}`
}

/** Formats a timestamp, without its year if that is the current one. */
export function formatNearTime(timestamp: string, now: Date, isUtc: boolean, digits = 0): string {
  const [text, present] = [formatTime(timestamp, isUtc, digits), formatTime(now.toISOString(), isUtc)]
  return text.slice(0, 5) === present.slice(0, 5) ? text.slice(5) : text
}

const minuteMs = 60_000
/** More than any change of local time, except for days that a country has repeated. */
const aroundChangeMs = 180 * minuteMs

/** Returns the offset from UTC, such as `+02:00`, of a local time that occurs twice, or an empty text. */
function offsetIfTwice(date: Date): string {
  const offset = date.getTimezoneOffset()
  const isTwice = [-aroundChangeMs, aroundChangeMs].some((distance) => {
    const other = new Date(date.getTime() + distance).getTimezoneOffset()
    const again = new Date(date.getTime() + (other - offset) * minuteMs)
    return other !== offset && again.getTimezoneOffset() === other
  })
  if (!isTwice) return ''
  const pad = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.abs(offset)
  return `${offset > 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

/** Formats a timestamp with its milliseconds, microseconds or nanoseconds: the fewest of them that lose nothing. */
export function formatExactTime(timestamp: string, isUtc: boolean): string {
  return formatTime(timestamp, isUtc, fractionInThrees(timestamp).length)
}

/** Returns the digits after the seconds of a timestamp in UTC: none, three, six or nine, as few as lose nothing. */
export function fractionInThrees(timestamp: string): string {
  return fractionOf(timestamp)
    .padEnd(9, '0')
    .replace(/(000)+$/, '')
}

/** Reports whether the time zone of the browser differs from UTC, so that there is a choice. */
export function isZoneChosen(): boolean {
  return zoneName(false) !== zoneName(true)
}

/** Returns the readable name of the chosen time zone: `America/New York`. */
export function zoneName(isUtc: boolean): string {
  return isUtc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
}
