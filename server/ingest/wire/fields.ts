import { OversizedBody } from './body-errors.ts'
import type { ProtobufReader } from './protobuf-reader.ts'

/** Maximum number of messages in one field: points of a metric, events of a span. Reading them is not interrupted. */
const messagesMax = 1_000_000

/** A string, bytes or message field, as the offsets of its value in the body. The range of an absent field is empty. */
export class ByteRange {
  start = 0
  end = 0

  get length(): number {
    return this.end - this.start
  }

  clear(): void {
    this.start = this.end = 0
  }

  read(reader: ProtobufReader, end: number): void {
    this.end = reader.endOfBytes(end)
    this.start = reader.position
    reader.position = this.end
  }
}

/** A repeated message field, as the offsets of its messages in the body. */
export class RangeList {
  count = 0
  start = new Int32Array(16)
  end = new Int32Array(16)

  clear(): void {
    this.count = 0
  }

  read(reader: ProtobufReader, end: number): void {
    const messageEnd = reader.endOfBytes(end)
    if (this.count === messagesMax)
      throw new OversizedBody(`A metric or a span must not have more than ${messagesMax} points, events or links.`)
    if (this.count === this.start.length) {
      this.start = doubled(this.start)
      this.end = doubled(this.end)
    }
    this.start[this.count] = reader.position
    this.end[this.count] = messageEnd
    this.count++
    reader.position = messageEnd
  }
}

/** Returns an array of twice the length that begins with the given numbers. */
export function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(array.length * 2)
  grown.set(array)
  return grown
}

/** Reports whether bytes are those at a position. For few bytes, a loop is faster than a call into the runtime. */
export function isAt(few: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < few.length; i++) if (few[i] !== bytes[start + i]) return false
  return true
}
