import { problem } from '../../problem/problem.ts'

/** Smaller bodies are never refused: the buffers of a connection take as much. */
const refusedBytesMin = 64 * 1024

/** Reserves memory for a body, before its first byte is sent. Call the returned function once, to free it. */
export type Reserve = (bytes: number) => () => void

/** Limits the memory of response bodies until clients have read them. A body always fits if there is no other one. */
export class ResponseMemory {
  private readonly bytesMax: number
  private used = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** @throws Problem 429 for a large body if other bodies need the memory */
  readonly reserve: Reserve = (bytes) => {
    if (bytes >= refusedBytesMin && this.used > 0 && this.used + bytes > this.bytesMax) {
      const detail = 'Too many large responses have not been read by their clients yet. Retry later.'
      throw problem('too_many_requests', detail, { retryAfterSeconds: 1 })
    }
    return this.reserveAlways(bytes)
  }

  /** For the answer of a request that has been carried out: a 429 would say that it has not. */
  readonly reserveAlways: Reserve = (bytes) => {
    this.used += bytes
    return () => {
      this.used -= bytes
    }
  }
}
