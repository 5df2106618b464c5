import { MemoryShares } from '../../admission/memory-shares.ts'
import { problem } from '../../problem/problem.ts'

/** Smaller bodies are never refused: the buffers of a connection take as much. */
const refusedBytesMin = 64 * 1024

/** Reserves memory for a body, before its first byte is sent. Call the returned function once, to free it. */
export type Reserve = (bytes: number) => () => void

/**
 * Limits the memory of response bodies until clients have read them, and divides it between organizations: clients of
 * one that read slowly would keep large responses from all others. A body always fits if there is no other one.
 */
export class ResponseMemory {
  private readonly shares: MemoryShares

  constructor(bytesMax: number) {
    this.shares = new MemoryShares(bytesMax)
  }

  /**
   * Returns what reserves memory for the bodies of an organization. It throws the problem 429 for a large body if other
   * bodies need the memory, unless the request has been carried out (`isDone`): a 429 would say that it has not.
   */
  reserveFor(org: string, isDone = false): Reserve {
    return (bytes) => {
      const body = this.shares.open(org)
      if (isDone || bytes < refusedBytesMin) body.growAlways(bytes)
      else if (!body.grow(bytes)) throw tooManyUnread()
      return () => body.release()
    }
  }
}

function tooManyUnread(): Error {
  const detail = 'Too many large responses of this organization have not been read by its clients yet. Retry later.'
  return problem('too_many_requests', detail, { retryAfterSeconds: 1 })
}
