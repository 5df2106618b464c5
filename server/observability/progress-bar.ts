/** Progress on standard error, so that standard output holds only results. */
import cliProgress from 'cli-progress'

/** Interval between two lines when standard error is not a terminal. */
const lineEveryMs = 10_000

/** Creates a bar for a terminal, which is a line every ten seconds elsewhere. `label` says what is counted. */
export function progressBar(label: string): cliProgress.SingleBar {
  return new cliProgress.SingleBar({
    format: `{bar} {percentage} %  {value} of {total} ${label}  {eta_formatted} left`,
    // Before there is a rate, the library passes a text that says so.
    formatTime: (eta: number | string) => timeLeft(typeof eta === 'number' ? eta : null),
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: lineEveryMs,
  })
}

/** Formats the time that is left, in seconds, or null while it is not known. */
export function timeLeft(seconds: number | null): string {
  if (seconds === null) return '?'
  if (seconds < 90) return `${seconds} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
