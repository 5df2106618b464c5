import { type Background, repeatedly } from '../background/background.ts'
import type { Logger } from './logging.ts'
import type { Prometheus } from './prometheus.ts'

/** The clocks of a store, which may run on other machines. */
export interface StoreClocks {
  readonly store: 'clickhouse' | 'metadata'
  /** Each reads the clock of one node, in milliseconds since 1970. */
  readonly clocks: readonly (() => Promise<number>)[]
}

export interface ClockMonitorOptions {
  readonly stores: readonly StoreClocks[]
  readonly now: () => Date
  readonly logger: Pick<Logger, 'warn' | 'info'>
  readonly metrics: Prometheus['store']
}

const pauseMs = 60_000

/** Less than the windows of alert rules that are in use, and more than clocks differ that are synchronized. */
const differenceMsMax = 5_000

const differs =
  'The clock of this server differs from that of a store; alert rules are evaluated by the clock of this server'
const agrees = 'The clock of this server agrees with that of the store again'

/**
 * Compares the clock of this server with those of the stores each minute, and logs when they begin to differ. Nothing
 * else reveals a clock that is ahead: alert rules are evaluated over windows whose telemetry has not been sent yet.
 * Clocks that cannot be read are left out, as other checks report a store that does not answer.
 */
export function createClockMonitor({ stores, now, logger, metrics }: ClockMonitorOptions): Background {
  const differing = new Set<string>()
  const compare = async ({ store, clocks }: StoreClocks) => {
    const read = await Promise.allSettled(clocks.map((clock) => measureAhead(clock, now)))
    const [aheadMs] = read
      .flatMap((measured) => (measured.status === 'fulfilled' ? [measured.value] : []))
      .sort((left, right) => Math.abs(right) - Math.abs(left))
    if (aheadMs === undefined) return
    const aheadSeconds = aheadMs / 1_000
    metrics.clockAheadSeconds.set({ store }, aheadSeconds)
    const isDifferent = Math.abs(aheadMs) > differenceMsMax
    if (isDifferent === differing.has(store)) return
    if (isDifferent) {
      differing.add(store)
      logger.warn({ store, aheadSeconds }, differs)
    } else {
      differing.delete(store)
      logger.info({ store }, agrees)
    }
  }
  return repeatedly({
    pauseMs,
    work: async () => void (await Promise.all(stores.map(compare))),
    onError: (err) => logger.warn({ err }, 'Could not compare the clocks of the server and of its stores'),
  })
}

/**
 * Returns the milliseconds by which the clock of this server is at least ahead of another one; negative if it is
 * behind. The other clock was read at some time between sending the question and receiving the answer.
 */
async function measureAhead(clock: () => Promise<number>, now: () => Date): Promise<number> {
  const sentMs = now().getTime()
  const otherMs = await clock()
  const receivedMs = now().getTime()
  if (otherMs < sentMs) return sentMs - otherMs
  return Math.min(receivedMs - otherMs, 0)
}
