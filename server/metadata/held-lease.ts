import { type Background, repeatedly } from '../background/background.ts'
import type { Lease, Leases } from './lease.ts'

/** A lease that this server takes as soon as it can, and keeps until it stops. */
export interface HeldLease extends Background {
  /** Undefined while another server holds it, and when it ran out because the store did not answer. */
  current(): Lease | undefined
}

export interface HeldLeaseOptions {
  readonly name: string
  readonly leases: Leases
  /** A third of the time for which it is taken: two renewals may fail. */
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
