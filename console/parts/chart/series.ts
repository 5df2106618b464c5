/** The values of a chart, aligned on one axis of time. Times are milliseconds since the Unix epoch. */
import { formatTime, type TimeWindow, within } from '../time/time.ts'
import { formatValue } from './units.ts'

/** A value at a time; null for none. */
export type ChartPoint = readonly [time: string, value: number | null]

export interface ChartSeries {
  readonly name: string
  /** Oldest first. A time without a point, and a point without a value, is a gap in the line. */
  readonly points: readonly ChartPoint[]
  /** Whether this series is the rest that no other covers, which is drawn less prominently. */
  readonly isRest?: boolean
}

/** A time band that is drawn behind the lines. */
export interface ChartBand extends TimeWindow {
  readonly kind: 'pending' | 'firing' | 'noted'
  /** Its meaning, for the legend and the table. Bands of one kind have the same label. */
  readonly label: string
}

/** A value that is drawn as a line. */
export interface ChartThreshold {
  readonly value: number
  readonly label: string
}

/** A range of values that is drawn behind the lines. An absent end is open. */
export interface ChartLevel {
  readonly from?: number
  readonly to?: number
  readonly label: string
}

export interface AlignedSeries {
  readonly times: readonly number[]
  /** The values of each series at the times; null for no value. */
  readonly values: readonly (readonly (number | null)[])[]
  readonly stepMs: number
}

/** Gaps are not filled beyond this number of times. The API returns at most 500. */
const timesMax = 5_000

/**
 * Aligns series on one time axis. Missing times are added at intervals of the step, so that a missing point is a gap in
 * the line, which can be pointed at.
 */
export function align(series: readonly ChartSeries[], window: TimeWindow, stepMs: number): AlignedSeries {
  const byTime = series.map(({ points }) => new Map(points.map(([time, value]) => [Date.parse(time), value])))
  const known = [...new Set(byTime.flatMap((each) => [...each.keys()]))].toSorted((a, b) => a - b)
  const times = fill(known, Date.parse(window.from), Date.parse(window.to), stepMs)
  return { times, values: byTime.map((each) => times.map((time) => each.get(time) ?? null)), stepMs }
}

/** Adds times at intervals of the step wherever two neighbours, or an end of the window, are further apart. */
function fill(known: readonly number[], fromMs: number, toMs: number, stepMs: number): number[] {
  const first = known[0]
  if (first === undefined || (toMs - fromMs) / stepMs > timesMax) return [...known]
  const times: number[] = []
  for (let time = first - stepMs; time > fromMs - stepMs; time -= stepMs) times.unshift(time)
  known.forEach((time, index) => {
    times.push(time)
    const next = known[index + 1] ?? toMs
    for (let missing = time + stepMs; missing < next - stepMs / 2; missing += stepMs) times.push(missing)
  })
  return times
}

/** Returns the positions of isolated points, with a gap on both sides. */
export function isolated(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  )
}

/** Returns the part of the window that a range of buckets covers. */
export function windowOf(
  { times, stepMs }: AlignedSeries,
  first: number,
  last: number,
  window: TimeWindow,
): TimeWindow {
  const from = times[Math.min(first, last)] ?? Date.parse(window.from)
  const to = (times[Math.max(first, last)] ?? Date.parse(window.to)) + stepMs
  return within({ fromMs: from, toMs: to }, window)
}

/** Formats the time of a bucket. */
export function timeWords({ times }: AlignedSeries, index: number, isUtc: boolean): string {
  const time = times[index]
  return time === undefined ? '' : formatTime(new Date(time).toISOString(), isUtc)
}

/** Describes what a chart shows at a time: `2026-03-01 09:00:00 · p50 12 ms · p99 no data · firing`. */
export function describeAt(aligned: AlignedSeries, index: number, options: DescribeOptions): string {
  const { series, unit, bands, isUtc } = options
  const time = aligned.times[index]
  if (time === undefined) return 'no data'
  const values = series.map(({ name }, position) => {
    const value = aligned.values[position]?.[index]
    return `${name} ${value == null ? 'no data' : formatValue(value, unit)}`
  })
  return [timeWords(aligned, index, isUtc), ...values, ...bandsAt(bands, time)].join(' · ')
}

interface DescribeOptions {
  readonly series: readonly ChartSeries[]
  readonly unit: string
  readonly bands: readonly ChartBand[]
  readonly isUtc: boolean
}

/** Returns the labels of the bands that a time lies in. */
export function bandsAt(bands: readonly ChartBand[], time: number): string[] {
  return bands.flatMap(({ from, to, label }) => (Date.parse(from) <= time && time < Date.parse(to) ? [label] : []))
}
