import { type Background, repeatedly } from '../../background/background.ts'
import type { Deps } from '../../feature.ts'
import { holdLease, type Lease, type Leases } from '../../metadata/lease.ts'
import { createOutageLog } from '../../observability/outage-log.ts'
import type { EvaluationPass, Stopping } from './evaluation-pass.ts'
import { LeaseLost } from './evaluation-store.ts'

export interface EvaluationScheduleDeps extends Pick<Deps, 'now' | 'logger' | 'prometheus'> {
  readonly config: Pick<Deps['config'], 'alertPeriodSeconds'>
  readonly leases: Leases
  readonly pass: EvaluationPass
}

/** Names the lease of the server that evaluates alert rules. */
export const evaluationLease = 'alert rules'

/** The lease of a server that was killed expires after this many periods, within the bounds. */
const leasePeriods = 2
const leaseMsMin = 5_000
const leaseMsMax = 30_000

/** Maximum milliseconds between two checks for a new period or an acquired lease. A check runs no query. */
const checkMsMax = 500

/** Logged while rules cannot be read, or what they became cannot be recorded. */
const outageMessages = {
  failure: 'Could not evaluate alert rules, which cannot be read or recorded',
  recovery: 'Alert rules are evaluated again',
}

/** Returns the milliseconds after which the lease expires unless it is renewed. */
export function evaluationLeaseMs({ alertPeriodSeconds }: Pick<Deps['config'], 'alertPeriodSeconds'>): number {
  return Math.min(Math.max(leasePeriods * alertPeriodSeconds * 1_000, leaseMsMin), leaseMsMax)
}

/**
 * Begins one pass in each period on the server that holds the lease. Periods are aligned to the clock, so they are the
 * same on all servers: one that acquires the lease during a period evaluates the rules that are left, and missed
 * periods are not made up for. A pass that takes longer than a period does not delay the next one.
 */
export function createEvaluationSchedule(deps: EvaluationScheduleDeps): Background {
  const { config, now, logger, leases } = deps
  const periodMs = config.alertPeriodSeconds * 1_000
  const batches = new AbortController()
  const queries = new AbortController()
  const stopping = { batches: batches.signal, queries: queries.signal }
  const lease = holdLease({
    name: evaluationLease,
    leases,
    renewMs: evaluationLeaseMs(config) / 3,
    now,
    outages: createOutageLog(logger, {
      failure: 'Could not acquire the alert-evaluation lease',
      recovery: 'The alert-evaluation lease can be acquired again',
    }),
  })
  const running = createRunningPasses(deps, stopping)
  let begun: number | undefined
  const passes = repeatedly({
    pauseMs: Math.min(checkMsMax, periodMs / 4),
    async work() {
      const held = lease.current()
      const period = held && Math.floor(now().getTime() / periodMs)
      const isNew = period !== begun
      begun = period
      if (held !== undefined && period !== undefined && isNew) await running.begin(held, period * periodMs)
    },
    onError: (err) => logger.error({ err }, 'Could not evaluate alert rules'),
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
      await running.ended()
      clearTimeout(timer)
      await lease.stop(runningMsMax)
    },
  }
}

/** The passes in progress. They overlap when one takes longer than a period. */
function createRunningPasses(
  { pass, logger, prometheus, config }: Omit<EvaluationScheduleDeps, 'now' | 'leases'>,
  stopping: Stopping,
) {
  const running = new Set<Promise<void>>()
  const outages = createOutageLog(logger, outageMessages, { quietMs: 2 * config.alertPeriodSeconds * 1_000 })
  const observe = async (ended: () => Promise<void>) => {
    const stop = prometheus.alerting.passes.startTimer()
    try {
      await ended()
      stop({ outcome: stopping.batches.aborted ? 'stopped' : 'done' })
      outages.succeeded()
    } catch (err) {
      const isStopped = stopping.queries.aborted || err instanceof LeaseLost
      stop({ outcome: isStopped ? 'stopped' : 'failed' })
      if (!isStopped) outages.failed(err)
    }
  }
  return {
    /** Resolves when the pass has read its rules, or has failed to. */
    begin: (lease: Lease, sinceMs: number) =>
      new Promise<void>((resolve) => {
        const observed = observe(async () => {
          const { ended } = await pass(lease, sinceMs, stopping)
          resolve()
          await ended
        }).finally(() => {
          running.delete(observed)
          resolve()
        })
        running.add(observed)
      }),
    ended: () => Promise.all(running),
  }
}
