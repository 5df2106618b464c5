/** What is kept for the next request; beyond it buffers are left to the garbage collector. */
const keptBytesMax = 64 * 2 ** 20
const bufferBytesMin = 64 * 1024
/** A kept buffer serves requests down to this share of its size, so that small ones do not hold large buffers. */
const usedShareMin = 1 / 4

/**
 * Buffers that bodies and rows were in, for those that come next. Memory outside V8's heap makes V8 collect all garbage every few
 * dozen megabytes, which took a third of the server's time while telemetry came fast (`npm run bench:ingest`).
 */
export class BufferPool {
  private readonly kept: Buffer[] = []
  private keptBytes = 0

  /** A buffer of at least that many bytes, with whatever was in it. It is the caller's until it gives it back, if ever. */
  take(bytes: number): Buffer {
    const at = this.kept.findIndex(
      ({ length }) => length >= bytes && length * usedShareMin <= Math.max(bytes, bufferBytesMin),
    )
    const [found] = at === -1 ? [] : this.kept.splice(at, 1)
    if (found === undefined) return Buffer.allocUnsafeSlow(roundedUp(bytes))
    this.keptBytes -= found.length
    return found
  }

  /** `part`: of a buffer that was taken here or anywhere alone in its memory. Nobody may use it from here on. */
  give(part: Buffer): void {
    const whole = Buffer.from(part.buffer)
    if (whole.length < bufferBytesMin || whole.length > keptBytesMax) return
    this.kept.push(whole)
    this.keptBytes += whole.length
    // Those that nobody took for longest go first, so that sizes that are not asked for any more make room.
    while (this.keptBytes > keptBytesMax) this.keptBytes -= this.kept.shift()?.length ?? 0
  }
}

/** By at most a quarter, so that bodies of nearly the same size share buffers; it all counts as memory in flight. */
function roundedUp(bytes: number): number {
  const step = Math.max(bufferBytesMin, 2 ** (Math.floor(Math.log2(Math.max(bytes, 1))) - 2))
  return Math.max(1, Math.ceil(bytes / step)) * step
}
