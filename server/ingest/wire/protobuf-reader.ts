import { wireTypes } from '../proto/message-table.ts'
import { MalformedBody } from './body-errors.ts'

/** Maximum nesting of unknown groups. Groups are obsolete, so deeper ones come from a hostile sender. */
const unknownGroupDepthMax = 32
/** Maximum number of fields in all unknown groups of a body. Skipping them is not interrupted. */
const unknownGroupFieldsMax = 100_000

/** Maximum number of unknown fields in one record. Skipping them is not interrupted. */
const unknownFieldsMax = 1_000_000

/**
 * A cursor over the protobuf wire format that allocates no objects: strings and messages stay in the body and are
 * represented by their offsets. 64-bit values are two unsigned halves (fixed64.ts). Every method takes the end of the
 * enclosing message.
 *
 * @throws {MalformedBody} from every method, for a value that does not fit into its message
 */
export class ProtobufReader {
  readonly bytes: Buffer
  readonly view: DataView
  position = 0
  /** The halves of the 64-bit value that was read last. */
  low = 0
  high = 0
  private unknownGroupFields = 0
  /** The number of fields that were skipped. A caller that pauses between fields resets it. */
  skipped = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** Reads the tag of the next field: `field number << 3 | wire type`. */
  tag(end: number): number {
    const first = this.bytes[this.position] as number
    if (first < 0x80 && first > 7) {
      this.position++
      return first
    }
    const tag = this.varint(end)
    if (this.high !== 0 || tag >>> 3 === 0) throw new MalformedBody('A protobuf field has an invalid number.')
    return tag
  }

  /** Reads a varint into `low` and `high`, and returns its low 32 bits, unsigned. */
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
    if (at > end) throw truncated()
    this.position = at
    this.low = low >>> 0
    this.high = high >>> 0
    return this.low
  }

  /** Reads a varint whose lowest bit is the sign, and returns it as a signed integer of 32 bits. */
  zigzag(end: number): number {
    const bits = this.varint(end)
    return (bits >>> 1) ^ -(bits & 1)
  }

  /** Reads the length of a string, bytes or message field. Returns where the field ends; it begins at `position`. */
  endOfBytes(end: number): number {
    const first = this.bytes[this.position] as number
    let length = first
    if (first < 0x80) this.position++
    else {
      length = this.varint(end)
      if (this.high !== 0) throw truncated()
    }
    const fieldEnd = this.position + length
    if (!(fieldEnd <= end)) throw truncated()
    return fieldEnd
  }

  /** Reads 64 bits into `low` and `high`. */
  fixed64(end: number): void {
    this.low = this.fixed32(end)
    this.high = this.fixed32(end)
  }

  fixed32(end: number): number {
    const at = this.position
    if (at + 4 > end) throw truncated()
    this.position = at + 4
    return this.view.getUint32(at, true)
  }

  /** Skips a field that is unknown or has an unexpected wire type. */
  skip(tag: number, end: number, groupDepth = 0): void {
    if (++this.skipped > unknownFieldsMax)
      throw new MalformedBody(`A protobuf message has more than ${unknownFieldsMax} unknown fields.`)
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
        throw new MalformedBody('A protobuf field has an unknown wire type.')
    }
  }

  private skipGroup(field: number, end: number, depth: number): void {
    if (depth >= unknownGroupDepthMax)
      throw new MalformedBody(`Protobuf groups are nested more than ${unknownGroupDepthMax} levels deep.`)
    while (this.position < end) {
      if (++this.unknownGroupFields > unknownGroupFieldsMax)
        throw new MalformedBody(`Protobuf groups have more than ${unknownGroupFieldsMax} fields.`)
      const tag = this.tag(end)
      if ((tag & 7) === wireTypes.groupEnd) {
        if (tag >>> 3 !== field) throw new MalformedBody('The end of a protobuf group does not match its start.')
        return
      }
      this.skip(tag, end, depth + 1)
    }
    throw truncated()
  }
}

function truncated(): MalformedBody {
  return new MalformedBody('A protobuf message is truncated.')
}
