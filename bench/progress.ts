import { progressBar } from '../server/observability/progress-bar.ts'
import type { Progress } from './section.ts'

/** Starts a progress bar. `label` says what is counted up to `total`. */
export function startProgress(label: string, total: number): Progress {
  const bar = progressBar(label)
  bar.start(total, 0)
  return { update: (done) => bar.update(done), stop: () => bar.stop() }
}
