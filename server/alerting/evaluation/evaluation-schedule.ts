import { type Background, repeatedly } from '../../background/background.ts'
import type { HeldLease } from '../../metadata/held-lease.ts'
import type { Lease } from '../../metadata/lease.ts'
import type { Logger } from '../../observability/logging.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import type { EvaluationPass } from './evaluation-pass.ts'
import { LeaseLost } from './evaluation-store.ts'

export interface EvaluationScheduleParts {
  readonly pass: EvaluationPass
  /** Of the one server that evaluates. */
  readonly lease: HeldLease
  readonly periodMs: number
  readonly now: () => Date
  readonly logger: Logger
  readonly metrics: Prometheus['alerting']
}

/** How soon a new period, or a lease that has fallen to this server, is noticed; looking costs nothing. */
const lookMsMax = 500

/**
 * One pass in each period, by the server that holds the lease. Periods are those of the clock, the same ones for all
 * servers: one that takes over in the middle evaluates what is left of the period, and one that was down goes on with the
 * present period and never makes up for those that it missed. A pass that takes longer than a period delays the next one.
 */
export function createEvaluationSchedule(parts: EvaluationScheduleParts): Background {
  const { pass, lease, periodMs, now, logger, metrics } = parts
  const batches = new AbortController()
  const queries = new AbortController()
  const stopping = { batches: batches.signal, queries: queries.signal }
  let begun: number | undefined
  const run = async (held: Lease, period: number) => {
    const stop = metrics.passes.startTimer()
    try {
      await pass(held, period * periodMs, stopping)
      stop({ outcome: batches.signal.aborted ? 'stopped' : 'done' })
    } catch (err) {
      const isStopped = queries.signal.aborted || err instanceof LeaseLost
      stop({ outcome: isStopped ? 'stopped' : 'failed' })
      if (!isStopped) logger.warn({ err }, 'Alert rules could not be evaluated')
    }
  }
  const passes = repeatedly({
    pauseMs: Math.min(lookMsMax, periodMs / 4),
    async work() {
      const held = lease.current()
      const period = held && Math.floor(now().getTime() / periodMs)
      const isNew = period !== begun
      begun = period
      if (held !== undefined && period !== undefined && isNew) await run(held, period)
    },
    onError: (err) => logger.error({ err }, 'Alert rules could not be evaluated'),
  })
  return {
    start() {
      lease.start()
      passes.start()
    },
    async stop(runningMsMax) {
      batches.abort()
      const timer = setTimeout(() => queries.abort(), runningMsMax)
      await passes.stop(runningMsMax)
      clearTimeout(timer)
      await lease.stop(runningMsMax)
    },
  }
}
