import cliProgress from 'cli-progress'
import type { Progress } from './section.ts'

/** Interval between two lines when standard error is not a terminal. */
const lineEveryMs = 10_000

/** Starts a progress bar on standard error, so that standard output holds only the results. */
export function startProgress(label: string, total: number): Progress {
  const bar = new cliProgress.SingleBar({
    format: `{bar} {percentage} %  {value} of {total} ${label}  {eta_formatted} left`,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: lineEveryMs,
  })
  bar.start(total, 0)
  return { update: (done) => bar.update(done), stop: () => bar.stop() }
}
