/**
 * 64-bit values as two unsigned halves, `low` and `high`. JavaScript numbers cannot represent them exactly, and bigints
 * are too slow for every field of every record.
 */
import { wireTypes } from '../proto/message-table.ts'
import { ByteWriter } from './byte-writer.ts'
import type { ProtobufReader } from './protobuf-reader.ts'

/** The factor of the high half. */
export const two32 = 2 ** 32

/** The smallest high half for which the value may not be exact as a JavaScript number. */
const inexactHighMin = 2 ** 21

const scratch = new DataView(new ArrayBuffer(8))

/** Returns the decimal text of an unsigned integer. */
export function textOfUint64(low: number, high: number): string {
  return high < inexactHighMin ? String(high * two32 + low) : bigintOf(low, high).toString()
}

/** Returns the decimal text of a signed integer. */
export function textOfInt64(low: number, high: number): string {
  return high < inexactHighMin ? String(high * two32 + low) : BigInt.asIntN(64, bigintOf(low, high)).toString()
}

/** Returns the double with these bits, given as two unsigned integers of 32 bits. */
export function doubleOfBits(low: number, high: number): number {
  scratch.setUint32(0, low, true)
  scratch.setUint32(4, high, true)
  return scratch.getFloat64(0, true)
}

function bigintOf(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low)
}

/** A `fixed64`, `sfixed64` or `double` field. */
export class Fixed64 {
  isSet = false
  low = 0
  high = 0

  get isZero(): boolean {
    return this.low === 0 && this.high === 0
  }

  /** The value as an unsigned integer. */
  get bits(): bigint {
    return bigintOf(this.low, this.high)
  }

  clear(): void {
    this.isSet = false
    this.low = this.high = 0
  }

  read(reader: ProtobufReader, end: number): void {
    reader.fixed64(end)
    this.isSet = true
    this.low = reader.low
    this.high = reader.high
  }

  /** Writes the value in RowBinary; zero for an absent field. */
  write(row: ByteWriter): void {
    row.uint64(this.low, this.high)
  }

  /** Writes the value as a RowBinary `Nullable`; NULL for an absent field. */
  writeNullable(row: ByteWriter): void {
    row.uint8(this.isSet ? 0 : 1)
    if (this.isSet) this.write(row)
  }
}

/**
 * A repeated field of 64-bit values. It is kept as the bytes of a RowBinary array, because both formats are
 * little-endian.
 */
class Array64 {
  private readonly writer = new ByteWriter(256)

  get count(): number {
    return this.writer.position / 8
  }

  clear(): void {
    this.writer.position = 0
  }

  add({ low, high }: { readonly low: number; readonly high: number }): void {
    this.writer.uint64(low, high)
  }

  double(index: number): number {
    return this.writer.bytes.readDoubleLE(index * 8)
  }

  /** Returns the sum of unsigned integers. */
  total(): bigint {
    let total = 0n
    for (let i = 0; i < this.count; i++) total += this.writer.bytes.readBigUInt64LE(i * 8)
    return total
  }

  /** Writes the values as a RowBinary array. */
  write(row: ByteWriter): void {
    row.varint(this.count)
    row.raw(this.writer.bytes, 0, this.writer.position)
  }
}

/** A repeated `fixed64` or `double` field, packed or not. */
export class Fixed64List extends Array64 {
  read(reader: ProtobufReader, end: number, tag: number): void {
    const fieldEnd = (tag & 7) === wireTypes.bytes ? reader.endOfBytes(end) : reader.position + 8
    while (reader.position < fieldEnd) {
      reader.fixed64(Math.min(fieldEnd, end))
      this.add(reader)
    }
  }
}

/** A repeated `uint64` field, packed or not. */
export class Varint64List extends Array64 {
  read(reader: ProtobufReader, end: number, tag: number): void {
    const isPacked = (tag & 7) === wireTypes.bytes
    const fieldEnd = isPacked ? reader.endOfBytes(end) : end
    while (reader.position < fieldEnd) {
      reader.varint(fieldEnd)
      this.add(reader)
      if (!isPacked) return
    }
  }
}
