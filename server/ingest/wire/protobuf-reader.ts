import { MalformedBody } from './body-errors.ts'

/** How a field's value is laid out; the low three bits of its tag. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const

/** Groups are obsolete; a sender that nests unknown ones deeper than this is hostile. */
const unknownGroupDepthMax = 32

/**
 * A cursor over protobuf wire format that makes no objects: strings and messages are left where they are and known by
 * their offsets. Each read is bounded by the end of the message it is in; what does not fit throws MalformedBody.
 *
 * 64-bit values are two unsigned halves, `low` and `high`, because neither a number nor (at this rate) a bigint will do.
 */
export class ProtobufReader {
  readonly bytes: Buffer
  /** Of the same bytes. */
  readonly view: DataView
  position = 0
  /** Of the 64-bit value read last. */
  low = 0
  high = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** Field number and wire type of the next field: `number << 3 | wire type`. */
  tag(end: number): number {
    const first = this.bytes[this.position] as number
    if (first < 0x80 && first > 7) {
      this.position++
      return first
    }
    const tag = this.varint(end)
    if (this.high !== 0 || tag >>> 3 === 0) throw new MalformedBody('A protobuf field has no valid number.')
    return tag
  }

  /** The low 32 bits, unsigned, of a varint; all 64 are in `low` and `high`. */
  varint(end: number): number {
    const { bytes } = this
    let at = this.position
    let byte = bytes[at++] as number
    let low = byte & 0x7f
    let high = 0
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (shift > 63) throw new MalformedBody('A protobuf varint is longer than ten bytes.')
      byte = bytes[at++] as number
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (shift - 32)
    }
    if (at > end) throw cutShort()
    this.position = at
    this.low = low >>> 0
    this.high = high >>> 0
    return this.low
  }

  /** Reads the length of a string, bytes or message field, and says where it ends; it begins at `position`. */
  endOfBytes(end: number): number {
    const first = this.bytes[this.position] as number
    let length = first
    if (first < 0x80) this.position++
    else {
      length = this.varint(end)
      if (this.high !== 0) throw cutShort()
    }
    const fieldEnd = this.position + length
    if (!(fieldEnd <= end)) throw cutShort()
    return fieldEnd
  }

  /** Into `low` and `high`. */
  fixed64(end: number): void {
    this.low = this.fixed32(end)
    this.high = this.fixed32(end)
  }

  fixed32(end: number): number {
    const at = this.position
    if (at + 4 > end) throw cutShort()
    this.position = at + 4
    return this.view.getUint32(at, true)
  }

  /** Passes over a field that this receiver does not know, or that came with another wire type than it has. */
  skip(tag: number, end: number, groupDepth = 0): void {
    switch (tag & 7) {
      case wireTypes.varint:
        this.varint(end)
        return
      case wireTypes.fixed64:
        this.fixed64(end)
        return
      case wireTypes.bytes:
        this.position = this.endOfBytes(end)
        return
      case wireTypes.groupStart:
        this.skipGroup(tag >>> 3, end, groupDepth)
        return
      case wireTypes.fixed32:
        this.fixed32(end)
        return
      default:
        throw new MalformedBody('A protobuf field has a wire type that does not exist.')
    }
  }

  private skipGroup(field: number, end: number, depth: number): void {
    if (depth >= unknownGroupDepthMax) throw new MalformedBody('Protobuf groups are nested too deep.')
    while (this.position < end) {
      const tag = this.tag(end)
      if ((tag & 7) === wireTypes.groupEnd) {
        if (tag >>> 3 !== field) throw new MalformedBody('A protobuf group ends with the number of another.')
        return
      }
      this.skip(tag, end, depth + 1)
    }
    throw cutShort()
  }
}

function cutShort(): MalformedBody {
  return new MalformedBody('A protobuf message is cut short.')
}
