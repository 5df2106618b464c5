import { formatTime } from '../time/time.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const yearMs = 365 * dayMs

/** Readable intervals between time labels. */
const tickStepsMs = [
  ...[1_000, 5_000, 10_000, 30_000],
  ...[1, 2, 5, 10, 15, 30].map((each) => each * minuteMs),
  ...[1, 2, 3, 6, 12].map((each) => each * hourMs),
  ...[1, 2, 7, 14, 30, 90, 365].map((each) => each * dayMs),
]

interface TimeTick {
  readonly atMs: number
  readonly text: string
}

/** Returns labels for a time axis, at most as many as given, at round times of the chosen time zone. */
export function timeTicks(fromMs: number, toMs: number, countMax: number, isUtc: boolean): TimeTick[] {
  const years = Math.ceil((toMs - fromMs) / countMax / yearMs)
  const step = tickStepsMs.find((each) => (toMs - fromMs) / each <= countMax) ?? years * yearMs
  const zoneMs = isUtc ? 0 : -new Date(fromMs).getTimezoneOffset() * minuteMs
  const firstWall = Math.ceil((fromMs + zoneMs) / step) * step
  const ticks: TimeTick[] = []
  for (let wallMs = firstWall; ; wallMs += step) {
    // Where the clocks change, an hour occurs twice or not at all, and longer steps still begin at midnight.
    const atMs = isUtc || step <= hourMs ? wallMs - zoneMs : instantOf(new Date(wallMs))
    // Comparisons with NaN are false, so the loop ends for an address without valid times.
    if (!(atMs <= toMs)) return ticks
    ticks.push({ atMs, text: tickText(atMs, step, isUtc) })
  }
}

/** Returns the instant at which the local time of the browser equals the UTC time of a date. */
function instantOf(wall: Date): number {
  return new Date(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), wall.getUTCHours()).getTime()
}

function tickText(atMs: number, stepMs: number, isUtc: boolean): string {
  const [day = '', clock = ''] = formatTime(new Date(atMs).toISOString(), isUtc).split(' ')
  if (stepMs >= dayMs) return stepMs < 90 * dayMs ? day.slice(5) : day
  // After these eight characters there may be an offset, in an hour that occurs twice.
  return clock === '00:00:00' ? day.slice(5) : clock.slice(0, stepMs < minuteMs ? 8 : 5) + clock.slice(8)
}

/** Returns the smallest of 1, 2, 5, 10, 20, … that is not below a count: where a count axis ends. */
export function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(count, 1)))
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= count) ?? count
}
