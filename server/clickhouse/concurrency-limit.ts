import { problem } from '../problem/problem.ts'

/** Admits a fixed number of operations at once, queues a limited number of others in order, and refuses the rest. */
export interface ConcurrencyLimit {
  /**
   * Waits for a free slot and resolves with the function that frees it again; calling that function twice has no
   * effect.
   * @throws too_many_requests when the queue is full or the wait is too long; the reason of `signal` when it aborts
   */
  acquire(signal?: AbortSignal): Promise<() => void>
}

export interface ConcurrencyLimitOptions {
  readonly concurrentMax: number
  readonly waitingMax: number
  readonly waitMsMax: number
}

function refuse(): Error {
  return problem('too_many_requests', 'Too many concurrent requests to the telemetry store. Retry later.', {
    retryAfterSeconds: 1,
  })
}

export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { concurrentMax, waitingMax, waitMsMax } = options
  const waiting = new Set<() => void>()
  let running = 0

  /** Hands the slot to the first in the queue, or frees it. */
  function passOn(): void {
    const [next] = waiting
    if (next === undefined) running--
    else next()
  }

  function createRelease(): () => void {
    let released = false
    return () => {
      if (!released) passOn()
      released = true
    }
  }

  function wait(signal: AbortSignal | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(start)
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const start = () => {
        leave()
        resolve(createRelease())
      }
      const onAbort = () => {
        leave()
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        leave()
        reject(refuse())
      }, waitMsMax)
      signal?.addEventListener('abort', onAbort)
      waiting.add(start)
    })
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted()
      if (running < concurrentMax) {
        running++
        return createRelease()
      }
      if (waiting.size >= waitingMax) throw refuse()
      return wait(signal)
    },
  }
}
