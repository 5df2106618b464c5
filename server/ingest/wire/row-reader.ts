/** Reads ClickHouse `RowBinary`. It does not know any table. */
export class RowReader {
  readonly bytes: Buffer
  position = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.bytes[this.position++] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  /** Moves to the end of a string and returns its length in bytes. */
  skipString(): number {
    const length = this.varint()
    this.position += length
    return length
  }

  string(): string {
    const length = this.skipString()
    return this.bytes.toString('utf8', this.position - length, this.position)
  }
}
