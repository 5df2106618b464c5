/** The requests that are being answered, so that their clients can cancel them. */
import type { RpcMessage } from './json-rpc.ts'

export interface RunningCall {
  /** Aborts when the client disconnects or cancels the request. */
  readonly signal: AbortSignal
  wasCancelled(): boolean
  end(): void
}

export interface RunningCalls {
  /** Registers a request of a client. `gone` aborts when the client disconnects. */
  start(client: string, id: RpcMessage['id'], gone: AbortSignal): RunningCall
  /**
   * Cancels the request of a client with an id. Clients without sessions count from the same number, so if several
   * requests have the id, none is cancelled.
   */
  cancel(client: string, id: unknown): void
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<AbortController>>()
  // The number 1 and the text "1" are different ids.
  const keyOf = (client: string, id: unknown) => JSON.stringify([client, id])
  return {
    start(client, id, gone) {
      const key = keyOf(client, id)
      const cancelled = new AbortController()
      const calls = running.get(key) ?? new Set()
      running.set(key, calls.add(cancelled))
      return {
        signal: AbortSignal.any([gone, cancelled.signal]),
        wasCancelled: () => cancelled.signal.aborted,
        end() {
          calls.delete(cancelled)
          if (calls.size === 0) running.delete(key)
        },
      }
    },
    cancel(client, id) {
      const [only, ...others] = running.get(keyOf(client, id)) ?? []
      if (others.length === 0) only?.abort()
    },
  }
}
