import cliProgress from 'cli-progress'
import type { Progress } from './section.ts'

/** Between two lines where standard error is no terminal. */
const lineEveryMs = 10_000

/** A bar on standard error, so that standard output holds the results alone. */
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
