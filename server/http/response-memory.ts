import { problem } from '../problem/problem.ts'

/** Limits the memory of response bodies until clients have read them. A body always fits if there is no other one. */
export class ResponseMemory {
  private readonly bytesMax: number
  private used = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /**
   * Reserves memory for a body, before its first byte is sent. Call the returned function once, to free it.
   * @throws Problem 429 if other bodies need the memory
   */
  reserve(bytes: number): () => void {
    if (this.used > 0 && this.used + bytes > this.bytesMax) {
      const detail = 'Clients have not read too many large responses yet. Retry later.'
      throw problem('too_many_requests', detail, { retryAfterSeconds: 1 })
    }
    this.used += bytes
    return () => {
      this.used -= bytes
    }
  }
}
