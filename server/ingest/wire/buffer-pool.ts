/** Maximum memory that the pool keeps for later requests. The garbage collector frees further buffers. */
const keptBytesMax = 64 * 2 ** 20
const bufferBytesMin = 64 * 1024
/** The minimum share of a kept buffer that a request must use, so that small requests do not hold large buffers. */
const usedShareMin = 1 / 4

/**
 * Reuses the buffers of bodies and rows. Without the pool, allocations outside the heap make V8 collect all garbage
 * every few dozen megabytes, which took a third of the time of a busy server (`npm run bench:ingest`).
 */
export class BufferPool {
  private readonly kept: Buffer[] = []
  private keptBytes = 0

  /** Returns a buffer of at least `bytes` bytes with arbitrary content. The caller owns it and may give it back. */
  take(bytes: number): Buffer {
    const at = this.kept.findIndex(
      ({ length }) => length >= bytes && length * usedShareMin <= Math.max(bytes, bufferBytesMin),
    )
    const [found] = at === -1 ? [] : this.kept.splice(at, 1)
    if (found === undefined) return Buffer.allocUnsafeSlow(roundedUp(bytes))
    this.keptBytes -= found.length
    return found
  }

  /**
   * Takes back the whole buffer that contains `part`. It must not share its memory, and must not be used afterwards.
   */
  give(part: Buffer): void {
    const whole = Buffer.from(part.buffer)
    if (whole.length < bufferBytesMin || whole.length > keptBytesMax) return
    this.kept.push(whole)
    this.keptBytes += whole.length
    // The oldest buffers are dropped first, so that sizes that are no longer used make room for others.
    while (this.keptBytes > keptBytesMax) this.keptBytes -= this.kept.shift()?.length ?? 0
  }
}

/**
 * Rounds up by at most a quarter, so that bodies of similar size share buffers. The whole buffer counts as memory in
 * flight.
 */
function roundedUp(bytes: number): number {
  const unit = Math.max(bufferBytesMin, 2 ** (Math.floor(Math.log2(Math.max(bytes, 1))) - 2))
  return Math.max(1, Math.ceil(bytes / unit)) * unit
}
