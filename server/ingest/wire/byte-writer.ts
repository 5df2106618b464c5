import { isUtf8 } from 'node:buffer'

const initialBytes = 64 * 1024
/** Up to this length a loop over the bytes is faster than a call into the runtime. */
const loopBytesMax = 40
/**
 * The bytes reserved for a length. ClickHouse and protobuf encode varints alike: seven bits per byte, low bits first.
 */
const lengthBytesMax = 5

const quote = 0x22
const backslash = 0x5c
const unescapedMin = 0x20

/**
 * Writes ClickHouse `RowBinary`, the JSON inside its strings, and protobuf into one growing buffer. The formats share
 * the layout of integers and lengths. The writer does not know any table or message.
 *
 * Methods that take UTF-8 from a body check it, because ClickHouse does not. As in every decoder, invalid bytes are
 * replaced by U+FFFD; they are counted in `repaired`.
 */
export class ByteWriter {
  bytes: Buffer
  position = 0
  /** The number of strings that were not valid UTF-8. */
  repaired = 0

  /** Writes into the given buffer from its start, or into a new one of the given size. */
  constructor(bytes: number | Buffer = initialBytes) {
    this.bytes = typeof bytes === 'number' ? Buffer.allocUnsafeSlow(bytes) : bytes
  }

  /**
   * Makes room for `count` more bytes. Methods named `put…` require that this has been called; all others call it
   * themselves.
   */
  reserve(count: number): void {
    const needed = this.position + count
    if (needed > this.bytes.length) this.grow(needed)
  }

  private grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    grown.set(this.written())
    this.bytes = grown
  }

  uint8(value: number): void {
    this.reserve(1)
    this.bytes[this.position++] = value
  }

  uint32(value: number): void {
    this.reserve(4)
    this.putUint32(value)
  }

  putUint32(value: number): void {
    const { bytes, position: at } = this
    bytes[at] = value
    bytes[at + 1] = value >>> 8
    bytes[at + 2] = value >>> 16
    bytes[at + 3] = value >>> 24
    this.position = at + 4
  }

  /** Writes a 64-bit integer, given as two unsigned halves. */
  uint64(low: number, high: number): void {
    this.reserve(8)
    this.putUint32(low)
    this.putUint32(high)
  }

  /** Writes an id. It is big-endian in OTLP and, like every integer, little-endian in RowBinary. */
  reversed(source: Uint8Array, start: number, count: number): void {
    this.reserve(count)
    const { bytes, position: at } = this
    for (let i = 0; i < count; i++) bytes[at + i] = source[start + count - 1 - i] as number
    this.position = at + count
  }

  zeros(count: number): void {
    this.reserve(count)
    this.bytes.fill(0, this.position, this.position + count)
    this.position += count
  }

  varint(value: number): void {
    this.reserve(lengthBytesMax)
    this.putVarint(value)
  }

  putVarint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.bytes[this.position++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[this.position++] = rest
  }

  /** Writes a protobuf varint of 64 bits, given as two unsigned halves. */
  varint64(low: number, high: number): void {
    this.reserve(10)
    let restLow = low
    let restHigh = high
    while (restHigh > 0 || restLow >= 0x80) {
      this.bytes[this.position++] = (restLow & 0x7f) | 0x80
      restLow = ((restLow >>> 7) | (restHigh << 25)) >>> 0
      restHigh >>>= 7
    }
    this.bytes[this.position++] = restLow
  }

  /**
   * Reserves the length of a message whose size is unknown: one byte, because most messages are short, or a full width
   * that fits every message. Returns where the message begins.
   */
  openLength(fullWidth = false): number {
    this.reserve(lengthBytesMax)
    this.position += fullWidth ? lengthBytesMax : 1
    return this.position
  }

  /**
   * Writes the length of the message that began at `start`, and moves a message whose length needs more space. Returns
   * the number of bytes that were moved.
   */
  closeLength(start: number, fullWidth = false): number {
    const length = this.position - start
    if (fullWidth) {
      // A varint may be longer than necessary.
      for (let i = 0; i < lengthBytesMax; i++)
        this.bytes[start - lengthBytesMax + i] = ((length >>> (7 * i)) & 0x7f) | (i < lengthBytesMax - 1 ? 0x80 : 0)
      return 0
    }
    if (length < 0x80) {
      this.bytes[start - 1] = length
      return 0
    }
    const more = varintBytes(length) - 1
    this.reserve(more)
    this.bytes.copyWithin(start + more, start, start + length)
    this.position = start - 1
    this.putVarint(length)
    this.position += length
    return length
  }

  /** Writes the bytes without a length. */
  raw(source: Uint8Array, start = 0, end = source.length): void {
    this.reserve(end - start)
    this.putRaw(source, start, end)
  }

  /** Writes a whole array without a length. Faster than `raw` for arrays that are written many times. */
  view(source: Uint8Array): void {
    this.reserve(source.length)
    this.bytes.set(source, this.position)
    this.position += source.length
  }

  putRaw(source: Uint8Array, start: number, end: number): void {
    const { bytes, position: at } = this
    if (end - start > loopBytesMax) {
      bytes.set(viewOf(source, start, end), at)
    } else for (let i = start; i < end; i++) bytes[at + i - start] = source[i] as number
    this.position = at + end - start
  }

  /**
   * Writes a length and then the bytes unchecked: a `String` that is known to be valid UTF-8, or a field of a message.
   */
  sized(source: Uint8Array, start = 0, end = source.length): void {
    this.varint(end - start)
    this.raw(source, start, end)
  }

  /** Writes a `String` of UTF-8 bytes. If `tag` is not zero, this ASCII character precedes them. */
  text(source: Uint8Array, start: number, end: number, tag = 0): void {
    const length = end - start
    this.reserve(lengthBytesMax + 1 + length)
    const begin = this.position
    this.putVarint(tag === 0 ? length : length + 1)
    if (tag !== 0) this.bytes[this.position++] = tag
    if (this.putUtf8(source, start, end)) return
    this.position = begin
    this.string(repairedText(source, start, end), tag)
  }

  /**
   * Copies UTF-8 bytes. Returns false if they are not valid, counts them in `repaired`, and leaves `position`
   * undefined.
   */
  private putUtf8(source: Uint8Array, start: number, end: number): boolean {
    const { bytes, position: at } = this
    if (end - start <= loopBytesMax) {
      let seen = 0
      for (let i = start; i < end; i++) {
        const byte = source[i] as number
        bytes[at + i - start] = byte
        seen |= byte
      }
      this.position = at + end - start
      if (seen < 0x80) return true
    }
    const part = viewOf(source, start, end)
    if (!isUtf8(part)) {
      this.repaired++
      return false
    }
    bytes.set(part, at)
    this.position = at + end - start
    return true
  }

  /** Writes a `String` of short or rare text. If `tag` is not zero, this ASCII character precedes it. */
  string(value: string, tag = 0): void {
    const length = Buffer.byteLength(value)
    this.reserve(lengthBytesMax + 1 + length)
    this.putVarint(tag === 0 ? length : length + 1)
    if (tag !== 0) this.bytes[this.position++] = tag
    this.position += this.bytes.write(value, this.position)
  }

  /** Writes UTF-8 without a length. */
  utf8(value: string): void {
    this.reserve(Buffer.byteLength(value))
    this.position += this.bytes.write(value, this.position)
  }

  /** Writes one code point as UTF-8. It must not be a surrogate. */
  codePoint(value: number): void {
    this.reserve(4)
    if (value < 0x80) this.bytes[this.position++] = value
    else {
      const more = value < 0x800 ? 1 : value < 0x1_0000 ? 2 : 3
      this.bytes[this.position++] = ((0xff00 >> (more + 1)) & 0xff) | (value >> (6 * more))
      for (let i = more - 1; i >= 0; i--) this.bytes[this.position++] = 0x80 | ((value >> (6 * i)) & 0x3f)
    }
  }

  /** Writes ASCII without a length. */
  ascii(value: string): void {
    this.reserve(value.length)
    for (let i = 0; i < value.length; i++) this.bytes[this.position++] = value.charCodeAt(i)
  }

  /**
   * Writes UTF-8 bytes as a JSON string, escaped as by `JSON.stringify`. If `tag` is not zero, the string begins with
   * this ASCII character.
   */
  jsonString(source: Uint8Array, start: number, end: number, tag = 0): void {
    this.reserve(end - start + 3)
    const begin = this.position
    this.bytes[this.position++] = quote
    if (tag !== 0) this.bytes[this.position++] = tag
    const isPlain = needsNoEscape(source, start, end)
    if (isPlain && this.putUtf8(source, start, end)) this.bytes[this.position++] = quote
    else {
      if (!isPlain && !isUtf8(viewOf(source, start, end))) this.repaired++
      this.position = begin
      const prefix = tag === 0 ? '' : String.fromCharCode(tag)
      this.utf8(JSON.stringify(prefix + repairedText(source, start, end)))
    }
  }

  /** Returns a view of what was written. Later writes may change it, unless the writer starts a new buffer. */
  written(): Buffer {
    return this.bytes.subarray(0, this.position)
  }
}

function viewOf(source: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(source.buffer, source.byteOffset + start, end - start)
}

function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++
  return bytes
}

function needsNoEscape(source: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = source[i] as number
    if (byte < unescapedMin || byte === quote || byte === backslash) return false
  }
  return true
}

function repairedText(source: Uint8Array, start: number, end: number): string {
  return Buffer.from(source.buffer, source.byteOffset + start, end - start).toString('utf8')
}
