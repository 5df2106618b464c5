/** Reads a stream of chunks as bytes: so many at a time, waiting for the chunks that hold them. */
export class ByteSource {
  /** Of the next byte, in the whole stream. */
  offset: number
  private readonly chunks: AsyncIterator<Buffer>
  private held: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>, start: number) {
    this.chunks = chunks[Symbol.asyncIterator]()
    this.offset = start
  }

  /** Fewer bytes than asked for only at the end of the stream. They stay to be read. */
  async peek(count: number): Promise<Buffer> {
    const parts = [this.held]
    let length = this.held.length
    while (length < count) {
      const next = await this.chunks.next()
      if (next.done === true) break
      parts.push(next.value)
      length += next.value.length
    }
    if (parts.length > 1) this.held = Buffer.concat(parts)
    return this.held.subarray(0, count)
  }

  /** Fewer bytes than asked for only at the end of the stream. */
  async take(count: number): Promise<Buffer> {
    const taken = await this.peek(count)
    this.held = this.held.subarray(taken.length)
    this.offset += taken.length
    return taken
  }
}
