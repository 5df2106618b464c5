import { type Background, repeatedly } from '../background/background.ts'
import type { Lease, Leases } from './lease.ts'

/** A lease that this server takes as soon as possible and renews until it stops. */
export interface HeldLease extends Background {
  /**
   * Returns the lease, or undefined while another server holds it or when it expired because the store did not answer.
   */
  current(): Lease | undefined
}

export interface HeldLeaseOptions {
  readonly name: string
  readonly leases: Leases
  /** The milliseconds between renewals: a third of the duration of the lease, so that two renewals may fail. */
  readonly renewMs: number
  readonly now: () => Date
  readonly onError: (error: unknown) => void
}

export function holdLease({ name, leases, renewMs, now, onError }: HeldLeaseOptions): HeldLease {
  let held: Lease | undefined
  const keeping = repeatedly({
    pauseMs: renewMs,
    async work() {
      held = await leases.acquire(name)
    },
    onError,
  })
  return {
    start: keeping.start,
    current: () => (held !== undefined && now() < held.expiresAt ? held : undefined),
    async stop(runningMsMax) {
      await keeping.stop(runningMsMax)
      const last = held
      held = undefined
      if (last !== undefined) await leases.release(last).catch(onError)
    },
  }
}
