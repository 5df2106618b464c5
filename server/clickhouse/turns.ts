/** A counting gate: so many at once, as many waiting in order, more are refused. */
import { problem } from '../problem/problem.ts'

export interface Turns {
  /** Resolves with the function that ends the turn. @throws too_many_requests when the queue is full or the wait is over */
  take(signal?: AbortSignal): Promise<() => void>
}

export interface TurnLimits {
  readonly concurrentMax: number
  readonly waitingMax: number
  readonly waitMsMax: number
}

function refuse(): Error {
  return problem('too_many_requests', 'The telemetry store is asked for too much at once.', { retryAfterSeconds: 1 })
}

export function createTurns({ concurrentMax, waitingMax, waitMsMax }: TurnLimits): Turns {
  const waiting = new Set<() => void>()
  let running = 0

  function end(): void {
    const [next] = waiting
    if (next === undefined) running--
    else next()
  }

  function turn(): () => void {
    let ended = false
    return () => {
      if (!ended) end()
      ended = true
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
        resolve(turn())
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
    async take(signal) {
      signal?.throwIfAborted()
      if (running < concurrentMax) {
        running++
        return turn()
      }
      if (waiting.size >= waitingMax) throw refuse()
      return wait(signal)
    },
  }
}
